//! Raw grey video on the standard output of a program, such as ffmpeg: files, RTSP, V4L2.

use std::io::Read;
use std::process::{Child, ChildStdout, Command, Stdio};

use engine::{Picture, PixelFormat};

use super::{CameraError, CameraSettings, Source};

pub(super) struct Program {
    child: Child,
    output: ChildStdout,
    name: String,
    width: u32,
    height: u32,
}

impl Program {
    pub(super) fn start(command: &[String], settings: &CameraSettings) -> Result<Program, CameraError> {
        let no_program = || CameraError::Refused("no program was named".to_owned());
        let (name, arguments) = command.split_first().ok_or_else(no_program)?;
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| CameraError::Refused(format!("cannot start {name}: {error}")))?;
        let output = child.stdout.take().ok_or_else(no_program)?;
        Ok(Program { child, output, name: name.clone(), width: settings.width, height: settings.height })
    }
}

impl Source for Program {
    fn next(&mut self) -> Result<Picture, CameraError> {
        let mut picture = Picture::black(self.width, self.height, PixelFormat::Gray8);
        self.output.read_exact(&mut picture.pixels).map_err(|_| {
            let ending = self.child.try_wait().ok().flatten();
            let ending = ending.map_or("its output ended".to_owned(), |status| status.to_string());
            CameraError::Ended(format!("{} gives no more frames: {ending}", self.name))
        })?;
        Ok(picture)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
