//! Messages of SPIKE 3 hubs: one byte of kind, then the fields, little endian.
//!
//! Firmware messages are left out on purpose: this client never sends them.

mod bytes;

use thiserror::Error;

use super::sensors::Reading;

/// The hub's memory has places for programs 0 to 19.
pub const SLOTS: u8 = 20;

/// What hub and computer say to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Who are you? Opens every conversation.
    WhoAreYou,
    /// The hub's versions and limits.
    IAm(Identity),
    /// A file will follow.
    BeginFile {
        /// `program.py` or `program.mpy`.
        name: String,
        /// Where it goes.
        slot: u8,
        /// Of the whole file.
        checksum: u32,
    },
    /// Whether it may.
    FileBegun(Answer),
    /// A piece of the file.
    Chunk {
        /// Of the file up to the end of this piece.
        checksum: u32,
        /// The piece.
        bytes: Vec<u8>,
    },
    /// Whether it arrived whole.
    ChunkTaken(Answer),
    /// Start or stop a program.
    Program {
        /// Which of the two.
        flow: Flow,
        /// Which program.
        slot: u8,
    },
    /// Whether it will.
    ProgramAnswer(Answer),
    /// A program has started or stopped.
    ProgramChanged(Flow),
    /// A program printed this.
    Console(String),
    /// Report batteries, motors and sensors this often; 0 for never.
    ReportEvery {
        /// Milliseconds between two reports.
        interval_ms: u16,
    },
    /// Whether it will.
    ReportAnswer(Answer),
    /// Bytes for the running program, or from it.
    Tunnel(Vec<u8>),
    /// What batteries, motors and sensors say.
    Report(Vec<Reading>),
    /// Forget a program.
    ClearSlot {
        /// Which one.
        slot: u8,
    },
    /// Whether there was one.
    SlotCleared(Answer),
    /// What is your name?
    WhatName,
    /// It is this.
    Name(String),
    /// Be called this from now on.
    SetName(String),
    /// Whether it will.
    NameSet(Answer),
}

/// A hub's versions and limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after what it holds")]
pub struct Identity {
    pub protocol: Version,
    pub firmware: Version,
    /// Bytes that the hub reads at once.
    pub largest_packet: u16,
    pub largest_message: u16,
    /// Bytes of a file in one message.
    pub largest_chunk: u16,
    /// 0 for SPIKE Prime.
    pub product: u16,
}

/// A version of three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after what it holds")]
pub struct Version {
    pub major: u8,
    pub minor: u8,
    pub build: u16,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.build)
    }
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Acknowledged.
    Yes,
    /// Refused.
    No,
}

/// What a program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It runs.
    Start,
    /// It runs no more.
    Stop,
}

/// Bytes that are not a message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MessageError {
    /// A kind we do not know.
    #[error("message of unknown kind {kind:#04x} with {length} bytes")]
    Kind {
        /// Its first byte.
        kind: u8,
        /// Bytes after it.
        length: usize,
    },
    /// It ended too early.
    #[error("message of kind {kind:#04x} ends inside its fields")]
    Short {
        /// Its first byte.
        kind: u8,
    },
    /// It goes on after its last field.
    #[error("message of kind {kind:#04x} has {extra} bytes too many")]
    Long {
        /// Its first byte.
        kind: u8,
        /// Bytes after the last field.
        extra: usize,
    },
    /// A field with a value that means nothing.
    #[error("message of kind {kind:#04x}: {value} is not a {field}")]
    Value {
        /// Its first byte.
        kind: u8,
        /// Which field.
        field: &'static str,
        /// What is there instead.
        value: u8,
    },
    /// A report about a device that we do not know: the rest of the report cannot be read either.
    #[error("report about a device of unknown kind {0}")]
    Device(u8),
    /// Nothing at all.
    #[error("empty message")]
    Empty,
}
