//! What a request may measure.

/// Longest key in bytes. memcached's own limit, compiled in; base64 keys are measured as they are written.
pub const MAX_KEY_LEN: usize = 250;

/// Most tokens in a line of the meta dialect, the command and its key counted. memcached 1.6.18's own limit; a line
/// with more is refused without a look at its data length, so it must never reach a node.
pub const MAX_META_TOKENS: usize = 19;

/// Largest value in bytes that the protocol can announce: the server keeps the length, and two bytes more, in 31 bits.
pub const MAX_VALUE_LEN: u64 = i32::MAX as u64 - 2;

/// Bounds on what one client may send in one request. A request beyond one of them is answered with an error, and
/// the connection goes on unless it cannot be told where the next request begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest line in bytes, its end included, of everything but multi-key reads. Default 2,048, as the server's.
    pub max_line: usize,
    /// Longest line in bytes of `get`, `gets`, `gat` and `gats`. Default 256 KiB: 1,000 keys of full length. (The
    /// server has no bound here and grows.)
    pub max_read_line: usize,
    /// Most keys in one request. Default 10,000.
    pub max_keys: usize,
    /// Largest value in bytes. Default [`MAX_VALUE_LEN`]: the nodes judge, since their `-I` is not known here.
    pub max_value: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_line: 2048,
            max_read_line: 256 * 1024,
            max_keys: 10_000,
            max_value: MAX_VALUE_LEN,
        }
    }
}
