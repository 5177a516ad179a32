//! Addresses to listen on: TCP, or a unix socket.

use std::{
    fmt, fs, io,
    net::{SocketAddr, TcpListener},
    os::unix::{
        fs::{FileTypeExt as _, PermissionsExt as _},
        net::{UnixListener, UnixStream},
    },
    path::{Path, PathBuf},
    str::FromStr,
};

use tokio_util::either::Either;

use crate::files::FileIdentity;

/// Connections that may wait to be accepted; the system may allow fewer.
const BACKLOG: i32 = 4096;

/// Address to listen on. Displayed as the URL at which readers find it; a unix socket has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    Tcp(SocketAddr),
    /// Socket at this path, written `unix:PATH`.
    Unix(PathBuf),
}

impl From<SocketAddr> for ListenAddress {
    fn from(address: SocketAddr) -> Self {
        Self::Tcp(address)
    }
}

impl FromStr for ListenAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("unix:") {
            Some("") => Err("expected a path after unix:".to_owned()),
            Some(path) => Ok(Self::Unix(PathBuf::from(path))),
            None => text.parse().map(Self::Tcp).map_err(|_| "expected IP:PORT or unix:PATH".to_owned()),
        }
    }
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(formatter, "http://{address}"),
            Self::Unix(path) => write!(formatter, "unix:{}", path.display()),
        }
    }
}

/// Bound address that accepts no connection yet.
#[derive(Debug)]
pub(crate) enum BoundListener {
    Tcp(TcpListener),
    Unix(UnixListener, SocketFile),
}

/// File of a unix socket, removed when dropped.
#[derive(Debug)]
pub(crate) struct SocketFile {
    path: PathBuf,
    identity: Option<FileIdentity>,
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if self.identity.is_some() && FileIdentity::of(&self.path) == self.identity {
            drop(fs::remove_file(&self.path));
        }
    }
}

impl BoundListener {
    /// Binds an address. Replaces a unix socket that no process listens on, but no other file; `mode` are the
    /// permissions of a socket's file, else those of the process's umask.
    pub(crate) fn bind(address: &ListenAddress, mode: Option<u32>) -> io::Result<Self> {
        match address {
            ListenAddress::Tcp(address) => Self::tcp(*address).map(|(_, bound)| bound),
            ListenAddress::Unix(path) => {
                if is_abandoned(path) {
                    fs::remove_file(path)?;
                }
                let listener = UnixListener::bind(path)?;
                let file = SocketFile { path: path.clone(), identity: FileIdentity::of(path) };
                if let Some(mode) = mode {
                    fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
                }
                rustix::net::listen(&listener, BACKLOG)?;
                listener.set_nonblocking(true)?;
                Ok(Self::Unix(listener, file))
            }
        }
    }

    /// Binds a TCP address, and returns it with the port that the system chose.
    pub(crate) fn tcp(address: SocketAddr) -> io::Result<(SocketAddr, Self)> {
        let listener = TcpListener::bind(address)?;
        // The standard library lets 128 connections wait; further ones would connect a second later.
        rustix::net::listen(&listener, BACKLOG)?;
        listener.set_nonblocking(true)?;
        Ok((listener.local_addr()?, Self::Tcp(listener)))
    }

    /// Returns the bound address, with the port that the system chose.
    pub(crate) fn address(&self) -> io::Result<ListenAddress> {
        match self {
            Self::Tcp(listener) => listener.local_addr().map(ListenAddress::Tcp),
            Self::Unix(_, file) => Ok(ListenAddress::Unix(file.path.clone())),
        }
    }
}

/// Whether the path is a unix socket on which no process listens.
fn is_abandoned(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket())
        && UnixStream::connect(path).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

/// Connection of a client.
pub(super) type PeerStream = Either<tokio::net::TcpStream, tokio::net::UnixStream>;

/// Listener on a runtime.
#[derive(Debug)]
pub(super) enum OpenListener {
    Tcp(tokio::net::TcpListener),
    Unix(tokio::net::UnixListener, #[expect(dead_code, reason = "it removes the file when dropped")] SocketFile),
}

impl OpenListener {
    /// Needs a runtime.
    pub(super) fn new(bound: BoundListener) -> io::Result<Self> {
        Ok(match bound {
            BoundListener::Tcp(listener) => Self::Tcp(tokio::net::TcpListener::from_std(listener)?),
            BoundListener::Unix(listener, file) => Self::Unix(tokio::net::UnixListener::from_std(listener)?, file),
        })
    }

    pub(super) async fn accept(&self) -> io::Result<PeerStream> {
        match self {
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                // Otherwise the end of a long page would wait for the client's acknowledgement.
                let _ = stream.set_nodelay(true);
                Ok(Either::Left(stream))
            }
            Self::Unix(listener, _) => listener.accept().await.map(|(stream, _)| Either::Right(stream)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_abandoned_socket_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let address: ListenAddress = format!("unix:{}", path.display()).parse().unwrap();
        fs::write(&path, "a file").unwrap();
        assert!(BoundListener::bind(&address, None).is_err() && path.exists(), "a file stays");
        fs::remove_file(&path).unwrap();
        drop(UnixListener::bind(&path).unwrap());
        let bound = BoundListener::bind(&address, Some(0o620)).expect("the socket was abandoned");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o620);
        assert_eq!(bound.address().unwrap(), address);
        assert!(BoundListener::bind(&address, None).is_err(), "the socket is in use");
        drop(bound);
        assert!(!path.exists(), "it is removed at the end");
        for text in ["unix:", "localhost", "127.0.0.1"] {
            assert!(text.parse::<ListenAddress>().is_err(), "{text}");
        }
    }
}
