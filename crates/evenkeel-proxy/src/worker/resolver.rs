//! Names to addresses, away from the event loops: the system's resolver blocks.

use super::{Mailbox, Message};
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::mpsc::{Receiver, Sender, channel};

/// A name that a worker wants to connect to.
#[derive(Debug)]
struct Question {
    host: String,
    port: u16,
    link: usize,
    connection: u64,
    asker: Mailbox,
}

/// The thread that asks the system's resolver. Names are asked anew for each connect, so that a node may move.
#[derive(Clone, Debug)]
pub struct Resolver(Sender<Question>);

impl Resolver {
    /// Starts the thread; it ends with the last handle.
    pub fn start() -> std::io::Result<Self> {
        let (sender, questions) = channel();
        std::thread::Builder::new()
            .name("resolver".into())
            .spawn(move || answer(&questions))?;
        Ok(Self(sender))
    }

    /// Asks; the answer comes by mail.
    pub(super) fn ask(&self, host: &str, port: u16, link: usize, connection: u64, asker: &Mailbox) {
        // A resolver that is gone gives no answer, and the connect times out.
        let _ = self.0.send(Question {
            host: host.to_owned(),
            port,
            link,
            connection,
            asker: asker.clone(),
        });
    }
}

fn answer(questions: &Receiver<Question>) {
    for question in questions {
        let addresses = (question.host.as_str(), question.port)
            .to_socket_addrs()
            .map(Iterator::collect::<Vec<SocketAddr>>)
            .unwrap_or_default();
        question.asker.send(Message::Resolved {
            link: question.link,
            connection: question.connection,
            addresses,
        });
    }
}
