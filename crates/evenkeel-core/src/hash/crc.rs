//! Cyclic redundancy checks of 16 and 32 bits.

/// Below this length, tables in the first cache are faster than setting up crc32fast's carry-less
/// multiplications; keys of caches are mostly shorter.
const SHORT: usize = 64;

/// CRC-32 of zlib.
#[inline]
pub(super) fn crc32(bytes: &[u8]) -> u64 {
    u64::from(if bytes.len() < SHORT {
        short_crc32(bytes)
    } else {
        crc32fast::hash(bytes)
    })
}

/// Eight bytes at a time, each by a table that stands for its distance from the end.
#[inline]
fn short_crc32(bytes: &[u8]) -> u32 {
    let (eights, mut rest) = bytes.as_chunks::<8>();
    let mut crc = !0;
    for eight in eights {
        let value = u64::from_le_bytes(*eight) ^ u64::from(crc);
        let byte = |n: usize| (value >> (8 * n)) as usize & 0xff;
        crc = SLICES[7][byte(0)]
            ^ SLICES[6][byte(1)]
            ^ SLICES[5][byte(2)]
            ^ SLICES[4][byte(3)]
            ^ SLICES[3][byte(4)]
            ^ SLICES[2][byte(5)]
            ^ SLICES[1][byte(6)]
            ^ SLICES[0][byte(7)];
    }
    if let Some((four, tail)) = rest.split_first_chunk::<4>() {
        crc = !chained_crc32(!crc, *four);
        rest = tail;
    }
    for &byte in rest {
        crc = crc >> 8 ^ SLICES[0][usize::from(crc as u8 ^ byte)];
    }
    !crc
}

/// libhashkit keeps 15 bits of the CRC, which makes a poor position on a ring of 32 bits.
pub(super) fn crc32_fold(bytes: &[u8]) -> u64 {
    crc32(bytes) >> 16 & 0x7fff
}

/// `crc32(head ‖ tail)` where `head` is the CRC of what came before; four bytes at a time is too short for crc32fast to pay off.
pub(crate) fn chained_crc32(head: u32, tail: [u8; 4]) -> u32 {
    let mut crc = !head ^ u32::from_le_bytes(tail);
    // Four look-ups in tables that each stand for a byte further from the end, so that none waits for another.
    let [a, b, c, d] = crc.to_le_bytes().map(usize::from);
    crc = SLICES[3][a] ^ SLICES[2][b] ^ SLICES[1][c] ^ SLICES[0][d];
    !crc
}

const fn reflected(polynomial: u32) -> [u32; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut crc = i as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ polynomial
            } else {
                crc >> 1
            };
            bit += 1;
        }
        table[i] = crc;
        i += 1;
    }
    table
}

/// `SLICES[k][b]`: byte `b` followed by `k` zero bytes.
static SLICES: [[u32; 256]; 8] = {
    let first = reflected(0xEDB8_8320);
    let mut slices = [first; 8];
    let mut k = 1;
    while k < 8 {
        let mut i = 0;
        while i < 256 {
            let before = slices[k - 1][i];
            slices[k][i] = before >> 8 ^ first[(before & 0xff) as usize];
            i += 1;
        }
        k += 1;
    }
    slices
};

static CASTAGNOLI: [u32; 256] = reflected(0x82F6_3B78);

/// CRC-32/ISCSI.
pub(super) fn crc32c(bytes: &[u8]) -> u64 {
    let step = |crc: u32, &byte: &u8| crc >> 8 ^ CASTAGNOLI[usize::from(crc as u8 ^ byte)];
    u64::from(!bytes.iter().fold(!0, step))
}

static BZIP2: [u32; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut crc = (i as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc >> 31 == 1 {
                crc << 1 ^ 0x04C1_1DB7
            } else {
                crc << 1
            };
            bit += 1;
        }
        table[i] = crc;
        i += 1;
    }
    table
};

/// CRC-32/BZIP2: the polynomial of zlib's, most significant bit first.
pub(super) fn crc32_bzip2(bytes: &[u8]) -> u64 {
    let step = |crc: u32, &byte: &u8| crc << 8 ^ BZIP2[usize::from((crc >> 24) as u8 ^ byte)];
    u64::from(!bytes.iter().fold(!0, step))
}

static XMODEM: [u16; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut crc = (i as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc >> 15 == 1 {
                crc << 1 ^ 0x1021
            } else {
                crc << 1
            };
            bit += 1;
        }
        table[i] = crc;
        i += 1;
    }
    table
};

/// CRC-16/XMODEM.
pub(super) fn crc16(bytes: &[u8]) -> u64 {
    let step = |crc: u16, &byte: &u8| crc << 8 ^ XMODEM[usize::from((crc >> 8) as u8 ^ byte)];
    u64::from(bytes.iter().fold(0, step))
}

/// twemproxy shifts in 32 bits and never masks, so the upper half keeps what a CRC-16 would drop.
pub(super) fn crc16_wide(bytes: &[u8]) -> u64 {
    let step =
        |crc: u32, &byte: &u8| crc << 8 ^ u32::from(XMODEM[usize::from((crc >> 8) as u8 ^ byte)]);
    u64::from(bytes.iter().fold(0, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check values of the catalogue of parametrised CRC algorithms.
    #[test]
    fn the_catalogue_s_check_values_hold() {
        let check = b"123456789";
        assert_eq!(crc32(check), 0xCBF4_3926);
        assert_eq!(crc32c(check), 0xE306_9283);
        assert_eq!(crc32_bzip2(check), 0xFC89_1918);
        assert_eq!(crc16(check), 0x31C3);
    }

    #[test]
    fn short_and_long_crcs_are_one_function() {
        let bytes: Vec<u8> = (0..200).map(|i| (i * 37) as u8).collect();
        for length in 0..200 {
            let expected = crc32fast::hash(&bytes[..length]);
            assert_eq!(crc32(&bytes[..length]), u64::from(expected), "{length}");
            assert_eq!(short_crc32(&bytes[..length]), expected, "{length}");
        }
    }

    #[test]
    fn a_chained_crc_equals_the_crc_of_the_whole() {
        let head = crc32fast::hash(b"10.0.1.1\x0011211");
        let whole = crc32fast::hash(b"10.0.1.1\x0011211\x01\x02\xfe\xff");
        assert_eq!(chained_crc32(head, [1, 2, 0xfe, 0xff]), whole);
    }
}
