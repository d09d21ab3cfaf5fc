//! A note as viewers read it: a protobuf message with every field typed, and the note's own JSON in its first field.
//!
//! Programs of ours read the JSON, to the byte what was noted; Foxglove, Rerun and other viewers plot the rest. The
//! schema in the file describes its messages alone, so field numbers may differ between versions.

use std::fmt;

use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::shape::{Field, ITEMS, Shape};

/// What our own programs read of a message; the typed fields are passed over.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct NoteMessage {
    #[prost(bytes = "vec", tag = "1")]
    pub json: Vec<u8>,
}

/// Numbers of the fields beside the JSON, from this one up.
const FIRST: u32 = 2;
/// Protobuf's names for how a field is written.
const VARINT: u32 = 0;
const EIGHT_BYTES: u32 = 1;
const COUNTED: u32 = 2;

/// The type of a topic's messages.
#[derive(Clone, Debug)]
pub(crate) struct NoteType {
    fields: Vec<Field>,
    /// Whether a note is the fields' record, or the value of its one field.
    is_record: bool,
}

impl NoteType {
    /// A note that is not a record becomes the one field of one, under this name.
    pub(crate) fn new(name: &str, shape: Shape) -> Self {
        match shape {
            Shape::Record(fields) => Self { fields, is_record: true },
            Shape::Nothing => Self { fields: Vec::new(), is_record: false },
            shape => Self { fields: vec![Field { name: name.to_owned(), shape }], is_record: false },
        }
    }

    /// The self-description that MCAP asks for.
    pub(crate) fn schema(&self, package: &str, message: &str) -> Vec<u8> {
        let mut described = describe(message, &self.fields, FIRST, &format!(".{package}.{message}"));
        described.field.insert(0, entry("json", 1, Type::String));
        let file = FileDescriptorProto {
            name: Some(format!("{package}/{message}.proto")),
            package: Some(package.to_owned()),
            message_type: vec![described],
            // Every field may be missing, and viewers are to see that it is.
            syntax: Some("proto2".to_owned()),
            ..Default::default()
        };
        FileDescriptorSet { file: vec![file] }.encode_to_vec()
    }

    /// Appends a note as a message; where its type does not fit, its JSON alone, and why.
    pub(crate) fn write(&self, json: &[u8], out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        write_counted(1, json, out);
        let end = out.len();
        let mut read = serde_json::Deserializer::from_slice(json);
        let written = match self.fields.first() {
            None => Ok(()),
            Some(_) if self.is_record => {
                Fields { known: &self.fields, first: FIRST, out }.deserialize(&mut read).map(|_| ())
            }
            Some(field) => Entry { shape: &field.shape, number: FIRST, out }.deserialize(&mut read),
        };
        written.inspect_err(|_| out.truncate(end))
    }
}

fn describe(name: &str, fields: &[Field], first: u32, path: &str) -> DescriptorProto {
    let mut described = DescriptorProto { name: Some(name.to_owned()), ..Default::default() };
    for (field, number) in fields.iter().zip(first..) {
        let (item, is_list) = match &field.shape {
            Shape::List(item) => (item.as_ref(), true),
            shape => (shape, false),
        };
        let kind = match item {
            Shape::Flag => Type::Bool,
            Shape::Signed => Type::Int64,
            Shape::Unsigned => Type::Uint64,
            Shape::Number => Type::Double,
            Shape::Record(_) => Type::Message,
            Shape::Nothing | Shape::Text | Shape::Words(_) | Shape::Json | Shape::List(_) => Type::String,
        };
        let mut entry = entry(&field.name, number, kind);
        if is_list {
            entry.label = Some(Label::Repeated as i32);
        }
        if let Shape::Record(inner) = item {
            // Named apart from its field: some languages give both the same room.
            let name = format!("{}_fields", field.name);
            let path = format!("{path}.{name}");
            described.nested_type.push(describe(&name, inner, 1, &path));
            entry.type_name = Some(path);
        }
        described.field.push(entry);
    }
    described
}

fn entry(name: &str, number: u32, kind: Type) -> FieldDescriptorProto {
    FieldDescriptorProto {
        name: Some(name.to_owned()),
        number: i32::try_from(number).ok(),
        label: Some(Label::Optional as i32),
        r#type: Some(kind as i32),
        ..Default::default()
    }
}

/// Writes one JSON value as the field with this number.
struct Entry<'a> {
    shape: &'a Shape,
    number: u32,
    out: &'a mut Vec<u8>,
}

impl<'de> DeserializeSeed<'de> for Entry<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, read: D) -> Result<(), D::Error> {
        let Self { shape, number, out } = self;
        match shape {
            Shape::Record(fields) => {
                let from = out.len();
                let is_there = Fields { known: fields, first: 1, out }.deserialize(read)?;
                if is_there {
                    count_from(from, number, out);
                }
                Ok(())
            }
            Shape::Json => {
                let value: serde_json::Value = de::Deserialize::deserialize(read)?;
                write_counted(number, value.to_string().as_bytes(), out);
                Ok(())
            }
            _ => read.deserialize_any(Self { shape, number, out }),
        }
    }
}

impl<'de> Visitor<'de> for Entry<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.shape)
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<(), E> {
        match self.shape {
            Shape::Flag => write_varint_field(self.number, u64::from(flag), self.out),
            _ => return Err(E::invalid_type(de::Unexpected::Bool(flag), &self)),
        }
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<(), E> {
        match self.shape {
            Shape::Unsigned | Shape::Signed => write_varint_field(self.number, number, self.out),
            Shape::Number => write_number(self.number, number as f64, self.out),
            _ => return Err(E::invalid_type(de::Unexpected::Unsigned(number), &self)),
        }
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<(), E> {
        match self.shape {
            Shape::Signed => write_varint_field(self.number, number as u64, self.out),
            Shape::Number => write_number(self.number, number as f64, self.out),
            _ => return Err(E::invalid_type(de::Unexpected::Signed(number), &self)),
        }
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<(), E> {
        match self.shape {
            Shape::Number => write_number(self.number, number, self.out),
            _ => return Err(E::invalid_type(de::Unexpected::Float(number), &self)),
        }
        Ok(())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        match self.shape {
            Shape::Text | Shape::Words(_) => write_counted(self.number, text.as_bytes(), self.out),
            _ => return Err(E::invalid_type(de::Unexpected::Str(text), &self)),
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Shape::List(shape) = self.shape else {
            return Err(de::Error::invalid_type(de::Unexpected::Seq, &self));
        };
        while items.next_element_seed(Entry { shape, number: self.number, out: &mut *self.out })?.is_some() {}
        Ok(())
    }
}

/// Writes one JSON value as the fields of a record; whether there is one at all.
struct Fields<'a> {
    known: &'a [Field],
    /// The number of the first field.
    first: u32,
    out: &'a mut Vec<u8>,
}

impl Fields<'_> {
    fn entry<E: de::Error>(&mut self, name: &str) -> Result<Entry<'_>, E> {
        let place = Name(self.known).visit_str(name)?;
        Ok(Entry { shape: &self.known[place].shape, number: self.first + place as u32, out: self.out })
    }
}

/// The index of the field whose name comes next; read without copying the name, because a run writes many.
struct Name<'a>(&'a [Field]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = usize;
    fn deserialize<D: Deserializer<'de>>(self, read: D) -> Result<usize, D::Error> {
        read.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of one of {} fields", self.0.len())
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<usize, E> {
        let place = self.0.iter().position(|field| field.name == name);
        place.ok_or_else(|| E::custom(format_args!("no field `{name}`")))
    }
}

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = bool;
    fn deserialize<D: Deserializer<'de>>(self, read: D) -> Result<bool, D::Error> {
        read.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {} fields", self.known.len())
    }

    fn visit_unit<E: de::Error>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<bool, A::Error> {
        let Self { known, first, out } = self;
        while let Some(place) = entries.next_key_seed(Name(known))? {
            let (shape, number) = (&known[place].shape, first + place as u32);
            entries.next_value_seed(Entry { shape, number, out: &mut *out })?;
        }
        Ok(true)
    }

    /// A variant without fields.
    fn visit_str<E: de::Error>(mut self, word: &str) -> Result<bool, E> {
        self.entry(word)?.visit_bool(true)?;
        Ok(true)
    }

    /// A list inside a list.
    fn visit_seq<A: SeqAccess<'de>>(mut self, items: A) -> Result<bool, A::Error> {
        self.entry(ITEMS)?.visit_seq(items)?;
        Ok(true)
    }
}

fn write_varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn write_key(number: u32, how: u32, out: &mut Vec<u8>) {
    write_varint(u64::from(number << 3 | how), out);
}

fn write_varint_field(number: u32, value: u64, out: &mut Vec<u8>) {
    write_key(number, VARINT, out);
    write_varint(value, out);
}

fn write_number(number: u32, value: f64, out: &mut Vec<u8>) {
    write_key(number, EIGHT_BYTES, out);
    out.extend_from_slice(&value.to_le_bytes());
}

fn write_counted(number: u32, bytes: &[u8], out: &mut Vec<u8>) {
    write_key(number, COUNTED, out);
    write_varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// Makes a field of everything from here on: its number and length go in front.
fn count_from(from: usize, number: u32, out: &mut Vec<u8>) {
    let (end, length) = (out.len(), out.len() - from);
    write_key(number, COUNTED, out);
    write_varint(length as u64, out);
    let head = out.len() - end;
    if let Some(field) = out.get_mut(from..) {
        field.rotate_right(head);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message's bytes after its JSON.
    fn typed(shape: Shape, json: &str) -> Vec<u8> {
        let mut out = Vec::new();
        NoteType::new("note", shape).write(json.as_bytes(), &mut out).unwrap();
        out.split_off(2 + json.len())
    }

    fn record(name: &str, shape: Shape) -> Shape {
        Shape::Record(vec![Field { name: name.to_owned(), shape }])
    }

    #[test]
    fn what_is_null_is_missing() {
        let shape = record("inner", record("flag", Shape::Flag));
        assert!(typed(shape.clone(), r#"{"inner":null}"#).is_empty());
        // The field 2 of no bytes, and of the field 1 with the value 1.
        assert_eq!(typed(shape.clone(), r#"{"inner":{}}"#), [0x12, 0]);
        assert_eq!(typed(shape.clone(), r#"{"inner":{"flag":true}}"#), [0x12, 2, 0x08, 1]);
        assert_eq!(typed(shape, r#"{"inner":"flag"}"#), [0x12, 2, 0x08, 1]);
        assert!(typed(Shape::Unsigned, "null").is_empty());
    }

    #[test]
    fn numbers_lists_and_rows_are_written_as_protobuf_has_them() {
        assert_eq!(typed(Shape::Unsigned, "300"), [0x10, 0xAC, 2]);
        assert_eq!(typed(Shape::Signed, "-1"), [&[0x10][..], &[0xFF; 9], &[1]].concat());
        assert_eq!(typed(Shape::Number, "2"), [0x11, 0, 0, 0, 0, 0, 0, 0, 0x40]);
        assert_eq!(typed(Shape::List(Box::new(Shape::Unsigned)), "[1,2]"), [0x10, 1, 0x10, 2]);
        let rows = Shape::List(Box::new(record(ITEMS, Shape::List(Box::new(Shape::Unsigned)))));
        assert_eq!(typed(rows, "[[1],[2,3]]"), [0x12, 2, 8, 1, 0x12, 4, 8, 2, 8, 3]);
        assert_eq!(typed(Shape::Json, r#"{"a":1}"#), [&[0x12, 7][..], br#"{"a":1}"#].concat());
    }

    #[test]
    fn a_note_that_does_not_fit_keeps_its_json() {
        let (json, mut out) = (br#"{"other":1}"#, Vec::new());
        assert!(NoteType::new("note", record("known", Shape::Unsigned)).write(json, &mut out).is_err());
        assert_eq!(NoteMessage::decode(out.as_slice()).unwrap().json, json);
    }
}
