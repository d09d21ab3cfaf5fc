//! How each game is seen, decided and played through a body.

pub mod samegame;
