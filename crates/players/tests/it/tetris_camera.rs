//! Seeing through the simulated camera: the screen is found, read, and pieces are recognised.

use std::time::Duration;

use engine::{Frame, Picture, PixelFormat, Rectify, Time};
use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH, period_start};
use gameboy::{Console, Emulator, stackfall};
use players::tetris::see::camera::document::DocumentSight;
use players::tetris::see::camera::layout::Layout;
use players::tetris::see::camera::trials::{Disturbance, Scene, Shot, measure};
use players::tetris::see::camera::{CameraReader, ScreenRectifier};
use players::tetris::see::{KnownTiles, View, see};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use simulators::camera::{Camera, Drift, Lighting, Mount, Settings};
use tetris::gameboy::Buttons;
use vision::Gray;

const SIZE: (usize, usize) = (640, 480);

fn still(camera: &mut Camera, shades: &[u8]) -> Vec<u8> {
    camera.show(Duration::ZERO, shades);
    camera.capture(Duration::from_millis(400)).to_vec()
}

#[test]
fn the_screen_is_found_from_any_pose_of_the_mount() {
    let known = KnownTiles::stackfall();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for seed in 0..5 {
        let mount = Mount::random(&mut random, SIZE);
        let mut camera = Camera::new(Settings { mount, ..Settings::default() }, seed);
        let pixels = still(&mut camera, &Scene::random(&known, &mut random).shades);
        let templates: Vec<_> = Layout::all().iter().map(|layout| layout.template(&known).unwrap()).collect();
        let frame = Gray::new(SIZE.0, SIZE.1, &pixels).unwrap();
        let found = vision::register::find(frame, &templates).unwrap();
        let truth = camera.corners(Duration::from_millis(400));
        let error = (0..4).map(|i| found.corners[i].distance(truth[i])).fold(0.0, f64::max);
        assert!(error < 1.5 && found.template == 0, "{mount:?}: {found:?}, off by {error} px");
    }
}

/// Clear frames, noise, corners that are off, and both; a few frames each: `gamebot measure recognition` has the whole
/// table.
#[test]
fn pieces_are_recognised_in_noise_and_with_corners_that_are_off() {
    for (noise, key_points_px) in [(0.0, 0.0), (0.0, 8.0), (0.6, 0.0), (0.6, 8.0)] {
        let disturbance = Disturbance { noise, key_points_px, ..Disturbance::default() };
        let shoot = |scene: &Scene, seed: u64| {
            let mut camera = Camera::new(Settings::default(), seed);
            let pixels = still(&mut camera, &scene.shades);
            Shot { pixels, size: SIZE, corners: camera.corners(Duration::from_millis(400)) }
        };
        let frames = 12;
        let trials = measure(frames, disturbance, &DocumentSight::default(), 5, shoot).unwrap();
        println!("{trials:?}");
        let ours = trials.ours;
        for answers in [ours.known, ours.unknown, ours.next] {
            assert_eq!(answers.wrong, 0, "{trials:?}");
            assert!(200 * answers.right >= 199 * frames, "{trials:?}");
        }
        // The document's way is right on clear frames, or our measurement of it is wrong.
        if (noise, key_points_px) == (0.0, 0.0) {
            assert!(trials.blocks.next.percent() > 95.0, "{trials:?}");
        }
    }
}

/// From power-on through the menus into a game: what the camera's reader says is what the screen says. Names
/// that are being entered after it are not read reliably yet.
#[test]
fn menus_and_games_are_read_through_the_camera() {
    let known = KnownTiles::stackfall();
    let lighting = Lighting { gradient: 0.2, reflections: 1, glare: 25.0, ..Lighting::default() };
    let drift =
        Drift { by: [(6.0, 3.0), (6.0, -2.0), (5.0, 4.0), (7.0, 3.0)], within: Duration::from_secs(20) };
    let settings = Settings { lighting, drift, ..Settings::default() };
    let mut camera = Camera::new(settings, 3);
    let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
    let (reader, mut rectifier) = (CameraReader::new(&known), ScreenRectifier::new(&known, None));
    let mut exact = Picture::black(SCREEN_WIDTH as u32, SCREEN_HEIGHT as u32, PixelFormat::Gray8);
    let (mut compared, mut wrong, mut games) = (0, Vec::new(), 0);
    let (mut stood, mut lost) = (0, 0);
    for period in 0..1_050u64 {
        let held = match period {
            0..300 if period % 60 >= 57 => Buttons::START,
            300.. if period % 50 < 20 => Buttons::DOWN,
            300.. if period % 50 == 30 => Buttons::A,
            _ => Buttons::NONE,
        };
        console.step(held).unwrap();
        let before = exact.pixels.clone();
        console.screen().write_luma(&mut exact.pixels);
        stood = if before == exact.pixels { stood + 1 } else { 0 };
        camera.show(period_start(period), &console.screen().shades);
        // Frames of a picture that has stood for a while: what moves is another matter.
        if period % 3 == 0 && stood > 4 {
            let captured = period_start(period);
            let pixels = camera.capture(captured).to_vec();
            let picture = Picture { width: 640, height: 480, format: PixelFormat::Gray8, pixels };
            let frame = Frame { sequence: period, captured: Time::START + captured, origin: (0, 0), picture };
            let Ok(rectified) = rectifier.rectify(&frame) else {
                lost += 1; // A screen without parts that we know.
                continue;
            };
            let seen = reader.see(rectified.screen, period).unwrap();
            let wanted = see(&exact, period, &known).unwrap();
            compared += 1;
            games += u32::from(matches!(wanted.view, View::Playing(_)));
            if seen != wanted {
                wrong.push((period, seen, wanted));
            }
        }
    }
    assert!(compared > 60 && games > 30 && lost < compared / 4, "{compared} {games} {lost}");
    assert!(wrong.len() * 50 <= compared, "{} of {compared}: {:#?}", wrong.len(), &wrong[..1]);
}
