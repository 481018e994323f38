//! The table of hash functions.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use super::digest::{self, Digest, WordForm};
use super::{adler32, articles, crc, fnv, haproxy, hsieh, jenkins, murmur, one_at_a_time, text};

/// What a row of the table computes with.
#[derive(Clone, Copy)]
enum Function {
    /// A value of the row's bits.
    Value(fn(&[u8]) -> u64),
    /// A word of a digest, of which a ring may take several.
    Word(WordForm),
}

struct Row {
    name: &'static str,
    bits: u32,
    about: &'static str,
    function: Function,
}

macro_rules! hashes {
    ($($variant:ident $name:literal $bits:literal $function:expr, $about:literal;)*) => {
        /// A hash function of the table, by name.
        ///
        /// A value of fewer than 64 bits is held in the low bits of a `u64`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Hash {
            $(#[doc = concat!("`", $name, "`, ", $bits, " bits: ", $about, ".")] $variant,)*
        }

        impl Hash {
            /// Every function, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
        }

        /// Indexed by the variants of [`Hash`], which the same macro wrote in the same order.
        static TABLE: &[Row] = &[
            $(Row { name: $name, bits: $bits, about: $about, function: $function },)*
        ];
    };
}

use Function::{Value, Word};

const fn word32(digest: Digest) -> WordForm {
    WordForm {
        digest,
        bytes: 4,
        big_endian: false,
        flip_sign: false,
    }
}

const fn word64(digest: Digest) -> WordForm {
    WordForm {
        bytes: 8,
        ..word32(digest)
    }
}

const fn big(form: WordForm) -> WordForm {
    WordForm {
        big_endian: true,
        ..form
    }
}

const fn signed(form: WordForm) -> WordForm {
    WordForm {
        flip_sign: true,
        ..form
    }
}

hashes! {
    Xxh3 "xxh3" 64 Value(xxhash_rust::xxh3::xxh3_64), "XXH3-64, seed 0";
    Xxh64 "xxh64" 64 Value(text::xxh64), "XXH64, seed 0";
    Xxh32 "xxh32" 32 Value(text::xxh32), "XXH32, seed 0";
    Crc32 "crc32" 32 Value(crc::crc32), "CRC-32 of zlib, PHP's crc32() and nginx; twemproxy's crc32a";
    Crc32Fold "crc32-15" 15 Value(crc::crc32_fold), "CRC-32, bits 16 to 30 only: what libmemcached calls crc and twemproxy crc32";
    Crc32Bzip2 "crc32-bzip2" 32 Value(crc::crc32_bzip2), "CRC-32/BZIP2: what PHP's hash() calls crc32";
    Crc32c "crc32c" 32 Value(crc::crc32c), "CRC-32/ISCSI (Castagnoli)";
    Crc32OfMd5Hex "crc32-md5-hex" 32 Value(articles::crc32_of_md5_hex), "CRC-32 of the 32 hexadecimal digits of MD5";
    Crc16 "crc16" 16 Value(crc::crc16), "CRC-16/XMODEM, as Redis Cluster";
    Crc16Wide "crc16-wide" 32 Value(crc::crc16_wide), "CRC-16/XMODEM in a 32-bit accumulator that is never masked, as twemproxy";
    Md5 "md5" 32 Word(word32(Digest::Md5)), "bytes 0 to 3 of MD5, little endian, as ketama";
    Md5Be32 "md5-be32" 32 Word(big(word32(Digest::Md5))), "the first 8 hexadecimal digits of MD5";
    Md5SignedBe32 "md5-be32-signed" 32 Word(signed(big(word32(Digest::Md5)))), "bytes 0 to 3 of MD5 as a signed big-endian number, offset so that it orders as unsigned";
    Md5Le64 "md5-le64" 64 Word(word64(Digest::Md5)), "bytes 0 to 7 of MD5, little endian";
    Md5Be64 "md5-be64" 64 Word(big(word64(Digest::Md5))), "the first 16 hexadecimal digits of MD5";
    Sha1 "sha1" 32 Word(word32(Digest::Sha1)), "bytes 0 to 3 of SHA-1, little endian";
    Sha1Be32 "sha1-be32" 32 Word(big(word32(Digest::Sha1))), "the first 8 hexadecimal digits of SHA-1";
    Sha1SignedBe32 "sha1-be32-signed" 32 Word(signed(big(word32(Digest::Sha1)))), "bytes 0 to 3 of SHA-1 as a signed big-endian number, offset so that it orders as unsigned";
    Sha1Le64 "sha1-le64" 64 Word(word64(Digest::Sha1)), "bytes 0 to 7 of SHA-1, little endian";
    Sha256 "sha256" 32 Word(word32(Digest::Sha256)), "bytes 0 to 3 of SHA-256, little endian";
    Sha256Le64 "sha256-le64" 64 Word(word64(Digest::Sha256)), "bytes 0 to 7 of SHA-256, little endian";
    Fnv1x32 "fnv1_32" 32 Value(fnv::fnv1_32), "FNV-1, 32 bits";
    Fnv1ax32 "fnv1a_32" 32 Value(fnv::fnv1a_32), "FNV-1a, 32 bits";
    Fnv1x64 "fnv1_64" 64 Value(fnv::fnv1_64), "FNV-1, 64 bits";
    Fnv1ax64 "fnv1a_64" 64 Value(fnv::fnv1a_64), "FNV-1a, 64 bits";
    Fnv1x32Signed "fnv1_32-signed" 32 Value(fnv::fnv1_32_signed), "FNV-1 over signed bytes, as libmemcached and twemproxy on x86";
    Fnv1ax32Signed "fnv1a_32-signed" 32 Value(fnv::fnv1a_32_signed), "FNV-1a over signed bytes, as libmemcached, twemproxy and pecl memcache on x86";
    Fnv1x64Signed "fnv1_64-signed" 32 Value(fnv::fnv1_64_signed), "the low half of FNV-1 64 over signed bytes, as libmemcached and twemproxy on x86";
    Fnv1ax64Signed "fnv1a_64-signed" 32 Value(fnv::fnv1a_64_signed), "the low half of FNV-1a 64 over signed bytes, as libmemcached and twemproxy on x86";
    Fnv1x32Utf16 "fnv1_32-utf16" 32 Value(fnv::fnv1_32_utf16), "FNV-1 over UTF-16 units, as spymemcached";
    Fnv1ax32Utf16 "fnv1a_32-utf16" 32 Value(fnv::fnv1a_32_utf16), "FNV-1a over UTF-16 units, as spymemcached";
    Fnv1x64Utf16 "fnv1_64-utf16" 32 Value(fnv::fnv1_64_utf16), "the low half of FNV-1 64 over UTF-16 units, as spymemcached";
    Fnv1ax64Utf16 "fnv1a_64-utf16" 32 Value(fnv::fnv1a_64_utf16), "the low half of FNV-1a 64 over UTF-16 units, as spymemcached";
    OneAtATime "one_at_a_time" 32 Value(one_at_a_time::unsigned), "Jenkins one-at-a-time; PHP's joaat";
    OneAtATimeSigned "one_at_a_time-signed" 32 Value(one_at_a_time::signed), "Jenkins one-at-a-time over signed bytes: libmemcached's default on x86";
    Murmur2 "murmur2" 32 Value(murmur::murmur2), "MurmurHash2 seeded with 0xdeadbeef times the length, as libmemcached and twemproxy";
    Murmur3 "murmur3" 32 Value(murmur::murmur3), "MurmurHash3 x86_32, seed 0";
    Murmur3Length "murmur3-length" 32 Value(murmur::murmur3_length_seed), "MurmurHash3 x86_32 seeded with 0xdeadbeef times the length, as libmemcached";
    Murmur3Utf16Fff "murmur3-utf16-fff" 32 Value(murmur::murmur3_utf16_fff), "MurmurHash3 x86_32, seed 0xfff, over the low bytes of UTF-16 units, as npm node-hashring";
    Jenkins "jenkins" 32 Value(jenkins::lookup3), "Jenkins lookup3, initial value 13, as libmemcached and twemproxy";
    Hsieh "hsieh" 32 Value(hsieh::hsieh), "Hsieh's SuperFastHash as in twemproxy, where the third byte of the tail is signed";
    Adler32 "adler32" 32 Value(adler32::adler32), "Adler-32";
    Sdbm "sdbm" 32 Value(haproxy::sdbm), "sdbm, as HAProxy";
    Djb2 "djb2" 32 Value(haproxy::djb2), "djb2 (times 33), as HAProxy";
    Wt6 "wt6" 32 Value(haproxy::wt6), "wt6, as HAProxy";
    Times31 "times31-md5-8" 31 Value(articles::times31_of_md5), "times 31 over the first 8 hexadecimal digits of MD5, masked to 31 bits";
    Java31 "java31" 32 Value(text::java31), "Java's String.hashCode over UTF-16 units";
    Java31Abs "java31-abs" 32 Value(text::java31_abs), "the absolute value of Java's String.hashCode, as npm memjs";
}

impl Hash {
    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The name in configuration files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// How many bits the value has.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.row().bits
    }

    /// What it is, and in which program.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.row().about
    }

    /// The value for these bytes.
    #[inline]
    #[must_use]
    pub fn of(self, bytes: &[u8]) -> u64 {
        // The two that fast paths want inlined; all others cost more than an indirect call.
        match self {
            Self::Xxh3 => xxhash_rust::xxh3::xxh3_64(bytes),
            Self::Crc32 => crc::crc32(bytes),
            Self::Md5 => digest::md5_word(bytes),
            _ => self.of_any(bytes),
        }
    }

    fn of_any(self, bytes: &[u8]) -> u64 {
        match self.row().function {
            Value(function) => function(bytes),
            Word(form) => form.first(bytes),
        }
    }

    /// How many words of one digest a ring may take: 1 for what is not a digest.
    #[must_use]
    pub fn words_per_digest(self) -> u8 {
        match self.row().function {
            Value(_) => 1,
            Word(form) => form.count(),
        }
    }

    /// Calls `take` with the first `words` words of the digest, or with the one value of what is not a digest.
    pub fn each_word(self, bytes: &[u8], words: u8, take: impl FnMut(u64)) {
        match self.row().function {
            Value(function) => std::iter::once(function(bytes)).for_each(take),
            Word(form) => form.each(bytes, words, take),
        }
    }
}

/// No hash function has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no hash function {name:?}; did you mean {nearest:?}?")]
pub struct UnknownHash {
    /// What was written.
    pub name: String,
    /// The name in the table that is nearest to it.
    pub nearest: &'static str,
}

impl FromStr for Hash {
    type Err = UnknownHash;

    fn from_str(name: &str) -> Result<Self, UnknownHash> {
        Self::ALL
            .iter()
            .copied()
            .find(|hash| hash.name() == name)
            .ok_or_else(|| UnknownHash {
                name: name.to_owned(),
                nearest: crate::nearest::nearest(name, Self::ALL.iter().map(|hash| hash.name()))
                    .unwrap_or("xxh3"),
            })
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_once_and_parses() {
        for &hash in Hash::ALL {
            assert_eq!(hash.name().parse(), Ok(hash));
        }
    }

    #[test]
    fn no_value_exceeds_its_bits() {
        for &hash in Hash::ALL {
            for key in ["", "a", "key1", "user:42", "ключ", &"x".repeat(200)] {
                let value = hash.of(key.as_bytes());
                assert!(
                    hash.bits() == 64 || value >> hash.bits() == 0,
                    "{hash} of {key:?}: {value:x}"
                );
            }
        }
    }

    #[test]
    fn a_misspelt_name_is_answered_with_the_nearest() {
        assert_eq!("crc-32".parse::<Hash>().unwrap_err().nearest, "crc32");
    }
}
