//! A camera that sends JPEG pictures one after the other over HTTP (`multipart/x-mixed-replace`).

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use engine::Picture;

use super::{CameraError, Source, jpeg};

/// Lines of a header are shorter, and there are fewer of them.
const LONGEST_LINE: u64 = 8_192;
const MOST_LINES: usize = 100;

/// An open stream.
pub(super) struct Stream {
    body: Body,
    picture: Vec<u8>,
}

impl Stream {
    pub(super) fn open(host: &str, port: u16, path: &str, patience: Duration) -> Result<Stream, CameraError> {
        let mut line = connect(host, port, patience)?;
        line.set_read_timeout(Some(patience))?;
        line.set_write_timeout(Some(patience))?;
        line.set_nodelay(true)?;
        write!(
            line,
            "GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAccept: */*\r\nConnection: close\r\n\r\n"
        )?;
        let mut reader = BufReader::with_capacity(1 << 16, line);
        let status = header_line(&mut reader)?;
        let code = status.split_whitespace().nth(1).unwrap_or_default();
        if code != "200" {
            return Err(CameraError::Refused(format!("the camera answers `{}`", status.trim())));
        }
        let mut is_chunked = false;
        for _ in 0..MOST_LINES {
            let line = header_line(&mut reader)?.to_ascii_lowercase();
            if line.is_empty() {
                return Ok(Stream { body: Body { reader, is_chunked, left: 0 }, picture: Vec::new() });
            }
            is_chunked |= line.starts_with("transfer-encoding:") && line.contains("chunked");
        }
        Err(CameraError::Refused("the camera's header does not end".to_owned()))
    }
}

fn connect(host: &str, port: u16, patience: Duration) -> Result<TcpStream, CameraError> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, format!("{host} has no address"));
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, patience) {
            Ok(line) => return Ok(line),
            Err(error) => last = error,
        }
    }
    Err(last.into())
}

fn header_line(reader: &mut BufReader<TcpStream>) -> Result<String, CameraError> {
    let mut line = Vec::new();
    reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.last() != Some(&b'\n') {
        return Err(CameraError::Refused("the camera's answer is not HTTP".to_owned()));
    }
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}

impl Source for Stream {
    fn next(&mut self) -> Result<Picture, CameraError> {
        jpeg::next_in(&mut self.body, &mut self.picture)?;
        jpeg::decode(&self.picture)
    }
}

/// What follows the header, with the chunks put together.
struct Body {
    reader: BufReader<TcpStream>,
    is_chunked: bool,
    /// Bytes left of the chunk.
    left: u64,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.is_chunked {
            return self.reader.read(buffer);
        }
        if self.left == 0 {
            let broken = |_| io::Error::new(io::ErrorKind::InvalidData, "a broken chunk");
            let mut line = header_line(&mut self.reader).map_err(io::Error::other)?;
            // A chunk ends with an empty line before the next one's length.
            if line.is_empty() {
                line = header_line(&mut self.reader).map_err(io::Error::other)?;
            }
            let digits = line.split(';').next().unwrap_or_default().trim();
            self.left = u64::from_str_radix(digits, 16).map_err(broken)?;
            if self.left == 0 {
                return Ok(0);
            }
        }
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let count = self.reader.read(&mut buffer[..most])?;
        self.left -= count as u64;
        Ok(count)
    }
}
