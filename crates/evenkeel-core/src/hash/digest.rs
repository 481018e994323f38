//! MD5, SHA-1 and SHA-256, and the words that rings cut from them.

use md5::Digest as _;

/// A cryptographic digest, used for its spread and not for security.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digest {
    /// RFC 1321.
    Md5,
    /// FIPS 180-4.
    Sha1,
    /// FIPS 180-4.
    Sha256,
}

/// The longest digest here, in bytes.
const LONGEST: usize = 32;

impl Digest {
    /// The digest, padded with zero bytes at its end.
    pub(super) fn of(self, bytes: &[u8]) -> [u8; LONGEST] {
        let mut digest = [0; LONGEST];
        match self {
            Self::Md5 => digest[..16].copy_from_slice(&md5::Md5::digest(bytes)),
            Self::Sha1 => digest[..20].copy_from_slice(&sha1::Sha1::digest(bytes)),
            Self::Sha256 => digest.copy_from_slice(&sha2::Sha256::digest(bytes)),
        }
        digest
    }

    const fn len(self) -> u8 {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }
}

/// Which words of a digest are values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordForm {
    /// The digest.
    pub digest: Digest,
    /// Bytes in a word: 4 or 8.
    pub bytes: u8,
    /// Whether the first byte is the most significant.
    pub big_endian: bool,
    /// Whether the original compares signed: then the top bit is flipped, so that unsigned comparison gives the same order.
    pub flip_sign: bool,
}

impl WordForm {
    pub(super) fn count(self) -> u8 {
        self.digest.len() / self.bytes
    }

    pub(super) fn first(self, bytes: &[u8]) -> u64 {
        let mut value = 0;
        self.each(bytes, 1, |word| value = word);
        value
    }

    pub(super) fn each(self, bytes: &[u8], words: u8, mut take: impl FnMut(u64)) {
        let digest = self.digest.of(bytes);
        let words = digest[..usize::from(self.digest.len())]
            .chunks_exact(usize::from(self.bytes))
            .take(usize::from(words));
        for word in words {
            take(self.value(word));
        }
    }

    fn value(self, word: &[u8]) -> u64 {
        let shift = |sum: u64, &byte: &u8| sum << 8 | u64::from(byte);
        let value = if self.big_endian {
            word.iter().fold(0, shift)
        } else {
            word.iter().rev().fold(0, shift)
        };
        let sign = u64::from(self.flip_sign) << (8 * u32::from(self.bytes) - 1);
        value ^ sign
    }
}

/// Little-endian word 0 of MD5, for the fast path.
#[inline]
pub(super) fn md5_word(bytes: &[u8]) -> u64 {
    let digest = md5::Md5::digest(bytes);
    u64::from(u32::from_le_bytes([
        digest[0], digest[1], digest[2], digest[3],
    ]))
}
