//! Telling the service manager how we are (`sd_notify(3)`).

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// Sends `state` if somebody asked for it. A manager that does not hear changes nothing for us.
pub(super) fn notify(state: &str) {
    if let Some(path) = std::env::var_os("NOTIFY_SOCKET") {
        let _ = send(path.as_bytes(), state);
    }
}

fn send(path: &[u8], state: &str) -> io::Result<()> {
    let address = match path.strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(std::ffi::OsStr::from_bytes(path))?,
    };
    UnixDatagram::unbound()?
        .send_to_addr(state.as_bytes(), &address)
        .map(drop)
}
