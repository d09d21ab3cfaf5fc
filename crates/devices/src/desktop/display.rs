//! The connection to an X server: windows, their places, pixels.

use engine::{Picture, PixelFormat};
use thiserror::Error;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt, ImageFormat, ImageOrder, MapState, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;

/// Why the desktop cannot be used.
#[derive(Debug, Error)]
pub enum DesktopError {
    /// No X server answers.
    #[error("no X11 display: {0}; set DISPLAY, or start Xvfb for a screen without a monitor")]
    Connect(#[from] x11rb::errors::ConnectError),
    /// The server hung up.
    #[error("the X server hung up: {0}")]
    Connection(#[from] x11rb::errors::ConnectionError),
    /// The server refused.
    #[error("the X server refused: {0}")]
    Reply(#[from] x11rb::errors::ReplyError),
    /// No such window.
    #[error("no visible window with `{wanted}` in its title or class; there are: {known}")]
    NoWindow {
        /// What was looked for.
        wanted: String,
        /// Titles of all visible windows.
        known: String,
    },
    /// The server has no XTEST.
    #[error("the X server cannot be clicked into: it has no XTEST extension")]
    NoXtest,
    /// Pixels in a layout that is not read.
    #[error(
        "the screen has {depth} bits a pixel in an order that is not read; 24 or 32, lowest byte first, are"
    )]
    Pixels {
        /// Bits a pixel.
        depth: u8,
    },
}

/// The place of Escape on keyboards of this century (evdev's code, and eight).
const ESCAPE: u8 = 9;

/// A connection to an X server.
pub struct Display {
    pub(super) connection: RustConnection,
    pub(super) root: Window,
    /// Pixels of the whole screen.
    pub(super) size: (u32, u32),
}

impl std::fmt::Debug for Display {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Display").field("root", &self.root).field("size", &self.size).finish_non_exhaustive()
    }
}

/// A window's area on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub x: i32,
    pub y: i32,
    pub width: u32,
    pub height: u32,
}

impl Display {
    /// Connects to this display, or to the one that DISPLAY names.
    pub fn open(display: Option<&str>) -> Result<Self, DesktopError> {
        let (connection, number) = x11rb::connect(display)?;
        let setup = connection.setup();
        let screen = &setup.roots[number];
        let (root, depth) = (screen.root, screen.root_depth);
        let size = (u32::from(screen.width_in_pixels), u32::from(screen.height_in_pixels));
        if depth < 24 || setup.image_byte_order != ImageOrder::LSB_FIRST {
            return Err(DesktopError::Pixels { depth });
        }
        Ok(Self { connection, root, size })
    }

    /// The first visible window whose title or class contains the text.
    pub fn find_window(&self, wanted: &str) -> Result<Window, DesktopError> {
        let mut known = Vec::new();
        let lower = wanted.to_lowercase();
        let mut queue = vec![self.root];
        let mut at = 0;
        while let Some(&window) = queue.get(at) {
            at += 1;
            // A window may close while it is looked at: then it is not the one.
            let Ok(tree) = self.connection.query_tree(window)?.reply() else { continue };
            queue.extend(tree.children);
            if window == self.root || !self.is_visible(window)? {
                continue;
            }
            let names = self.names(window)?;
            if names.iter().any(|name| name.to_lowercase().contains(&lower)) {
                return Ok(window);
            }
            known.extend(names.into_iter().next().filter(|name| !name.is_empty()));
        }
        known.sort();
        known.dedup();
        Err(DesktopError::NoWindow { wanted: wanted.to_owned(), known: known.join(", ") })
    }

    /// Title and class.
    fn names(&self, window: Window) -> Result<Vec<String>, DesktopError> {
        let atom = |name: &[u8]| -> Result<u32, DesktopError> {
            Ok(self.connection.intern_atom(false, name)?.reply()?.atom)
        };
        let mut names = Vec::new();
        for property in [atom(b"_NET_WM_NAME")?, AtomEnum::WM_NAME.into(), AtomEnum::WM_CLASS.into()] {
            let value = self.connection.get_property(false, window, property, AtomEnum::ANY, 0, 256)?.reply();
            if let Ok(value) = value
                && !value.value.is_empty()
            {
                names.push(String::from_utf8_lossy(&value.value).replace('\0', " ").trim().to_owned());
            }
        }
        Ok(names)
    }

    /// Whether a window is mapped with all its parents.
    pub fn is_visible(&self, window: Window) -> Result<bool, DesktopError> {
        let attributes = self.connection.get_window_attributes(window)?.reply();
        Ok(attributes.is_ok_and(|attributes| attributes.map_state == MapState::VIEWABLE))
    }

    /// Where a window is now.
    pub fn place(&self, window: Window) -> Result<Place, DesktopError> {
        let geometry = self.connection.get_geometry(window)?;
        let corner = self.connection.translate_coordinates(window, self.root, 0, 0)?;
        let (geometry, corner) = (geometry.reply()?, corner.reply()?);
        Ok(Place {
            x: corner.dst_x.into(),
            y: corner.dst_y.into(),
            width: geometry.width.into(),
            height: geometry.height.into(),
        })
    }

    /// What the screen shows in this place, as far as it lies on the screen, and where that begins.
    pub fn capture(&self, place: Place) -> Result<(Picture, (i32, i32)), DesktopError> {
        let (left, top) = (place.x.max(0), place.y.max(0));
        let right = (place.x + place.width as i32).min(self.size.0 as i32).max(left + 1);
        let bottom = (place.y + place.height as i32).min(self.size.1 as i32).max(top + 1);
        let (width, height) = ((right - left) as u16, (bottom - top) as u16);
        let image = self
            .connection
            .get_image(ImageFormat::Z_PIXMAP, self.root, left as i16, top as i16, width, height, !0)?
            .reply()?;
        let mut picture = Picture::black(width.into(), height.into(), PixelFormat::Rgb8);
        // Both 24 and 32 bits a pixel come as four bytes: blue, green, red, nothing.
        for (to, from) in picture.pixels.chunks_exact_mut(3).zip(image.data.chunks_exact(4)) {
            to.copy_from_slice(&[from[2], from[1], from[0]]);
        }
        Ok((picture, (left, top)))
    }

    /// Whether this window, and no other, is in front at a place of the screen.
    pub fn is_in_front(&self, window: Window, (x, y): (i32, i32)) -> Result<bool, DesktopError> {
        let front =
            self.connection.translate_coordinates(self.root, self.root, x as i16, y as i16)?.reply()?.child;
        Ok(self.outermost(window)? == front)
    }

    /// Where other windows lie in front of this one.
    pub fn covers(&self, window: Window) -> Result<Vec<Place>, DesktopError> {
        let own = self.outermost(window)?;
        // From the hindmost to the foremost.
        let all = self.connection.query_tree(self.root)?.reply()?.children;
        let in_front = all.iter().rposition(|&other| other == own).map_or(&[][..], |at| &all[at + 1..]);
        let mut asked = Vec::new();
        for &other in in_front {
            let attributes = self.connection.get_window_attributes(other)?;
            asked.push((attributes, self.connection.get_geometry(other)?));
        }
        let mut covers = Vec::new();
        for (attributes, geometry) in asked {
            // A window may close while it is looked at: then it covers nothing.
            let (Ok(attributes), Ok(geometry)) = (attributes.reply(), geometry.reply()) else { continue };
            let is_shown = attributes.map_state == MapState::VIEWABLE;
            // Windows with transparency may lie over everything and show nothing.
            let is_solid = attributes.class == WindowClass::INPUT_OUTPUT && geometry.depth != 32;
            if is_shown && is_solid {
                let length = |inner: u16| u32::from(inner) + 2 * u32::from(geometry.border_width);
                let (width, height) = (length(geometry.width), length(geometry.height));
                covers.push(Place { x: geometry.x.into(), y: geometry.y.into(), width, height });
            }
        }
        Ok(covers)
    }

    /// The window on the screen that a window lies in: window managers put windows into frames of their own.
    fn outermost(&self, window: Window) -> Result<Window, DesktopError> {
        let mut own = window;
        loop {
            let tree = self.connection.query_tree(own)?.reply()?;
            if tree.parent == self.root || tree.parent == x11rb::NONE {
                return Ok(own);
            }
            own = tree.parent;
        }
    }

    /// The key that makes this symbol, if the keyboard has one.
    pub(super) fn key_code(&self, symbol: u32) -> Result<Option<u8>, DesktopError> {
        let setup = self.connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = self.connection.get_keyboard_mapping(first, last - first + 1)?.reply()?;
        let each = usize::from(mapping.keysyms_per_keycode).max(1);
        let at = mapping.keysyms.chunks(each).position(|symbols| symbols.first() == Some(&symbol));
        Ok(at.map(|at| first + at as u8))
    }

    /// Whether the Escape key is down.
    pub fn is_escape_down(&self) -> Result<bool, DesktopError> {
        let keys = self.connection.query_keymap()?.reply()?.keys;
        Ok(keys[usize::from(ESCAPE / 8)] >> (ESCAPE % 8) & 1 == 1)
    }

    /// Where the pointer is.
    pub fn pointer(&self) -> Result<(i32, i32), DesktopError> {
        let pointer = self.connection.query_pointer(self.root)?.reply()?;
        Ok((pointer.root_x.into(), pointer.root_y.into()))
    }
}
