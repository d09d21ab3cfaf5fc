//! The image schema that viewers know: `foxglove.CompressedImage` as protobuf.

use std::fmt::Write;

use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet, Timestamp};

/// One frame. Field numbers as published in the Foxglove schemas.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct CompressedImage {
    #[prost(message, optional, tag = "1")]
    pub timestamp: Option<Timestamp>,
    #[prost(string, tag = "4")]
    pub frame_id: String,
    #[prost(bytes = "vec", tag = "2")]
    pub data: Vec<u8>,
    #[prost(string, tag = "3")]
    pub format: String,
}

impl CompressedImage {
    pub(crate) const SCHEMA_NAME: &'static str = "foxglove.CompressedImage";
    /// Whose picture it is; followed by ` at X,Y` where it shows a part of the view.
    const EYE: &'static str = "eye";

    pub(crate) fn set_origin(&mut self, (x, y): (u32, u32)) {
        self.frame_id.clear();
        self.frame_id.push_str(Self::EYE);
        if (x, y) != (0, 0) {
            // Writing to a String cannot fail.
            let _ = write!(self.frame_id, " at {x},{y}");
        }
    }

    pub(crate) fn origin(&self) -> (u32, u32) {
        let place = self.frame_id.strip_prefix(Self::EYE).and_then(|rest| rest.strip_prefix(" at "));
        let numbers = place.and_then(|place| place.split_once(','));
        numbers.and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?))).unwrap_or_default()
    }

    /// The self-description that MCAP asks for: both files as a descriptor set.
    pub(crate) fn schema() -> Vec<u8> {
        let timestamp_file = file(
            "google/protobuf/timestamp.proto",
            "google.protobuf",
            message("Timestamp", vec![field("seconds", 1, Type::Int64), field("nanos", 2, Type::Int32)]),
        );
        let mut timestamp = field("timestamp", 1, Type::Message);
        timestamp.type_name = Some(".google.protobuf.Timestamp".to_owned());
        let image = message(
            "CompressedImage",
            vec![
                timestamp,
                field("frame_id", 4, Type::String),
                field("data", 2, Type::Bytes),
                field("format", 3, Type::String),
            ],
        );
        let mut image_file = file("foxglove/CompressedImage.proto", "foxglove", image);
        image_file.dependency = vec!["google/protobuf/timestamp.proto".to_owned()];
        FileDescriptorSet { file: vec![timestamp_file, image_file] }.encode_to_vec()
    }
}

fn file(name: &str, package: &str, message: DescriptorProto) -> FileDescriptorProto {
    FileDescriptorProto {
        name: Some(name.to_owned()),
        package: Some(package.to_owned()),
        message_type: vec![message],
        syntax: Some("proto3".to_owned()),
        ..Default::default()
    }
}

fn message(name: &str, fields: Vec<FieldDescriptorProto>) -> DescriptorProto {
    DescriptorProto { name: Some(name.to_owned()), field: fields, ..Default::default() }
}

fn field(name: &str, number: i32, kind: Type) -> FieldDescriptorProto {
    FieldDescriptorProto {
        name: Some(name.to_owned()),
        number: Some(number),
        label: Some(Label::Optional as i32),
        r#type: Some(kind as i32),
        json_name: Some(name.to_owned()),
        ..Default::default()
    }
}
