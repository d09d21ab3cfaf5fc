//! What notes of a type look like: their fields with types, taken from the JSON Schema that the type derives.
//!
//! Viewers want one type a field. What Rust writes as one of several forms is therefore laid side by side: an enum is a
//! record with a field for each variant, of which one is there. A variant without fields, which JSON writes as a word,
//! is a flag of that name.

use serde_json::Value;

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Never a value.
    Nothing,
    /// True or false.
    Flag,
    /// A whole number.
    Signed,
    /// A whole number that is not negative.
    Unsigned,
    /// A number.
    Number,
    /// Any text.
    Text,
    /// One of these words.
    Words(Vec<String>),
    /// Several of the same type.
    List(Box<Shape>),
    /// Fields by name; any of them may be missing.
    Record(Vec<Field>),
    /// Anything else: its JSON as text.
    Json,
}

/// One field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub shape: Shape,
}

/// The one field of a list inside a list: protobuf knows no lists of lists.
pub(crate) const ITEMS: &str = "items";

impl Shape {
    /// The type of values that this JSON Schema describes. References must have been resolved.
    pub(crate) fn of(schema: &Value) -> Shape {
        let plain = schema.get("type").map(|kind| Self::plain(kind, schema));
        let words = schema.get("const").into_iter().chain(list(schema, "enum")).map(Self::word);
        let alternatives =
            ["oneOf", "anyOf", "allOf"].into_iter().flat_map(|key| list(schema, key)).map(Self::of);
        let words = words.reduce(Self::or);
        // A type beside a list of words says only that they are words.
        words.or(plain).into_iter().chain(alternatives).reduce(Self::or).unwrap_or(Shape::Json)
    }

    fn plain(kind: &Value, schema: &Value) -> Shape {
        let Some(kind) = kind.as_str() else {
            // Several types: a value that may be null.
            let kinds = kind.as_array().into_iter().flatten();
            return kinds.map(|kind| Self::plain(kind, schema)).reduce(Self::or).unwrap_or(Shape::Json);
        };
        match kind {
            "null" => Shape::Nothing,
            "boolean" => Shape::Flag,
            "integer" if schema.get("minimum").and_then(Value::as_u64).is_some() => Shape::Unsigned,
            "integer" => Shape::Signed,
            "number" => Shape::Number,
            "string" => Shape::Text,
            "array" => {
                let items =
                    list(schema, "prefixItems").chain(schema.get("items").filter(|items| items.is_object()));
                match items.map(Self::of).reduce(Self::or).unwrap_or(Shape::Json) {
                    row @ Shape::List(_) => Shape::List(Box::new(Shape::Record(vec![Field {
                        name: ITEMS.to_owned(),
                        shape: row,
                    }]))),
                    item => Shape::List(Box::new(item)),
                }
            }
            "object" if schema.get("additionalProperties").is_some_and(Value::is_object) => Shape::Json,
            "object" => {
                let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
                let field =
                    |(name, schema): (&String, &Value)| Field { name: name.clone(), shape: Self::of(schema) };
                Shape::Record(fields.map(field).collect())
            }
            _ => Shape::Json,
        }
    }

    fn word(word: &Value) -> Shape {
        word.as_str().map_or(Shape::Json, |word| Shape::Words(vec![word.to_owned()]))
    }

    /// The type that has room for values of both.
    pub(crate) fn or(self, other: Shape) -> Shape {
        use Shape::{Json, List, Nothing, Number, Record, Signed, Text, Unsigned, Words};
        match (self, other) {
            (same, other) if same == other => same,
            (Nothing, some) | (some, Nothing) => some,
            (Signed, Unsigned) | (Unsigned, Signed) => Signed,
            (Signed | Unsigned, Number) | (Number, Signed | Unsigned) => Number,
            (Words(_), Text) | (Text, Words(_)) => Text,
            (Words(mut words), Words(more)) => {
                words.extend(more);
                words.sort();
                words.dedup();
                Words(words)
            }
            (Record(fields), Words(words)) | (Words(words), Record(fields)) => {
                let flags = words.into_iter().map(|name| Field { name, shape: Shape::Flag });
                Record(fields).or(Record(flags.collect()))
            }
            (Record(mut fields), Record(more)) => {
                for field in more {
                    if let Some(known) = fields.iter_mut().find(|known| known.name == field.name) {
                        let shape = std::mem::replace(&mut known.shape, Json);
                        known.shape = shape.or(field.shape);
                    } else {
                        fields.push(field);
                    }
                }
                Record(fields)
            }
            (List(one), List(other)) => List(Box::new(one.or(*other))),
            _ => Json,
        }
    }
}

fn list<'a>(schema: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    schema.get(key).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::Serialize;

    use super::super::note_types::shape_of;
    use super::*;

    /// A record of named types, written as a list.
    fn record(fields: &[(&str, Shape)]) -> Shape {
        Shape::Record(
            fields
                .iter()
                .map(|(name, shape)| Field { name: (*name).to_owned(), shape: shape.clone() })
                .collect(),
        )
    }

    #[test]
    fn variants_lie_side_by_side() {
        #[derive(JsonSchema, Serialize)]
        #[serde(rename_all = "snake_case")]
        #[expect(dead_code, reason = "only its description is of interest")]
        enum Choice {
            Here { column: u8, share: Option<f32> },
            There { column: i32 },
            Nowhere,
        }
        let here = record(&[("column", Shape::Unsigned), ("share", Shape::Number)]);
        let there = record(&[("column", Shape::Signed)]);
        let Shape::Record(mut fields) = shape_of::<Choice>() else { panic!("a record") };
        fields.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(
            Shape::Record(fields),
            record(&[("here", here), ("nowhere", Shape::Flag), ("there", there)])
        );
    }

    #[test]
    fn lists_of_lists_are_lists_of_records() {
        let row = record(&[("items", Shape::List(Box::new(Shape::Number)))]);
        assert_eq!(shape_of::<[[f64; 3]; 3]>(), Shape::List(Box::new(row)));
    }

    #[test]
    fn words_alone_are_text_and_null_is_nothing() {
        #[derive(JsonSchema, Serialize)]
        #[expect(dead_code, reason = "only its description is of interest")]
        enum Colour {
            /// A comment makes an alternative of each word.
            Red,
            /// As here.
            Blue,
        }
        assert_eq!(shape_of::<Option<Colour>>(), Shape::Words(vec!["Blue".to_owned(), "Red".to_owned()]));
        assert_eq!(shape_of::<()>(), Shape::Nothing);
        assert_eq!(shape_of::<Value>(), Shape::Json);
    }
}
