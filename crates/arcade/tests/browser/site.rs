//! The site without a server: written to a folder, served as plain files, used with the network cut.

use std::path::{Path, PathBuf};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::browser::{Device, Motion, Visitor};
use crate::webdriver::Driver;

#[path = "../../../../xtask/src/site.rs"]
mod written;

/// A plain file server; aborting it cuts the network.
async fn serve(folder: PathBuf) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    // Below a path of its own, as on a host with many sites.
    let address = format!("http://{}/sub/", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move {
        loop {
            let Ok((mut stream, _)) = listener.accept().await else { continue };
            let folder = folder.clone();
            tokio::spawn(async move {
                let mut request = vec![0; 8192];
                let read = stream.read(&mut request).await.unwrap_or(0);
                let text = String::from_utf8_lossy(&request[..read]).into_owned();
                let path = text.split(' ').nth(1).unwrap_or("/").split(['?', '#']).next().unwrap_or("/");
                let name =
                    path.strip_prefix("/sub/").map(|name| if name.is_empty() { "index.html" } else { name });
                let (status, body) = match name.and_then(|name| std::fs::read(folder.join(name)).ok()) {
                    Some(body) => ("200 OK", body),
                    None => ("404 Not Found", Vec::new()),
                };
                let kind = match Path::new(path).extension().and_then(|extension| extension.to_str()) {
                    Some("js") => "text/javascript",
                    Some("css") => "text/css",
                    Some("svg") => "image/svg+xml",
                    Some("wasm") => "application/wasm",
                    Some("woff2") => "font/woff2",
                    _ => "text/html; charset=utf-8",
                };
                let head = format!(
                    "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(&[head.into_bytes(), body].concat()).await;
            });
        }
    });
    (address, serving)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_site_works_without_a_network_once_it_is_loaded() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let folder = tempfile::tempdir().unwrap();
    assert!(written::write(&web, folder.path()).unwrap() > 40);
    let (address, serving) = serve(folder.path().to_owned()).await;
    let driver = Driver::start().await;
    let anna = Visitor::arrive(&driver, &address, Device::Phone, "en", Motion::Reduced).await;
    anna.open("/").await;
    anna.sees("html[data-offline=ready] .door-cell").await;
    anna.keeps_picture("play/site-phone").await;

    serving.abort();
    assert!(serving.await.is_err());
    anna.open("/tetris.html").await;
    anna.sees("body[data-view=ready]").await;
    anna.taps("#machine").await;
    anna.sees_that("return gamebot.tables().mine.view?.pieces >= 2").await;
    anna.open("/connect-four.html").await;
    anna.sees("body[data-view=ready] #values [data-score='1']").await;
    anna.open("/samegame.html").await;
    anna.sees("body[data-view=ready] .tile").await;
    anna.taps("nav a[aria-current]").await;
    let complaints = anna.complaints().await;
    assert!(complaints.is_empty(), "{complaints:#?}");
    anna.goes_home().await;
    driver.close().await;
}
