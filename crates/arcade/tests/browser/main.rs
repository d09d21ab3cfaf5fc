//! The arcade as visitors meet it: a real headless Chromium against the real server, whose robot is the simulator on a
//! pseudo terminal. Needs `chromium` and `chromedriver` on the path (`cargo xtask test` installs them). Pictures of the
//! pages are left in `target/screens/`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod appearance;
mod browser;
mod dialogs;
mod disk;
mod explained;
mod faults;
mod manners;
mod manual;
mod operator;
mod play;
mod play_boards;
mod play_guests;
mod play_hands;
mod play_strangers;
mod rooms;
mod shows;
mod site;
mod stage;
mod system_tests;
mod webdriver;
