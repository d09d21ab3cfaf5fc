//! A game in a real window of an X server: drawn, clicked and hovered over as any other program (X2).

use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use engine::{Cancel, Clock, Picture, RealClock};
use x11rb::connection::{Connection, RequestConnection};
use x11rb::errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt, CreateGCAux, CreateWindowAux, EventMask, Gcontext, ImageFormat, PropMode,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use super::body::SharedGame;
use super::game::Game;

/// Time between two looks at what happened: sixty frames a second.
const FRAME: Duration = Duration::from_millis(16);
const LEFT_BUTTON: u8 = 1;
/// What an `n` looks like to programs that do not ask for the keyboard's layout: its place on most of them.
const KEY_N: u8 = 57;

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// No X server answers.
    #[error("no X11 display: {0}; set DISPLAY, or start Xvfb for a screen without a monitor")]
    Connect(#[from] ConnectError),
    /// The server hung up.
    #[error("the X server hung up: {0}")]
    Connection(#[from] ConnectionError),
    /// The server refused.
    #[error("the X server refused: {0}")]
    Reply(#[from] ReplyError),
    /// The server has no more names for things.
    #[error("the X server refused: {0}")]
    Id(#[from] ReplyOrIdError),
    /// No thread for it.
    #[error("no thread for the window: {0}")]
    Thread(#[from] std::io::Error),
}

/// A window that shows a game until it is closed or dropped.
#[derive(Debug)]
pub struct OpenWindow {
    window: Window,
    closed: Cancel,
    thread: Option<JoinHandle<()>>,
}

impl OpenWindow {
    /// Opens a window with this title on a display, or on the one that DISPLAY names.
    pub fn open(display: Option<&str>, title: &str, game: &SharedGame) -> Result<Self, WindowError> {
        let closed = Cancel::new();
        let mut shown = Shown::new(display, title, Arc::clone(game), closed.clone())?;
        let window = shown.window;
        let thread = std::thread::Builder::new().name("samegame-window".to_owned()).spawn(move || {
            if let Err(error) = shown.run() {
                tracing::warn!(%error, "the game's window is gone");
            }
            shown.closed.cancel();
        })?;
        Ok(Self { window, closed, thread: Some(thread) })
    }

    /// Its number on the server.
    pub fn id(&self) -> u32 {
        self.window
    }

    /// A switch that is thrown when the window is closed, and closes it when thrown.
    pub fn closed(&self) -> Cancel {
        self.closed.clone()
    }
}

impl Drop for OpenWindow {
    fn drop(&mut self) {
        self.closed.cancel();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported where it happened.
            drop(thread.join());
        }
    }
}

/// The thread's side of a window.
struct Shown {
    connection: RustConnection,
    window: Window,
    context: Gcontext,
    depth: u8,
    delete: u32,
    game: SharedGame,
    clock: RealClock,
    closed: Cancel,
}

impl Shown {
    fn new(
        display: Option<&str>,
        title: &str,
        game: SharedGame,
        closed: Cancel,
    ) -> Result<Self, WindowError> {
        let (connection, number) = x11rb::connect(display)?;
        let screen = &connection.setup().roots[number];
        let (root, depth) = (screen.root, screen.root_depth);
        let (width, height) = lock(&game).size();
        let (window, context) = (connection.generate_id()?, connection.generate_id()?);
        let events = EventMask::EXPOSURE
            | EventMask::BUTTON_PRESS
            | EventMask::KEY_PRESS
            | EventMask::POINTER_MOTION
            | EventMask::LEAVE_WINDOW;
        let looks = CreateWindowAux::new().event_mask(events).background_pixel(screen.black_pixel);
        let class = WindowClass::INPUT_OUTPUT;
        let (wide, high) = (width as u16, height as u16);
        connection.create_window(depth, window, root, 0, 0, wide, high, 0, class, 0, &looks)?;
        connection.create_gc(context, window, &CreateGCAux::new())?;
        let property = |name: u32, kind: u32, text: &[u8]| {
            connection.change_property8(PropMode::REPLACE, window, name, kind, text)
        };
        property(AtomEnum::WM_NAME.into(), AtomEnum::STRING.into(), title.as_bytes())?;
        property(AtomEnum::WM_CLASS.into(), AtomEnum::STRING.into(), b"gamebot-samegame\0Gamebot\0")?;
        let atom = |name: &[u8]| -> Result<u32, WindowError> {
            Ok(connection.intern_atom(false, name)?.reply()?.atom)
        };
        let (protocols, delete) = (atom(b"WM_PROTOCOLS")?, atom(b"WM_DELETE_WINDOW")?);
        connection.change_property32(PropMode::REPLACE, window, protocols, AtomEnum::ATOM, &[delete])?;
        connection.map_window(window)?;
        connection.flush()?;
        let clock = RealClock::start(closed.clone());
        Ok(Self { connection, window, context, depth, delete, game, clock, closed })
    }

    fn run(&mut self) -> Result<(), WindowError> {
        let mut drawn = true;
        while !self.closed.is_cancelled() {
            let mut wanted = !drawn;
            while let Some(event) = self.connection.poll_for_event()? {
                wanted |= self.obey(&event);
            }
            let now = self.clock.now();
            let moving = lock(&self.game).is_moving(now);
            if wanted || moving {
                let picture = lock(&self.game).picture(now);
                self.draw(&picture)?;
            }
            // When it has come to rest, its last picture is drawn once more.
            drawn = !moving;
            self.clock.sleep(FRAME);
        }
        Ok(())
    }

    /// Does what an event asks for; says whether the window looks different.
    fn obey(&mut self, event: &Event) -> bool {
        let now = self.clock.now();
        let place = |x: i16, y: i16| (f64::from(x) + 0.5, f64::from(y) + 0.5);
        let mut game = lock(&self.game);
        match event {
            Event::Expose(_) => {}
            Event::ButtonPress(press) if press.detail == LEFT_BUTTON => {
                let (x, y) = place(press.event_x, press.event_y);
                game.click(x, y, now);
            }
            Event::MotionNotify(motion) => game.point(Some(place(motion.event_x, motion.event_y))),
            Event::LeaveNotify(_) => game.point(None),
            Event::KeyPress(press) if press.detail == KEY_N => game.press_n(),
            Event::ClientMessage(message) if message.data.as_data32()[0] == self.delete => {
                self.closed.cancel();
            }
            _ => return false,
        }
        true
    }

    fn draw(&self, picture: &Picture) -> Result<(), WindowError> {
        let width = picture.width as usize;
        let rows_at_once = (self.connection.maximum_request_bytes().saturating_sub(64) / (width * 4)).max(1);
        for (chunk, pixels) in (0..).zip(picture.pixels.chunks(width * 3 * rows_at_once)) {
            // Blue, green, red, nothing: as the desktop's eye reads them.
            let bytes: Vec<u8> = pixels.chunks_exact(3).flat_map(|p| [p[2], p[1], p[0], 0]).collect();
            let (rows, top) = ((pixels.len() / 3 / width) as u16, (chunk * rows_at_once) as i16);
            self.connection.put_image(
                ImageFormat::Z_PIXMAP,
                self.window,
                self.context,
                picture.width as u16,
                rows,
                0,
                top,
                0,
                self.depth,
                &bytes,
            )?;
        }
        self.connection.flush()?;
        Ok(())
    }
}

fn lock(game: &SharedGame) -> MutexGuard<'_, Game> {
    game.lock().unwrap_or_else(PoisonError::into_inner)
}
