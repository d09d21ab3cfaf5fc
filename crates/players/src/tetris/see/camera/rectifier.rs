//! Finding the console's screen in a camera's frames, and keeping it found while the mount gives way (G8).

use engine::operator::Corners;
use engine::{Frame, Mapping, NoScreen, NoScreenReason, Picture, PixelFormat, Rectified, Rectify};
use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use vision::register::{Pyramid, Template, find, refine};
use vision::warp::Warp;
use vision::{Gray, Homography, Quad};

use super::super::tiles::KnownTiles;
use super::layout::Layout;

/// A fit at which the corners are believed.
pub const GOOD_FIT: f64 = 0.90;
/// Frames from one check of the corners to the next; while they stay where they are, twice as many each
/// time, up to three seconds.
const CHECK_EVERY: u64 = 12;
const CHECK_SELDOM: u64 = 96;
/// Checks that failed before the whole frame is searched: half a minute in a menu that we do not know
/// is no reason to, so that the pause grows.
const FAILED_CHECKS: u32 = 4;
/// Corners that have moved less than this are left as they are.
const STEADY_PX: f64 = 0.25;
/// A screen whose brightest and darkest parts differ less is covered, or the room is dark.
const LEAST_CONTRAST: u8 = 12;

/// Rectifies a camera's frames to 160 × 144 grey pixels. Where the screen is, it finds by itself or was
/// told; afterwards it goes on correcting.
#[derive(Debug)]
pub struct ScreenRectifier {
    templates: Vec<Template>,
    /// Which of the templates fitted last.
    shown: usize,
    calibration: Option<Calibration>,
    screen: Picture,
    gray: Vec<u8>,
    looks: u64,
    /// Of the last frame.
    frame_size: Option<(usize, usize)>,
    next_check: u64,
    check_pause: u64,
    failed_checks: u32,
    next_search: u64,
    search_pause: u64,
}

#[derive(Debug)]
struct Calibration {
    corners: Quad,
    fit: f64,
    mapping: Mapping,
    warp: Warp,
    size: (usize, usize),
}

impl ScreenRectifier {
    /// One that finds the screen by itself; with corners (top left, top right, bottom right, bottom
    /// left of the screen itself) it starts from those.
    pub fn new(known: &KnownTiles, corners: Option<(Quad, (usize, usize))>) -> ScreenRectifier {
        let templates = Layout::all().iter().filter_map(|layout| layout.template(known)).collect();
        let calibration = corners.and_then(|(corners, size)| Calibration::new(corners, 0.0, size));
        ScreenRectifier {
            templates,
            shown: 0,
            calibration,
            screen: Picture::black(SCREEN_WIDTH as u32, SCREEN_HEIGHT as u32, PixelFormat::Gray8),
            gray: Vec::new(),
            looks: 0,
            frame_size: None,
            next_check: 0,
            check_pause: CHECK_EVERY,
            failed_checks: 0,
            next_search: 0,
            search_pause: 10,
        }
    }

    /// The same one that also knows another screen by sight.
    #[must_use]
    pub fn also_knowing(mut self, known: &KnownTiles, layout: &Layout) -> ScreenRectifier {
        self.templates.extend(layout.template(known));
        self
    }

    /// The corners that are believed, and their fit.
    pub fn corners(&self) -> Option<(Quad, f64)> {
        self.calibration.as_ref().map(|calibration| (calibration.corners, calibration.fit))
    }

    fn check(&mut self, picture: Gray<'_>) {
        let Some(calibration) = &mut self.calibration else { return };
        let pyramid = Pyramid::new(picture, 2);
        // What was shown last is likeliest; the others have their turn when it is not.
        let shown = self.shown;
        let others = (0..self.templates.len()).filter(|i| *i != shown);
        for index in std::iter::once(shown).chain(others) {
            let Some(template) = self.templates.get(index) else { continue };
            let Some(refined) = refine(&pyramid, template, calibration.corners, 1) else { continue };
            if refined.fit < GOOD_FIT {
                continue;
            }
            self.shown = index;
            self.failed_checks = 0;
            self.search_pause = 10;
            let moved =
                (0..4).map(|i| refined.corners[i].distance(calibration.corners[i])).fold(0.0, f64::max);
            if moved < STEADY_PX {
                calibration.fit = refined.fit;
                self.check_pause = (2 * self.check_pause).min(CHECK_SELDOM);
            } else if let Some(better) = Calibration::new(refined.corners, refined.fit, calibration.size) {
                *calibration = better;
                self.check_pause = CHECK_EVERY;
            }
            return;
        }
        self.failed_checks += 1;
        self.check_pause = CHECK_EVERY;
    }

    /// Looks everywhere. Corners that were believed stay until better ones are found.
    fn search(&mut self, picture: Gray<'_>) -> Option<f64> {
        self.next_search = self.looks + self.search_pause;
        self.search_pause = (2 * self.search_pause).min(600);
        let found = find(picture, &self.templates)?;
        if found.fit >= GOOD_FIT {
            let size = (picture.width(), picture.height());
            if let Some(calibration) = Calibration::new(found.corners, found.fit, size) {
                self.calibration = Some(calibration);
                self.shown = found.template;
                self.failed_checks = 0;
                self.search_pause = 10;
            }
        }
        Some(found.fit)
    }
}

impl Calibration {
    fn new(corners: Quad, fit: f64, size: (usize, usize)) -> Option<Calibration> {
        let homography = Homography::onto(SCREEN_WIDTH as f64, SCREEN_HEIGHT as f64, corners)?;
        let [a, b, c, d, e, f, g, h, i] = homography.0;
        let mapping = Mapping::from_matrix([[a, b, c], [d, e, f], [g, h, i]])?;
        let warp = Warp::new(&homography, (SCREEN_WIDTH, SCREEN_HEIGHT), size);
        Some(Calibration { corners, fit, mapping, warp, size })
    }
}

impl Rectify for ScreenRectifier {
    fn rectify<'a>(&'a mut self, frame: &'a Frame) -> Result<Rectified<'a>, NoScreen> {
        let not_found =
            |fit: f64, evidence: String| NoScreen { reason: NoScreenReason::NotFound, fit, evidence };
        let size = (frame.picture.width as usize, frame.picture.height as usize);
        let mut gray = std::mem::take(&mut self.gray);
        let pixels = to_gray(&frame.picture, &mut gray);
        let Some(picture) = Gray::new(size.0, size.1, pixels) else {
            return Err(not_found(
                0.0,
                format!("{} bytes are no frame of {} × {}", pixels.len(), size.0, size.1),
            ));
        };
        self.looks += 1;
        self.frame_size = Some(size);
        let is_other_camera = self.calibration.as_ref().is_some_and(|calibration| calibration.size != size);
        if is_other_camera {
            self.calibration = None;
        }
        let mut best = 0.0;
        if self.calibration.is_some() && self.looks >= self.next_check {
            self.check(picture);
            self.next_check = self.looks + self.check_pause;
        }
        let is_doubtful = self.calibration.is_none() || self.failed_checks >= FAILED_CHECKS;
        if is_doubtful && self.looks >= self.next_search {
            best = self.search(picture).unwrap_or(0.0);
        }
        let Some(calibration) = &self.calibration else {
            self.gray = gray;
            return Err(not_found(best, "no place fits the static parts of any screen we know".to_owned()));
        };
        let warped = calibration.warp.apply(picture, &mut self.screen.pixels);
        self.gray = gray;
        if let Err(wrong_size) = warped {
            return Err(not_found(0.0, wrong_size.to_string()));
        }
        let (least, most) = self.screen.pixels.iter().fold((255, 0), |(a, b), p| (a.min(*p), b.max(*p)));
        if most.saturating_sub(least) < LEAST_CONTRAST {
            let evidence = format!("all pixels of the screen are between {least} and {most}");
            return Err(NoScreen { reason: NoScreenReason::Covered, fit: 0.0, evidence });
        }
        Ok(Rectified { screen: &self.screen, mapping: calibration.mapping, fit: calibration.fit })
    }

    /// Corners that a person has set are corrected like any others.
    fn set_corners(&mut self, corners: Option<Corners>) -> Result<(), String> {
        let Some(corners) = corners else {
            self.calibration = None;
            self.resynchronise();
            return Ok(());
        };
        let size = self.frame_size.ok_or("no frame has come yet")?;
        let quad = corners.map(|(x, y)| vision::Point::new(x, y));
        let calibration = Calibration::new(quad, 0.0, size).filter(|_| is_convex(&quad));
        self.calibration = Some(calibration.ok_or("these points are not the corners of a screen")?);
        (self.failed_checks, self.next_check) = (0, self.looks + CHECK_EVERY);
        Ok(())
    }

    fn resynchronise(&mut self) {
        self.next_check = 0;
        self.next_search = 0;
        self.search_pause = 10;
    }
}

/// Whether corners go round the screen once, as a clock does, and enclose something.
fn is_convex(quad: &Quad) -> bool {
    (0..4).all(|i| {
        let (a, b, c) = (quad[i], quad[(i + 1) % 4], quad[(i + 2) % 4]);
        (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 1.0
    })
}

/// A frame's luma: its own pixels, or made of its colours in `buffer`.
fn to_gray<'a>(picture: &'a Picture, buffer: &'a mut Vec<u8>) -> &'a [u8] {
    match picture.format {
        PixelFormat::Gray8 => &picture.pixels,
        PixelFormat::Rgb8 => {
            buffer.clear();
            // ITU-R BT.601, as every webcam and OpenCV.
            buffer.extend(picture.pixels.as_chunks::<3>().0.iter().map(|[r, g, b]| {
                ((4_899 * u32::from(*r) + 9_617 * u32::from(*g) + 1_868 * u32::from(*b) + 8_192) >> 14) as u8
            }));
            buffer
        }
    }
}
