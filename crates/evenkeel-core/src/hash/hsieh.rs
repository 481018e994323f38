//! Paul Hsieh's SuperFastHash.

/// As twemproxy compiles it: the third byte of a tail of three is a signed `char`, all others are unsigned.
pub(super) fn hsieh(bytes: &[u8]) -> u64 {
    let pair = |two: &[u8]| u32::from(u16::from_le_bytes([two[0], two[1]]));
    let mut hash = 0_u32;
    let blocks = bytes.chunks_exact(4);
    let tail = blocks.remainder();
    for block in blocks {
        hash = hash.wrapping_add(pair(&block[..2]));
        hash = hash << 16 ^ pair(&block[2..]) << 11 ^ hash;
        hash = hash.wrapping_add(hash >> 11);
    }
    match *tail {
        [_, _, third] => {
            hash = hash.wrapping_add(pair(tail));
            hash ^= hash << 16;
            hash ^= i32::from(third.cast_signed()).cast_unsigned() << 18;
            hash = hash.wrapping_add(hash >> 11);
        }
        [_, _] => {
            hash = hash.wrapping_add(pair(tail));
            hash ^= hash << 11;
            hash = hash.wrapping_add(hash >> 17);
        }
        [only] => {
            hash = hash.wrapping_add(u32::from(only));
            hash ^= hash << 10;
            hash = hash.wrapping_add(hash >> 1);
        }
        _ => {}
    }
    hash ^= hash << 3;
    hash = hash.wrapping_add(hash >> 5);
    hash ^= hash << 4;
    hash = hash.wrapping_add(hash >> 17);
    hash ^= hash << 25;
    u64::from(hash.wrapping_add(hash >> 6))
}
