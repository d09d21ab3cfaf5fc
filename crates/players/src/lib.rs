//! How each game is seen, decided and played through a body: one module a game.

pub mod tetris;
