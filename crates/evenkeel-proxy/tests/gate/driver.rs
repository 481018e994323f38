//! Drives a task with blocking connections: what a worker does, without its event loop.

use std::net::TcpStream;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use evenkeel_core::migration::operation::{Answer, Side};
use evenkeel_proxy::gate::{Answered, Heard, Task, Todo};

use crate::node::{Failed, Node};

/// How long an update waits for another's lease.
const LEASE_WAIT: Duration = Duration::from_millis(50);
/// How long it waits between two looks.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// How long a task may take in all. Without one of the rules some never end, and a worker gives them up too.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// Runs a task to its end; the client's answer is given to `answered` when it is known. Returns the connections that
/// must have ended before an epoch is acknowledged.
pub fn run(
    task: &mut Task,
    source: &mut Node,
    target: &mut Node,
    mut answered: impl FnMut(Answered),
) -> Vec<TcpStream> {
    let mut given_up = Vec::new();
    let mut waited = Duration::ZERO;
    let begun = Instant::now();
    let target_up = target.is_up();
    let mut next = task.start(target_up, now());
    loop {
        if let Some(answer) = next.answer {
            answered(answer);
        }
        next = match next.next {
            Todo::Over => return given_up,
            // Between two commands: what is next was not sent.
            _ if begun.elapsed() > ENDS_WITHIN => task.deadline(now()),
            Todo::Wait => {
                std::thread::sleep(LOOK_AGAIN);
                waited += LOOK_AGAIN;
                let patient = waited < LEASE_WAIT;
                if !patient {
                    waited = Duration::ZERO;
                }
                task.wait_over(patient, now())
            }
            Todo::Send {
                to,
                bytes,
                expect,
                only_on,
                must_end,
            } => {
                let node = if to == Side::Source {
                    &mut *source
                } else {
                    &mut *target
                };
                match node.ask(&bytes, expect, only_on) {
                    Ok(replied) => {
                        let heard = Heard {
                            reply: &replied.reply,
                            bytes: &replied.bytes,
                            connection: replied.connection,
                        };
                        task.heard(heard, now())
                            .expect("the node keeps to its protocol")
                    }
                    Err(Failed::NotSent) => task.told(Answer::NotSent, now()),
                    Err(Failed::NoAnswer(stream)) => {
                        if must_end {
                            given_up.push(stream);
                        }
                        task.told(Answer::NoAnswer, now())
                    }
                }
            }
        };
    }
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap()
}
