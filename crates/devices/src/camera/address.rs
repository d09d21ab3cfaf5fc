//! Where a camera is, as users write it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

/// Where a camera is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `http://host[:port]/path`: a stream of JPEG pictures.
    Http {
        /// Name or number of the host.
        host: String,
        /// Its port.
        port: u16,
        /// The path, with what follows it.
        path: String,
    },
    /// `cmd:program argument …`: raw grey video on the standard output of a program.
    Program {
        /// The program and its arguments.
        command: Vec<String>,
    },
    /// `v4l2:/dev/video0`: a camera on USB, if the program was built with the feature `v4l2`.
    Device {
        /// Its file.
        path: PathBuf,
    },
    /// `dir:path`: the PNG and JPEG pictures of a folder, in the order of their names.
    Folder {
        /// The folder.
        path: PathBuf,
    },
}

/// An address that no camera can have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{address}` is not a camera: {why}; write http://host:port/path, v4l2:/dev/video0, cmd:program arguments, or dir:folder"
)]
pub struct AddressError {
    address: String,
    why: &'static str,
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(address: &str) -> Result<Address, AddressError> {
        let error = |why| AddressError { address: address.to_owned(), why };
        if let Some(rest) = address.strip_prefix("http://") {
            let (place, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let (host, port) = match place.rsplit_once(':') {
                Some((host, port)) => {
                    (host, port.parse().map_err(|_| error("its port is not a number up to 65535"))?)
                }
                None => (place, 80),
            };
            if host.is_empty() || path.contains(char::is_whitespace) {
                return Err(error("it names no host"));
            }
            let path = if path.is_empty() { "/" } else { path };
            return Ok(Address::Http { host: host.to_owned(), port, path: path.to_owned() });
        }
        if address.starts_with("https://") {
            return Err(error("cameras are read without encryption, by http://"));
        }
        if let Some(rest) = address.strip_prefix("cmd:") {
            let command: Vec<_> = rest.split_whitespace().map(str::to_owned).collect();
            return if command.is_empty() {
                Err(error("it names no program"))
            } else {
                Ok(Address::Program { command })
            };
        }
        if let Some(rest) = address.strip_prefix("dir:") {
            return Ok(Address::Folder { path: PathBuf::from(rest) });
        }
        if let Some(path) = address.strip_prefix("v4l2:") {
            let path = PathBuf::from(path);
            return if path.is_absolute() {
                Ok(Address::Device { path })
            } else {
                Err(error("it names no file such as /dev/video0"))
            };
        }
        if address.starts_with("/dev/") {
            return Err(error("a camera on USB is written v4l2:/dev/video0"));
        }
        Err(error("it begins with none of http://, v4l2:, cmd: and dir:"))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Http { host, port, path } => write!(f, "http://{host}:{port}{path}"),
            Address::Program { command } => write!(f, "cmd:{}", command.join(" ")),
            Address::Device { path } => write!(f, "v4l2:{}", path.display()),
            Address::Folder { path } => write!(f, "dir:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written() {
        for (text, again) in [
            ("http://camera", "http://camera:80/"),
            ("http://127.0.0.1:8080/stream?size=2", "http://127.0.0.1:8080/stream?size=2"),
            ("cmd:ffmpeg  -i x -", "cmd:ffmpeg -i x -"),
            ("dir:frames", "dir:frames"),
            ("v4l2:/dev/video2", "v4l2:/dev/video2"),
        ] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), again);
        }
        for text in [
            "",
            "http://",
            "http://h:99999/",
            "https://h/",
            "cmd:",
            "v4l2:",
            "v4l2:video0",
            "/dev/video0",
            "usb",
        ] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(error.contains("is not a camera"), "{error}");
        }
    }
}
