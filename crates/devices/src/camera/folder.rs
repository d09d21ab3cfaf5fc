//! Recorded pictures of a folder, at the pace of a camera.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::{Clock, Picture, Time};

use super::{CameraError, Source, jpeg};

pub(super) struct Folder<C> {
    path: PathBuf,
    files: std::vec::IntoIter<PathBuf>,
    period: Duration,
    next: Option<Time>,
    clock: C,
}

impl<C: Clock> Folder<C> {
    pub(super) fn open(path: &Path, fps: f64, clock: C) -> Result<Folder<C>, CameraError> {
        let cannot = |error| CameraError::Refused(format!("cannot read {}: {error}", path.display()));
        let mut files = Vec::new();
        for entry in fs::read_dir(path).map_err(cannot)? {
            let file = entry.map_err(cannot)?.path();
            if is_kind(&file, &["png", "jpg", "jpeg"]) {
                files.push(file);
            }
        }
        if files.is_empty() {
            return Err(CameraError::Refused(format!("{} has no PNG or JPEG picture in it", path.display())));
        }
        files.sort();
        let period = Duration::try_from_secs_f64(1.0 / fps).unwrap_or_default();
        Ok(Folder { path: path.to_owned(), files: files.into_iter(), period, next: None, clock })
    }
}

fn is_kind(file: &Path, kinds: &[&str]) -> bool {
    let kind = file.extension().map(|kind| kind.to_string_lossy().to_ascii_lowercase());
    kind.is_some_and(|kind| kinds.contains(&kind.as_str()))
}

impl<C: Clock> Source for Folder<C> {
    fn next(&mut self) -> Result<Picture, CameraError> {
        let Some(file) = self.files.next() else {
            return Err(CameraError::Ended(format!("all pictures of {} were shown", self.path.display())));
        };
        let due = self.next.unwrap_or_else(|| self.clock.now());
        self.clock.sleep_until(due);
        self.next = Some(due + self.period);
        let bytes = fs::read(&file)?;
        let broken = |why: String| CameraError::NoPicture(format!("{}: {why}", file.display()));
        if is_kind(&file, &["png"]) {
            Picture::read_png(&bytes).map_err(|error| broken(error.to_string()))
        } else {
            jpeg::decode(&bytes).map_err(|error| broken(error.to_string()))
        }
    }
}
