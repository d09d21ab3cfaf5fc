//! A desk where people get in the way: they move windows, open others in front, take the mouse.

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ConfigureWindowAux, ConnectionExt, CreateWindowAux, EventMask, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, PropMode, StackMode, Window, WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use super::window::WindowError;

/// The place of Escape on keyboards.
const KEY_ESCAPE: u8 = 9;

/// A person's side of an X server.
#[derive(Debug)]
pub struct Desk {
    connection: RustConnection,
    root: Window,
    size: (u16, u16),
    /// A window behind all others that counts clicks which hit nothing else.
    backdrop: Option<Window>,
    clicks: u32,
}

impl Desk {
    /// A person at this display.
    pub fn sit_down(display: Option<&str>) -> Result<Self, WindowError> {
        let (connection, number) = x11rb::connect(display)?;
        let screen = &connection.setup().roots[number];
        let (root, size) = (screen.root, (screen.width_in_pixels, screen.height_in_pixels));
        Ok(Self { connection, root, size, backdrop: None, clicks: 0 })
    }

    /// Covers the whole screen behind all windows, so that clicks beside them are noticed.
    pub fn spread_backdrop(&mut self) -> Result<(), WindowError> {
        let atom = |name: &[u8]| -> Result<u32, WindowError> {
            Ok(self.connection.intern_atom(false, name)?.reply()?.atom)
        };
        let (kind, desktop) = (atom(b"_NET_WM_WINDOW_TYPE")?, atom(b"_NET_WM_WINDOW_TYPE_DESKTOP")?);
        let window = self.create((0, 0, self.size.0, self.size.1), 0x0033_4455, Managed::ByWindowManager)?;
        // A window manager keeps a desktop behind all others.
        self.connection.change_property32(PropMode::REPLACE, window, kind, AtomEnum::ATOM, &[desktop])?;
        self.connection.map_window(window)?;
        self.connection.flush()?;
        self.backdrop = Some(window);
        Ok(())
    }

    /// Clicks that hit the backdrop so far.
    pub fn stray_clicks(&mut self) -> Result<u32, WindowError> {
        while let Some(event) = self.connection.poll_for_event()? {
            if let Event::ButtonPress(press) = event
                && Some(press.event) == self.backdrop
            {
                self.clicks += 1;
            }
        }
        Ok(self.clicks)
    }

    /// Moves a window.
    pub fn move_window(&self, window: Window, x: i32, y: i32) -> Result<(), WindowError> {
        self.connection.configure_window(window, &ConfigureWindowAux::new().x(x).y(y))?;
        self.connection.flush()?;
        Ok(())
    }

    /// Holds the Escape key down, or lets it go.
    pub fn hold_escape(&self, held: bool) -> Result<(), WindowError> {
        let event = if held { KEY_PRESS_EVENT } else { KEY_RELEASE_EVENT };
        self.connection.xtest_fake_input(event, KEY_ESCAPE, 0, self.root, 0, 0, 0)?;
        self.connection.flush()?;
        Ok(())
    }

    /// Opens a light window in front of all others; it stays until it is closed.
    pub fn cover(&self, x: i16, y: i16, width: u16, height: u16) -> Result<Window, WindowError> {
        let window = self.create((x, y, width, height), 0x00ee_eeee, Managed::ByNobody)?;
        self.connection.map_window(window)?;
        let above = ConfigureWindowAux::new().stack_mode(StackMode::ABOVE);
        self.connection.configure_window(window, &above)?;
        self.connection.flush()?;
        Ok(window)
    }

    /// Closes a window that was opened here.
    pub fn uncover(&self, window: Window) -> Result<(), WindowError> {
        self.connection.destroy_window(window)?;
        self.connection.flush()?;
        Ok(())
    }

    /// Takes the mouse somewhere.
    pub fn take_mouse(&self, x: i16, y: i16) -> Result<(), WindowError> {
        self.connection.warp_pointer(x11rb::NONE, self.root, 0, 0, 0, 0, x, y)?;
        self.connection.flush()?;
        Ok(())
    }

    /// Where a window is on the screen, and its size.
    pub fn place(&self, window: Window) -> Result<(i16, i16, u16, u16), WindowError> {
        let geometry = self.connection.get_geometry(window)?.reply()?;
        let corner = self.connection.translate_coordinates(window, self.root, 0, 0)?.reply()?;
        Ok((corner.dst_x, corner.dst_y, geometry.width, geometry.height))
    }

    fn create(
        &self,
        (x, y, width, height): (i16, i16, u16, u16),
        colour: u32,
        managed: Managed,
    ) -> Result<Window, WindowError> {
        let window = self.connection.generate_id()?;
        let looks = CreateWindowAux::new()
            .override_redirect(u32::from(managed == Managed::ByNobody))
            .background_pixel(colour)
            .event_mask(EventMask::BUTTON_PRESS);
        let class = WindowClass::INPUT_OUTPUT;
        self.connection.create_window(0, window, self.root, x, y, width, height, 0, class, 0, &looks)?;
        Ok(window)
    }
}

/// Who decides where a window lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Managed {
    ByWindowManager,
    ByNobody,
}
