//! Integration tests of the players.

mod recognition;
