//! The proxy, run as its users run it.

use std::time::Duration;

use crate::{Client, Process, free_port};

/// How long the proxy may take until it is ready.
const STARTUP: Duration = Duration::from_secs(10);

/// A running `evenkeel proxy` that is killed when this value goes.
pub struct Proxy {
    process: Process,
    port: u16,
    admin: u16,
}

impl Proxy {
    /// Runs `program proxy --config FILE`, where `config` is the text for a given port to listen on and a given port of
    /// the admin listener.
    pub fn start(program: &str, config: impl FnOnce(u16, u16) -> String) -> Self {
        Self::start_file(program, "evenkeel.toml", config)
    }

    /// As [`Self::start`], with a file name of its own: its ending tells the format.
    pub fn start_file(program: &str, file: &str, config: impl FnOnce(u16, u16) -> String) -> Self {
        let (port, admin) = (free_port(), free_port());
        let text = config(port, admin);
        let process = Process::start(program, |folder| {
            std::fs::write(folder.join(file), text).expect("a file in a temporary folder");
            ["proxy", "--config", file].map(str::to_owned).to_vec()
        });
        let mut proxy = Self {
            process,
            port,
            admin,
        };
        proxy.process.wait_until(STARTUP, || {
            std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        proxy
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The port of the admin listener, if the configuration named it.
    pub fn admin(&self) -> u16 {
        self.admin
    }

    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    pub fn connect(&self) -> Client {
        Client::connect(self.port)
    }
}
