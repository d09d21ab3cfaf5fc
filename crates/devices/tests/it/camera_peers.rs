//! Programs of others at both ends of a camera's cable: one reads the simulated camera, and our eye reads ffmpeg.
//! Both come from PyPI (`opencv-python-headless`, `imageio-ffmpeg`), installed by `cargo xtask test`.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use engine::{Eye, Focus, Picture, PixelFormat};
use simulators::camera::stream::Server;

use crate::camera::{eye, gradient, is_gradient, settings};

fn python() -> PathBuf {
    let prepared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python3");
    std::env::var_os("GAMEBOT_TEST_PYTHON").map_or(prepared, PathBuf::from)
}

/// The file of the ffmpeg that a Python package carries.
fn ffmpeg() -> String {
    let ask = "import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())";
    let output = Command::new(python()).args(["-c", ask]).output().expect("`cargo xtask test` installs it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Opens the stream, looks at ten frames and prints the last one: width, height, and all grey levels.
const OPENCV: &str = "
import sys, cv2
camera = cv2.VideoCapture(sys.argv[1])
for _ in range(10):
    ok, frame = camera.read()
    assert ok, 'no frame'
gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
print(gray.shape[1], gray.shape[0], *gray.flatten())
";

#[test]
fn opencv_reads_the_simulated_camera() {
    let server = Server::start("127.0.0.1:0").unwrap();
    let mut viewer = Command::new(python())
        .args(["-c", OPENCV, &format!("http://{}/", server.address())])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("`cargo xtask test` installs it");
    while viewer.try_wait().unwrap().is_none() {
        server.show(&gradient(), (64, 48), 90).unwrap();
        std::thread::yield_now();
    }
    let output = viewer.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let numbers = String::from_utf8(output.stdout).unwrap();
    let numbers: Vec<u32> = numbers.split_whitespace().map(|number| number.parse().unwrap()).collect();
    let pixels = numbers[2..].iter().map(|luma| *luma as u8).collect();
    let (width, height) = (numbers[0], numbers[1]);
    assert!(
        is_gradient(&Picture { width, height, format: PixelFormat::Gray8, pixels }),
        "{width} × {height}"
    );
}

/// The gradient as a file that ffmpeg plays again and again.
fn gradient_file(folder: &Path) -> String {
    let picture = Picture { width: 64, height: 48, format: PixelFormat::Gray8, pixels: gradient() };
    let mut png = Vec::new();
    picture.write_png(&mut png).unwrap();
    let file = folder.join("gradient.png");
    std::fs::write(&file, png).unwrap();
    file.display().to_string()
}

#[test]
fn raw_video_of_ffmpeg_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (ffmpeg, file) = (ffmpeg(), gradient_file(folder.path()));
    let command = format!("cmd:{ffmpeg} -v error -re -loop 1 -i {file} -pix_fmt gray -f rawvideo -");
    let mut eye = eye(&command, settings());
    for _ in 0..5 {
        assert!(is_gradient(&eye.look(&Focus::Everything).unwrap().picture));
    }
}

/// A program that is ended with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// ffmpeg is the camera on the network: an HTTP server of JPEG pictures.
#[test]
fn jpeg_pictures_that_ffmpeg_serves_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = gradient_file(folder.path());
    // A port that was free a moment ago: ffmpeg cannot choose one.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("http://127.0.0.1:{port}/");
    let serve =
        ["-v", "error", "-re", "-loop", "1", "-i", &file, "-q:v", "2", "-f", "mpjpeg", "-listen", "1"];
    let server = Command::new(ffmpeg()).args(serve).arg(&address).stdin(Stdio::null()).spawn().unwrap();
    let _running = Running(server);
    let mut eye = eye(&address, settings());
    // It may take a moment until ffmpeg listens; the eye dials again by itself.
    let seen = (0..50).filter_map(|_| eye.look(&Focus::Everything).ok().map(|frame| frame.picture.clone()));
    let seen: Vec<_> = seen.take(5).collect();
    assert!(seen.len() == 5 && seen.iter().all(is_gradient), "{} frames", seen.len());
}
