//! SameGame in any window (S2, S3, S6, S7).

pub mod see;
