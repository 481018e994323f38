//! Adler-32 (RFC 1950).

/// The largest prime below 2^16.
const MODULUS: u32 = 65_521;

pub(super) fn adler32(bytes: &[u8]) -> u64 {
    let (mut a, mut b) = (1, 0);
    for &byte in bytes {
        a = (a + u32::from(byte)) % MODULUS;
        b = (b + a) % MODULUS;
    }
    u64::from(b << 16 | a)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_value_of_the_rfc_s_example_holds() {
        assert_eq!(super::adler32(b"Wikipedia"), 0x11E6_0398);
    }
}
