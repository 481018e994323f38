//! Real servers on free ports of the loopback.

use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use crate::{Client, Process, free_port};

/// How long a server may take until it answers.
const STARTUP: Duration = Duration::from_secs(10);

/// A real server that is killed when this value goes.
pub struct Server {
    process: Process,
    port: u16,
    start: Box<dyn Fn(u16) -> Process + Send>,
}

impl Server {
    /// memcached with one thread, 64 MiB and whatever `arguments` say beside it.
    pub fn memcached(arguments: &[&str]) -> Self {
        let extra: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        Self::run(move |port| {
            Process::start("memcached", |_| {
                let mut words = format!("-l 127.0.0.1 -U 0 -u nobody -t 1 -m 64 -p {port}")
                    .split(' ')
                    .map(str::to_owned)
                    .collect::<Vec<_>>();
                words.extend(extra.iter().cloned());
                words
            })
        })
    }

    /// nutcracker; `yaml` is its configuration for a given port to listen on.
    pub fn nutcracker(yaml: impl Fn(u16) -> String + Send + 'static) -> Self {
        Self::run(move |port| {
            Process::start("nutcracker", |folder| {
                nutcracker_arguments(folder, &yaml(port))
            })
        })
    }

    fn run(start: impl Fn(u16) -> Process + Send + 'static) -> Self {
        let port = free_port();
        let mut server = Self {
            process: start(port),
            port,
            start: Box::new(start),
        };
        server.wait();
        server
    }

    fn wait(&mut self) {
        let port = self.port;
        self.process
            .wait_until(STARTUP, || TcpStream::connect(("127.0.0.1", port)).is_ok());
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// `127.0.0.1:PORT`.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn process(&self) -> &Process {
        &self.process
    }

    pub fn connect(&self) -> Client {
        Client::connect(self.port)
    }

    /// Kills the server as a power cut would, and waits until it is gone.
    pub fn kill(&mut self) {
        self.process.signal("KILL");
        self.process.wait(STARTUP);
    }

    /// Starts it again, empty, on the same port.
    pub fn restart(&mut self) {
        self.process = (self.start)(self.port);
        self.wait();
    }
}

fn nutcracker_arguments(folder: &Path, yaml: &str) -> Vec<String> {
    let path = folder.join("nutcracker.yml");
    std::fs::write(&path, yaml).expect("a file in a temporary folder");
    let path = path.to_string_lossy().into_owned();
    let stats = free_port().to_string();
    ["-c", &path, "-s", &stats, "-a", "127.0.0.1", "-m", "16384"]
        .map(str::to_owned)
        .to_vec()
}
