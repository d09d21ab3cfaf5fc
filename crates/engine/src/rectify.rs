//! From a frame to the screen in it: upright, of fixed size, with the way back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::mapping::Mapping;
use crate::operator::Corners;
use crate::picture::{Frame, Picture};

/// Finds the screen in a frame and makes it upright and of fixed size, so that the player can read it.
pub trait Rectify {
    /// Lends the screen with its place in the frame, or says why there is none to be found.
    fn rectify<'a>(&'a mut self, frame: &'a Frame) -> Result<Rectified<'a>, NoScreen>;

    /// Forgets where the screen was; the next frame is searched from scratch.
    fn resynchronise(&mut self) {}

    /// Is told where the screen is, or that it must be searched for; says why not if it cannot be told.
    fn set_corners(&mut self, corners: Option<Corners>) -> Result<(), String> {
        let _ = corners;
        Err("the frames of this body are the screen itself".to_owned())
    }
}

/// A screen, and how it was found.
#[derive(Clone, Copy, Debug)]
pub struct Rectified<'a> {
    /// What the player reads.
    pub screen: &'a Picture,
    /// Where it lies in the frame. A click on the screen goes through it to the frame, and what was
    /// recognised on the screen is drawn over the frame with it.
    pub mapping: Mapping,
    /// How sure that is, 0 to 1.
    pub fit: f64,
}

/// Why no screen was found, with the evidence.
#[derive(Clone, Debug, PartialEq, Error, JsonSchema, Serialize, Deserialize)]
#[error("{reason}: {evidence} (fit {fit:.2})")]
pub struct NoScreen {
    /// What kind of trouble it is.
    pub reason: NoScreenReason,
    /// How well the best place fitted, 0 to 1.
    pub fit: f64,
    /// What was seen instead, in words for a person.
    pub evidence: String,
}

/// What keeps a screen from being found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoScreenReason {
    /// It is not where it was: the camera was moved.
    #[error("calibration lost")]
    CalibrationLost,
    /// Something is in front of it.
    #[error("screen covered")]
    Covered,
    /// It is nowhere in the frame.
    #[error("no screen in the frame")]
    NotFound,
}

/// For eyes whose frames are already as the player wants them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Upright;

impl Rectify for Upright {
    fn rectify<'a>(&'a mut self, frame: &'a Frame) -> Result<Rectified<'a>, NoScreen> {
        Ok(Rectified { screen: &frame.picture, mapping: Mapping::IDENTITY, fit: 1.0 })
    }
}
