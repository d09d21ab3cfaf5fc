//! A server in this process.

use std::path::PathBuf;

use arcade::RecentLog;
use arcade::{Arcade, Options, SECTIONS};
use configuration::{Layers, Schema};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::visitor::{PATIENCE, Visitor, json_at, request};

/// A running arcade.
pub struct Server {
    pub address: String,
    pub setup_code: Option<String>,
    stop: Option<oneshot::Sender<()>>,
    task: Option<JoinHandle<()>>,
}

impl Server {
    /// Opens an arcade that forgets everything.
    pub async fn start(settings: &[&str]) -> Self {
        Self::start_with(settings, None).await
    }

    /// Opens an arcade on a database file.
    pub async fn start_with(settings: &[&str], database: Option<PathBuf>) -> Self {
        Self::start_measuring(settings, database, None).await
    }

    /// Opens an arcade whose lab measures with this program.
    pub async fn start_measuring(
        settings: &[&str],
        database: Option<PathBuf>,
        program: Option<PathBuf>,
    ) -> Self {
        let schema = Schema::new(&[runs::settings::SECTIONS, SECTIONS].concat());
        let mut layers = Layers::new(&schema);
        for setting in settings {
            layers.flag(setting);
        }
        let options = Options {
            listen: "127.0.0.1:0".parse().unwrap(),
            database,
            seed: 1,
            values: layers.finish().unwrap(),
            log: RecentLog::default(),
            program,
        };
        let arcade = Arcade::open(options).await.unwrap();
        let address = arcade.local_address().unwrap().to_string();
        let setup_code = arcade.setup_code();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            arcade.serve(async move { drop(stopped.await) }).await.unwrap();
        });
        Self { address, setup_code, stop: Some(stop), task: Some(task) }
    }

    /// Closes it and waits until everything is closed.
    pub async fn close(mut self) {
        drop(self.stop.take());
        tokio::time::timeout(PATIENCE, self.task.take().unwrap()).await.unwrap().unwrap();
    }

    /// A visitor who has said hello.
    pub async fn visitor(&self) -> Visitor {
        self.visitor_with(None, false).await
    }

    /// A visitor who comes back, or watches.
    pub async fn visitor_with(&self, token: Option<&str>, watch: bool) -> Visitor {
        Visitor::arrive(&self.address, token, watch).await
    }

    /// A plain HTTP request; status line, headers and body.
    pub async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String, String) {
        request(&self.address, method, path, headers, body).await
    }

    /// A JSON document.
    pub async fn json(&self, path: &str) -> Value {
        json_at(&self.address, path).await
    }
}
