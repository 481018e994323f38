//! Bob Jenkins's lookup3, `hashlittle`.

/// libhashkit's initial value.
const INITIAL: u32 = 13;

pub(super) fn lookup3(bytes: &[u8]) -> u64 {
    let start = 0xDEAD_BEEF_u32
        .wrapping_add(bytes.len() as u32)
        .wrapping_add(INITIAL);
    let mut state = [start; 3];
    let mut rest = bytes;
    // The last block, full or not, is mixed by other rounds, so one block is always left over.
    while rest.len() > 12 {
        let (block, after) = rest.split_at(12);
        absorb(&mut state, block);
        mix(&mut state);
        rest = after;
    }
    if rest.is_empty() {
        return u64::from(state[2]);
    }
    absorb(&mut state, rest);
    u64::from(last_mix(state))
}

/// Adds up to 12 bytes, little endian, as if zeros followed.
fn absorb(state: &mut [u32; 3], block: &[u8]) {
    let mut padded = [0; 12];
    padded[..block.len()].copy_from_slice(block);
    for (word, bytes) in state.iter_mut().zip(padded.chunks_exact(4)) {
        *word = word.wrapping_add(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    }
}

fn mix([a, b, c]: &mut [u32; 3]) {
    for shifts in [[4, 6, 8], [16, 19, 4]] {
        *a = a.wrapping_sub(*c) ^ c.rotate_left(shifts[0]);
        *c = c.wrapping_add(*b);
        *b = b.wrapping_sub(*a) ^ a.rotate_left(shifts[1]);
        *a = a.wrapping_add(*c);
        *c = c.wrapping_sub(*b) ^ b.rotate_left(shifts[2]);
        *b = b.wrapping_add(*a);
    }
}

fn last_mix([mut a, mut b, mut c]: [u32; 3]) -> u32 {
    c = (c ^ b).wrapping_sub(b.rotate_left(14));
    a = (a ^ c).wrapping_sub(c.rotate_left(11));
    b = (b ^ a).wrapping_sub(a.rotate_left(25));
    c = (c ^ b).wrapping_sub(b.rotate_left(16));
    a = (a ^ c).wrapping_sub(c.rotate_left(4));
    b = (b ^ a).wrapping_sub(a.rotate_left(14));
    (c ^ b).wrapping_sub(b.rotate_left(24))
}
