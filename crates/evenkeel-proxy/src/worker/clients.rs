//! Reading from clients and writing to them.

use super::event_loop::Worker;
use mio::event::Event;
use std::io;

/// What a read or write came to.
enum Came {
    Bytes(usize),
    Later,
    Gone,
}

fn came(result: io::Result<usize>) -> Came {
    match result {
        Ok(len) => Came::Bytes(len),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
            ) =>
        {
            Came::Later
        }
        Err(_) => Came::Gone,
    }
}

impl Worker {
    pub(super) fn client_event(&mut self, id: usize, event: &Event) {
        if let Some(Some(client)) = self.clients.get_mut(id) {
            client.ending |= event.is_read_closed();
        }
        if event.is_readable() || event.is_read_closed() {
            self.queue_client(id);
        }
        if event.is_writable() && !self.engine.client_output(id).is_empty() {
            self.flush_client(id);
        }
    }

    /// Puts the client in the list of those to be read.
    pub(super) fn queue_client(&mut self, id: usize) {
        if let Some(Some(client)) = self.clients.get_mut(id)
            && !client.queued
        {
            client.queued = true;
            self.ready_clients.push(id);
        }
    }

    /// Lets those go on that waited for room.
    pub(super) fn resume(&mut self) {
        if self.engine.has_resumable() {
            let mut resumed = Vec::new();
            self.engine.resume(&mut resumed);
            for id in resumed {
                self.queue_client(id);
            }
        }
    }

    pub(super) fn read_clients(&mut self) {
        let mut ready = std::mem::take(&mut self.ready_clients);
        for id in ready.drain(..) {
            self.read_client(id);
        }
        // Clients with more to read have queued up again meanwhile.
        if self.ready_clients.is_empty() {
            self.ready_clients = ready;
        }
    }

    fn read_client(&mut self, id: usize) {
        let Some(Some(client)) = self.clients.get_mut(id) else {
            return;
        };
        client.queued = false;
        if !self.engine.reads(id) {
            // It is queued again when there is room.
            return;
        }
        match came(client.stream.read(&mut self.buffer)) {
            Came::Bytes(0) => self.engine.finish(id),
            Came::Bytes(len) => {
                let more = len == self.buffer.len() || client.ending;
                let bytes = self.buffer.get(..len).unwrap_or_default();
                self.engine.receive(id, bytes);
                if more {
                    self.queue_client(id);
                }
            }
            Came::Later => {}
            Came::Gone => self.close_client(id),
        }
    }

    pub(super) fn flush_clients(&mut self) {
        let mut touched = std::mem::take(&mut self.scratch);
        self.engine.take_touched_clients(&mut touched);
        for id in touched.drain(..) {
            self.flush_client(id);
        }
        self.scratch = touched;
    }

    fn flush_client(&mut self, id: usize) {
        let Some(Some(client)) = self.clients.get_mut(id) else {
            return;
        };
        loop {
            let output = self.engine.client_output(id);
            if output.is_empty() {
                break;
            }
            let wanted = output.len();
            match came(client.stream.write(output)) {
                Came::Bytes(len) => {
                    self.engine.client_sent(id, len);
                    if len < wanted {
                        continue;
                    }
                }
                Came::Later => return,
                Came::Gone => return self.close_client(id),
            }
        }
        if self.engine.is_over(id) {
            // Bytes left unread would turn the close into a reset, and the client might not see its answer.
            client.stream.finish();
            let _ = client.stream.read(&mut self.buffer);
            self.close_client(id);
        }
    }

    fn close_client(&mut self, id: usize) {
        if let Some(place) = self.clients.get_mut(id) {
            *place = None;
        }
        self.engine.forget(id);
    }
}
