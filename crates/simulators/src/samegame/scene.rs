//! One picture of a game on a screen: where the board lies, what is around it, and the truth about it.

use engine::Picture;
use rand_xoshiro::rand_core::SeedableRng;
use samegame::board::Board;
use samegame::random::{Random, below, unit};

use super::canvas::{Area, Canvas, Rgb};
use super::look::{Ground, Look, LookName, Material};
use super::material::Surface;
use super::palette::{self, mix};

/// What is around the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// The game's window alone: a menu, a frame, a score.
    Window,
    /// A screen of 1280×1024 with the window somewhere on it, and others beside it.
    Desktop,
}

/// Where the board lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// Columns and rows.
    pub size: (usize, usize),
    /// Pixels from tile to tile, across and down.
    pub pitch: (f64, f64),
    /// The board's left and top edge in the picture.
    pub origin: (f64, f64),
}

/// A tile that is drawn; it may be on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprite {
    /// Its colour, from 1.
    pub colour: u8,
    /// Columns from the left; fractions while it moves.
    pub column: f64,
    /// Rows from the bottom.
    pub row: f64,
    /// How much lighter it is drawn, 0 to 1: the pointer is over it, or it is selected.
    pub lighter: f64,
    /// Its size; 1 unless an effect enlarges or shrinks it.
    pub scale: f64,
}

impl Sprite {
    /// A tile as it is drawn without any effect.
    pub fn resting(colour: u8, column: f64, row: f64) -> Self {
        Self { colour, column, row, lighter: 0.0, scale: 1.0 }
    }
}

/// What lies over the tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overlay {
    /// Another window.
    Cover,
    /// The points of a move, at a column and row from the bottom.
    PopUp {
        /// How many.
        points: i32,
        /// Where.
        at: (f64, f64),
    },
    /// The round is over: a box with a button for the next one.
    Dialog,
}

/// What stands in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// The board in normal form.
    pub board: Board,
    /// Where it lies.
    pub layout: Layout,
}

/// A game on a screen.
#[derive(Clone, Debug)]
pub struct Scene {
    look: Look,
    layout: Layout,
    colours: Vec<Rgb>,
    ground: Rgb,
    /// Everything but the tiles.
    backdrop: Canvas,
    /// The window's button for a new game.
    button: Area,
}

/// Room that menus, frames and labels take around a board.
const CHROME: i32 = 40;
const SCREEN: (i32, i32) = (1280, 1024);

impl Scene {
    /// A game of this look and size; the seed chooses colours, pitch and place.
    pub fn new(name: LookName, size: (usize, usize), colours: u8, around: Around, seed: u64) -> Self {
        let look = name.look();
        let random = &mut Random::seed_from_u64(seed);
        let pitch = choose_pitch(&look, size, random);
        let board = (pitch.0 * size.0 as f64, pitch.1 * size.1 as f64);
        let margin = below(random, 6) as i32;
        let window = Area {
            x: 0,
            y: 0,
            width: board.0.ceil() as i32 + 2 * (margin + 12),
            height: board.1.ceil() as i32 + 2 * margin + CHROME + 36,
        };
        let dark = look.ground != Ground::Light;
        let ground = ground_colour(dark, random);
        let (window, mut backdrop) = match around {
            Around::Window => (window, Canvas::new(window.width as u32, window.height as u32, [0.0; 3])),
            Around::Desktop => desktop(window, random),
        };
        let (panel, button) = paint_window(&mut backdrop, window, dark, random);
        let well = Area {
            x: window.x + 12,
            y: window.y + CHROME,
            width: board.0.ceil() as i32 + 2 * margin,
            height: board.1.ceil() as i32 + 2 * margin,
        };
        paint_well(&mut backdrop, well, look.ground, ground, panel, random);
        let count = usize::from(colours);
        let palette = if look.shades { palette::shades(count, random) } else { palette::hues(count, random) };
        // A tile must differ from the ground it lies on.
        let colours = palette.into_iter().map(|colour| away_from(colour, ground)).collect();
        let origin = (f64::from(well.x + margin), f64::from(well.y + margin));
        let layout = Layout { size, pitch, origin };
        let mut scene = Self { look, layout, colours, ground, backdrop, button };
        if look.ground == Ground::Sockets {
            scene.paint_sockets();
        }
        scene
    }

    /// Where the board lies.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Pixels of the picture.
    pub fn size(&self) -> (u32, u32) {
        self.backdrop.size()
    }

    /// The window's button for a new game.
    pub fn new_game_button(&self) -> Area {
        self.button
    }

    /// The button of the box that says that a round is over.
    pub fn dialog_button(&self) -> Area {
        let dialog = self.dialog();
        Area { x: dialog.x + dialog.width / 2 - 35, y: dialog.y + dialog.height - 32, width: 70, height: 22 }
    }

    /// The picture of a board at rest.
    pub fn paint_board(&self, board: &Board) -> Picture {
        self.paint(&sprites(board), &[])
    }

    /// The picture with these tiles, and what lies over them.
    pub fn paint(&self, sprites: &[Sprite], overlays: &[Overlay]) -> Picture {
        let mut canvas = self.backdrop.clone();
        for sprite in sprites {
            self.paint_tile(&mut canvas, sprite, sprites);
        }
        for overlay in overlays {
            match *overlay {
                Overlay::Cover => {
                    let Layout { size, pitch, origin } = self.layout;
                    let length = |count: usize, pitch: f64| (count as f64 * pitch * 0.6) as i32;
                    let (x, y) = ((origin.0 + pitch.0) as i32, (origin.1 + pitch.1 * 1.5) as i32);
                    let front =
                        Area { x, y, width: length(size.0, pitch.0), height: length(size.1, pitch.1) };
                    canvas.fill(front, [235.0; 3]);
                    canvas.frame(front, 2, [60.0; 3]);
                }
                Overlay::PopUp { points, at } => {
                    let (x, y) = self.place(at.0, at.1);
                    let size = (self.layout.pitch.1 * 0.12).max(2.0) as i32;
                    canvas.number(x as i32, y as i32, &format!("+{points}"), size, [255.0; 3]);
                }
                Overlay::Dialog => {
                    let (dialog, button) = (self.dialog(), self.dialog_button());
                    canvas.fill(dialog, [228.0; 3]);
                    canvas.frame(dialog, 1, [30.0; 3]);
                    canvas.fill(button, [250.0; 3]);
                    canvas.frame(button, 1, [30.0; 3]);
                    let random = &mut Random::seed_from_u64(7);
                    canvas.text(dialog.x + 14, dialog.y + 12, 12, 11, [20.0; 3], random);
                    canvas.text(button.x + 12, button.y + 6, 6, 10, [20.0; 3], random);
                }
            }
        }
        canvas.into_picture()
    }

    fn dialog(&self) -> Area {
        let Layout { size, pitch, origin } = self.layout;
        let middle = |origin: f64, count: usize, pitch: f64| (origin + count as f64 * pitch / 2.0) as i32;
        let (x, y) = (middle(origin.0, size.0, pitch.0), middle(origin.1, size.1, pitch.1));
        Area { x: x - 80, y: y - 38, width: 160, height: 76 }
    }

    /// The place of a point counted in columns from the left and rows from the bottom.
    fn place(&self, column: f64, row: f64) -> (f64, f64) {
        let Layout { size, pitch, origin } = self.layout;
        let down = size.1 as f64 - row - 0.5;
        (origin.0 + (column + 0.5) * pitch.0, origin.1 + down * pitch.1)
    }

    /// What a picture of this board shows.
    pub fn truth(&self, board: &Board) -> Truth {
        Truth { board: board.normal_form(), layout: self.layout }
    }

    /// The middle of a cell, counted from the left and from the bottom.
    pub fn cell_centre(&self, column: usize, row: usize) -> (f64, f64) {
        self.place(column as f64, row as f64)
    }

    /// The cell (column, row from the bottom) at a place of the picture.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let Layout { size, pitch, origin } = self.layout;
        let (column, down) = (((x - origin.0) / pitch.0).floor(), ((y - origin.1) / pitch.1).floor());
        let inside = column >= 0.0 && down >= 0.0 && column < size.0 as f64 && down < size.1 as f64;
        inside.then(|| (column as usize, size.1 - 1 - down as usize))
    }

    fn paint_tile(&self, canvas: &mut Canvas, sprite: &Sprite, all: &[Sprite]) {
        let class = usize::from(sprite.colour.max(1)) - 1;
        let Some(&colour) = self.colours.get(class) else { return };
        let colour = mix(colour, [255.0; 3], sprite.lighter);
        let joined = match self.look.material {
            Material::Joined => neighbours(sprite, all),
            _ => [false; 4],
        };
        let surface = Surface { material: self.look.material, class, colour, joined };
        let middle = (sprite.column + 0.5, self.layout.size.1 as f64 - sprite.row - 0.5);
        self.paint_surface(canvas, middle, sprite.scale, &surface);
    }

    fn paint_sockets(&mut self) {
        let colour = mix(self.ground, [255.0; 3], 0.08);
        let surface = Surface { material: Material::Rounded, class: 0, colour, joined: [false; 4] };
        let mut canvas = self.backdrop.clone();
        for column in 0..self.layout.size.0 {
            for row in 0..self.layout.size.1 {
                self.paint_surface(&mut canvas, (column as f64 + 0.5, row as f64 + 0.5), 1.0, &surface);
            }
        }
        self.backdrop = canvas;
    }

    /// Paints a surface around a middle that is counted in cells from the top left.
    fn paint_surface(&self, canvas: &mut Canvas, middle: (f64, f64), scale: f64, surface: &Surface) {
        let Layout { pitch, origin, .. } = self.layout;
        let half = ((pitch.0 - self.look.gap) / 2.0 * scale, (pitch.1 - self.look.gap) / 2.0 * scale);
        let centre = (origin.0 + middle.0 * pitch.0, origin.1 + middle.1 * pitch.1);
        // As toolkits do: a tile's edges lie on whole pixels, whatever the pitch.
        let left = (centre.0 - half.0).round();
        let right = (centre.0 + half.0).round().max(left + 1.0);
        let top = (centre.1 - half.1).round();
        let bottom = (centre.1 + half.1).round().max(top + 1.0);
        let pixel = 1.0 / (right - left).min(bottom - top);
        for y in top as i32..bottom as i32 {
            for x in left as i32..right as i32 {
                let u = (f64::from(x) + 0.5 - left) / (right - left);
                let v = (f64::from(y) + 0.5 - top) / (bottom - top);
                let (colour, opacity) = surface.at(u, v, pixel);
                canvas.blend(x, y, colour, opacity);
            }
        }
    }
}

/// The tiles of a board at rest.
pub fn sprites(board: &Board) -> Vec<Sprite> {
    let mut sprites = Vec::new();
    for (column, cells) in board.columns().iter().enumerate() {
        for (row, &colour) in cells.iter().enumerate().filter(|(_, colour)| **colour != 0) {
            sprites.push(Sprite::resting(colour, column as f64, row as f64));
        }
    }
    sprites
}

/// Whether the neighbour left, right, above, below is of the same colour.
fn neighbours(sprite: &Sprite, all: &[Sprite]) -> [bool; 4] {
    let same = |dx: f64, dy: f64| {
        let beside = |other: &&Sprite| {
            (other.column - sprite.column - dx).abs() < 0.01 && (other.row - sprite.row - dy).abs() < 0.01
        };
        all.iter().find(beside).is_some_and(|other| other.colour == sprite.colour)
    };
    [same(-1.0, 0.0), same(1.0, 0.0), same(0.0, 1.0), same(0.0, -1.0)]
}

fn choose_pitch(look: &Look, size: (usize, usize), random: &mut Random) -> (f64, f64) {
    let room_x = f64::from(SCREEN.0 - 80) / size.0 as f64;
    let room_y = f64::from(SCREEN.1 - 140) / size.1 as f64;
    let largest = room_x.min(room_y).min(64.0);
    let smallest = 16.0_f64.min(largest);
    let pitch = smallest + (largest - smallest) * unit(random);
    let other = if below(random, 3) == 0 { pitch * (0.8 + 0.2 * unit(random)) } else { pitch };
    let other = other.max(smallest * 0.85);
    if look.fractional {
        return (pitch, other);
    }
    (pitch.floor(), other.floor())
}

fn ground_colour(dark: bool, random: &mut Random) -> Rgb {
    let value = if dark { 0.02 + 0.18 * unit(random) } else { 0.85 + 0.15 * unit(random) };
    palette::hsv(unit(random), 0.25 * unit(random), value)
}

fn away_from(colour: Rgb, ground: Rgb) -> Rgb {
    let mut colour = colour;
    while palette::distance(colour, ground) < 60.0 {
        let to = if ground[1] > 128.0 { [0.0; 3] } else { [255.0; 3] };
        colour = mix(colour, to, 0.15);
    }
    colour
}

/// A screen with wallpaper, a bar and a document; the game's window goes where there is room.
fn desktop(window: Area, random: &mut Random) -> (Area, Canvas) {
    let wallpaper = palette::hsv(unit(random), 0.4, 0.2 + 0.4 * unit(random));
    let mut canvas = Canvas::new(SCREEN.0 as u32, SCREEN.1 as u32, wallpaper);
    let mut document = |canvas: &mut Canvas, area: Area| {
        canvas.fill(area, [248.0; 3]);
        canvas.fill(Area { height: 20, ..area }, [90.0, 110.0, 140.0]);
        let lines = (area.height - 40) / 18;
        for line in 0..lines {
            let letters = (area.width / 14) as u32;
            canvas.text(area.x + 10, area.y + 30 + line * 18, letters, 10, [40.0; 3], random);
        }
    };
    document(&mut canvas, Area { x: 40, y: 60, width: 380, height: 420 });
    document(&mut canvas, Area { x: 760, y: 500, width: 460, height: 440 });
    canvas.fill(Area { x: 0, y: SCREEN.1 - 28, width: SCREEN.0, height: 28 }, [40.0, 42.0, 48.0]);
    for button in 0..6 {
        let area = Area { x: 6 + button * 130, y: SCREEN.1 - 25, width: 124, height: 22 };
        canvas.fill(area, [70.0, 74.0, 82.0]);
        canvas.text(area.x + 8, area.y + 6, 11, 10, [220.0; 3], random);
    }
    let free = |room: i32, random: &mut Random| if room > 0 { below(random, room as u32) as i32 } else { 0 };
    let x = free(SCREEN.0 - window.width, random);
    let y = free(SCREEN.1 - window.height, random);
    (Area { x, y, ..window }, canvas)
}

/// The game's window with menu, button and score; returns the colour of its panel, and the button.
fn paint_window(canvas: &mut Canvas, window: Area, dark: bool, random: &mut Random) -> (Rgb, Area) {
    let tone = if dark { 0.55 + 0.4 * unit(random) } else { 0.3 + 0.3 * unit(random) };
    let panel = palette::hsv(unit(random), 0.15, tone);
    let ink = mix(panel, if dark { [0.0; 3] } else { [255.0; 3] }, 0.85);
    canvas.fill(window, panel);
    canvas.frame(window, 1, ink);
    canvas.text(window.x + 8, window.y + 6, 5, 11, ink, random);
    let button = Area { x: window.x + window.width - 74, y: window.y + 4, width: 66, height: 22 };
    canvas.fill(button, mix(panel, [255.0; 3], 0.3));
    canvas.frame(button, 1, ink);
    canvas.text(button.x + 8, button.y + 6, 5, 10, ink, random);
    canvas.text(window.x + 14, window.y + window.height - 22, 9, 12, ink, random);
    (panel, button)
}

/// The area in which tiles lie: a plain ground or a picture, framed or cut out of the panel.
fn paint_well(canvas: &mut Canvas, well: Area, ground: Ground, colour: Rgb, panel: Rgb, random: &mut Random) {
    if below(random, 2) == 0 {
        canvas.frame(well.grown(2), 2, mix(panel, [0.0; 3], 0.6));
    }
    canvas.fill(well, colour);
    if ground != Ground::Picture {
        return;
    }
    let (sky, hill) = (palette::hsv(unit(random), 0.5, 0.45), palette::hsv(unit(random), 0.6, 0.3));
    let waves: Vec<(f64, f64)> =
        (1..6).map(|n| (unit(random) * 6.3, (6.0 + 30.0 * unit(random)) / f64::from(n))).collect();
    let clouds: Vec<(f64, f64, f64)> =
        (0..7).map(|_| (unit(random), 0.5 * unit(random), 0.05 + 0.12 * unit(random))).collect();
    for y in 0..well.height {
        for x in 0..well.width {
            let (u, v) = (f64::from(x) / f64::from(well.width), f64::from(y) / f64::from(well.height));
            let ridge: f64 = (1_i32..)
                .zip(&waves)
                .map(|(n, (phase, height))| (u * 5.0 * f64::from(n) + phase).sin() * height)
                .sum();
            let mut here = mix(sky, [255.0; 3], 0.5 * v);
            for (cx, cy, radius) in &clouds {
                let far = ((u - cx).powi(2) + (1.6 * (v - cy)).powi(2)).sqrt();
                here = mix(here, [235.0; 3], (1.3 - far / radius).clamp(0.0, 0.6));
            }
            if f64::from(y) > f64::from(well.height) * 0.55 + ridge {
                here = mix(hill, [0.0; 3], 0.5 * v);
            }
            canvas.blend(well.x + x, well.y + y, here, 1.0);
        }
    }
}
