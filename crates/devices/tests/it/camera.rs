//! Cameras: the simulated one over HTTP, a chunked stream, a program, a folder, and all of them going away.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use devices::camera::{Address, CameraEye, CameraSettings};
use engine::{Cancel, Eye, Fault, Focus, Picture, PixelFormat, RealClock};
use simulators::camera::stream::Server;

pub fn eye(address: &str, settings: CameraSettings) -> CameraEye {
    let clock = RealClock::start(Cancel::new());
    CameraEye::open(address.parse::<Address>().unwrap(), settings, &clock).unwrap()
}

pub fn settings() -> CameraSettings {
    CameraSettings {
        width: 64,
        height: 48,
        fps: 200.0,
        patience: Duration::from_secs(5),
        ..CameraSettings::default()
    }
}

pub fn gradient() -> Vec<u8> {
    (0..64 * 48).map(|i| (i % 64 * 3 + i / 64) as u8).collect()
}

/// Shows the gradient until somebody has seen it.
fn look_while_showing(eye: &mut CameraEye, server: &Server) -> Picture {
    let shown = |eye: &mut CameraEye| {
        server.show(&gradient(), (64, 48), 90).unwrap();
        eye.look(&Focus::Everything).map(|frame| frame.picture.clone())
    };
    (0..50).find_map(|_| shown(eye).ok()).expect("a frame")
}

pub fn is_gradient(picture: &Picture) -> bool {
    let off = picture.pixels.iter().zip(gradient()).map(|(a, b)| u32::from(a.abs_diff(b))).sum::<u32>();
    (picture.width, picture.height) == (64, 48) && off < 6 * 64 * 48
}

#[test]
fn a_camera_that_goes_away_is_opened_again() {
    let quick = CameraSettings { patience: Duration::from_millis(200), ..settings() };
    let server = Server::start("127.0.0.1:0").unwrap();
    let address = server.address();
    let mut eye = eye(&format!("http://{address}/"), quick);
    assert!(is_gradient(&look_while_showing(&mut eye, &server)));
    drop(server);
    let lost = (0..100).find_map(|_| eye.look(&Focus::Everything).err());
    assert!(matches!(lost, Some(Fault::Lost { .. } | Fault::Silent { .. })), "{lost:?}");
    // Other tests may have taken the port meanwhile; then there is nothing to come back to.
    if let Ok(server) = Server::start(address) {
        assert!(is_gradient(&look_while_showing(&mut eye, &server)));
    }
}

/// As ffmpeg sends it: chunks that cut pictures anywhere, no boundary in the header, no length.
#[test]
fn chunks_without_a_boundary_are_understood() {
    let source = Server::start("127.0.0.1:0").unwrap();
    let mut jpeg_stream = TcpStream::connect(source.address()).unwrap();
    jpeg_stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    for _ in 0..3 {
        source.show(&gradient(), (64, 48), 90).unwrap();
        thread::yield_now();
    }
    let mut some = vec![0; 2_000];
    jpeg_stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut bytes = Vec::new();
    while !bytes.windows(2).any(|pair| pair == [0xFF, 0xD9]) {
        source.show(&gradient(), (64, 48), 90).unwrap();
        let count = jpeg_stream.read(&mut some).unwrap();
        bytes.extend(&some[..count]);
    }
    let start = bytes.windows(2).position(|pair| pair == [0xFF, 0xD8]).unwrap();
    let end = bytes.windows(2).position(|pair| pair == [0xFF, 0xD9]).unwrap() + 2;
    let jpeg = bytes[start..end].to_vec();

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        let (mut viewer, _) = listener.accept().unwrap();
        let mut request = [0; 512];
        let _ = viewer.read(&mut request).unwrap();
        viewer.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
        for _ in 0..20 {
            for part in
                [b"--x\r\nContent-type: image/jpeg\r\n\r\n".as_slice(), jpeg.as_slice()].concat().chunks(97)
            {
                let sent = write!(viewer, "{:x}\r\n", part.len())
                    .and_then(|()| viewer.write_all(part))
                    .and_then(|()| viewer.write_all(b"\r\n"));
                if sent.is_err() {
                    return;
                }
            }
        }
        // A socket closed with unread bytes would reset the connection under the viewer.
        let _ = viewer.shutdown(std::net::Shutdown::Write);
        let _ = std::io::copy(&mut viewer, &mut std::io::sink());
    });
    let mut eye = eye(&format!("http://{address}/stream"), settings());
    assert!(is_gradient(&eye.look(&Focus::Everything).unwrap().picture));
    drop(eye);
    server.join().unwrap();
}

#[test]
fn raw_video_of_a_program_is_cut_into_frames_and_its_end_is_told() {
    let mut eye = eye("cmd:head -c 6144 /dev/zero", settings());
    let frame = eye.look(&Focus::Everything).unwrap();
    assert_eq!(
        (frame.picture.width, frame.picture.height, frame.picture.format),
        (64, 48, PixelFormat::Gray8)
    );
    let lost = (0..20).find_map(|_| eye.look(&Focus::Everything).err()).unwrap();
    assert!(lost.to_string().contains("head gives no more frames"), "{lost}");
    let mut missing = crate::camera::eye("cmd:no-such-program-here", settings());
    let lost = missing.look(&Focus::Everything).unwrap_err();
    assert!(lost.to_string().contains("cannot start no-such-program-here"), "{lost}");
}

#[test]
fn pictures_of_a_folder_come_in_the_order_of_their_names_and_turned() {
    let folder = tempfile::tempdir().unwrap();
    for (name, luma) in [("b.png", 200), ("a.png", 100)] {
        let mut pixels = vec![luma; 64 * 48];
        pixels[0] = 7;
        let picture = Picture { width: 64, height: 48, format: PixelFormat::Gray8, pixels };
        let mut png = Vec::new();
        picture.write_png(&mut png).unwrap();
        std::fs::write(folder.path().join(name), png).unwrap();
    }
    // Slowly, so that no picture is passed over.
    let slow = CameraSettings { fps: 4.0, rotate: true, ..settings() };
    let mut eye = eye(&format!("dir:{}", folder.path().display()), slow);
    let mut look = || eye.look(&Focus::Everything).unwrap().picture.pixels.clone();
    assert_eq!(look()[0], 100);
    let last = look();
    assert_eq!((last[0], last[64 * 48 - 1]), (200, 7));
}
