//! The memcached protocol as bytes to requests and replies and back, without I/O.
