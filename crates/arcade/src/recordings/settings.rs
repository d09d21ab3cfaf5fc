//! Settings of the recordings.

use configuration::{choices, settings};

choices! {
    /// Which shows of the hall are recorded.
    pub enum RecordShows {
        /// None of them.
        None = "none",
        /// Those whose frames are small; the camera of the Tetris robot takes megabytes a second.
        Small = "small",
        /// All of them.
        All = "all",
    }
}

settings! {
    /// Recordings of the hall's games and of visitors' own. Files on this machine, so they are not chosen on the operator's page.
    pub struct RecordingsSettings in "recordings" {
        /// Folder for them, made when the first one comes; an arcade that forgets everything has one of its own.
        folder: String = "recordings".to_owned();
        /// Which games of the hall are recorded: none, those with small frames, or all.
        shows: RecordShows = RecordShows::Small;
        /// All recordings together take no more than this; the oldest that are not kept go first.
        limit_mb: u32 = 1024, range 1..=1_000_000, unit "MB";
        /// The most of one game that is recorded.
        game_mb: u32 = 64, range 1..=100_000, unit "MB";
        /// Whether visitors may bring recordings of their own.
        uploads: bool = true;
        /// The largest recording that visitors may bring.
        upload_mb: u32 = 64, range 1..=4_096, unit "MB";
    }
}
