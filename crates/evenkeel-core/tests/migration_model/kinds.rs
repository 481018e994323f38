//! What a client's command is to an operation, and an outcome to a client.

use evenkeel_core::migration::operation::{Failure, Kind, Next, OnValue, Outcome, Step, Update};

use crate::monitor::{Told, Value, What};

pub fn over() -> Step<Value> {
    Step {
        answer: None,
        next: Next::Over,
    }
}

pub fn kind_of(what: What, known: Option<u64>) -> Kind {
    let update = |on_value, on_nothing| {
        Kind::Update(Update {
            on_value,
            on_nothing,
        })
    };
    match what {
        What::Get => Kind::Read { token: false },
        What::Gets => Kind::Read { token: true },
        What::Set => Kind::Overwrite,
        What::Delete => Kind::Delete { tells: true },
        What::DeleteQuietly => Kind::Delete { tells: false },
        What::Increment | What::Append => update(OnValue::Act, false),
        What::Add => update(OnValue::Refuse, true),
        What::CompareAndSet(_) => update(OnValue::ActIf(known), false),
    }
}

pub fn told_of(what: What, outcome: Outcome<Value>, stored: Value) -> Told {
    match outcome {
        Outcome::Value(value, _) => Told::Value(value),
        Outcome::Done if what == What::Increment => Told::Value(stored),
        Outcome::Done | Outcome::Already => Told::Done,
        Outcome::Nothing if what == What::DeleteQuietly => Told::Done,
        Outcome::Nothing => Told::Nothing,
        Outcome::Exists => Told::Exists,
        Outcome::Failed(Failure::Refused(_)) => Told::NotDone,
        Outcome::Refused | Outcome::Failed(_) => Told::Error,
    }
}
