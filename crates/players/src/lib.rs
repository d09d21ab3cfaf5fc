//! How each game is seen, decided and played through a body: one module a game.

pub mod agent;
pub mod connect_four;
pub mod tetris;
