//! A child process that never outlives its test.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A started program with a folder of its own and its standard error kept in a file there.
pub struct Process {
    child: Child,
    name: String,
    folder: TempDir,
}

impl Process {
    /// Starts `program` with what `arguments` makes of its new, empty folder.
    pub fn start(program: &str, arguments: impl FnOnce(&Path) -> Vec<String>) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let arguments = arguments(folder.path());
        let child = spawn(program, &arguments, folder.path());
        Self {
            child,
            name: program.to_owned(),
            folder,
        }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The folder that the process was started in; it is removed with this value.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Sends a signal by its name: `STOP`, `CONT`, `TERM`, `HUP`, `KILL`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([format!("-{name}"), self.pid().to_string()])
            .status()
            .expect("kill runs");
        assert!(sent.success(), "{} takes SIG{name}", self.name);
        // A process that runs on another core stops a moment later.
        while name == "STOP" && !self.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn is_stopped(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid()));
        let stat = stat.expect("the process lives");
        // The state follows the name, which stands in parentheses.
        stat.rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with(['T', 't']))
    }

    /// What the process has written to its standard error so far.
    pub fn stderr(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("stderr")).unwrap_or_default()
    }

    /// What the process has written to its standard output so far.
    pub fn stdout(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("stdout")).unwrap_or_default()
    }

    /// Waits until the process has ended by itself.
    pub fn wait(&mut self, patience: Duration) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("our own child") {
                return status;
            }
            assert!(
                begun.elapsed() < patience,
                "{} still runs after {patience:?}; it says:\n{}",
                self.name,
                self.stderr()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Looks at `ready` until it says yes; ends the test with the process's own words if that takes too long or it died.
    pub fn wait_until(&mut self, patience: Duration, mut ready: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !ready() {
            let ended = self.child.try_wait().expect("our own child");
            assert!(
                ended.is_none() && begun.elapsed() < patience,
                "{} is not ready (ended: {ended:?}); it says:\n{}{}",
                self.name,
                self.stdout(),
                self.stderr()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn spawn(program: &str, arguments: &[String], folder: &Path) -> Child {
    let file = |name| File::create(folder.join(name)).expect("a file in a temporary folder");
    Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(file("stdout"))
        .stderr(file("stderr"))
        .spawn()
        .unwrap_or_else(|error| panic!("{program} starts ({error}); ./test installs it"))
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
