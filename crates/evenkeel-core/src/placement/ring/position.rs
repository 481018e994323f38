//! Positions of 32 and of 64 bits behind one interface.

/// A position on a circle.
pub(super) trait Position: Copy + Ord + std::fmt::Debug + Send + Sync + 'static {
    /// The greatest position.
    const MAX: Self;
    /// The low bits of a hash.
    fn from_hash(hash: u64) -> Self;
    /// Back to a number.
    fn to_u64(self) -> u64;
    /// The mirror image: `MAX - self`.
    fn mirrored(self) -> Self;
    /// One higher, 0 after the greatest.
    fn next(self) -> Self;
    /// Half of the way up to `other`, around the circle if need be, rounded down.
    fn middle(self, other: Self) -> Self;
    /// The 32 bits that say most about the order.
    fn top32(self) -> u32;
    /// `self * count / 2^width`: which of `count` equal parts of the circle, and the next 16 bits, which say where in that part.
    fn part(self, count: u32) -> (u32, u16);
}

macro_rules! position {
    ($type:ty, $double:ty) => {
        impl Position for $type {
            const MAX: Self = <$type>::MAX;
            #[inline]
            fn from_hash(hash: u64) -> Self {
                hash as Self
            }
            #[inline]
            fn to_u64(self) -> u64 {
                u64::from(self)
            }
            #[inline]
            fn mirrored(self) -> Self {
                !self
            }
            #[inline]
            fn next(self) -> Self {
                self.wrapping_add(1)
            }
            fn middle(self, other: Self) -> Self {
                self.wrapping_add(other.wrapping_sub(self) / 2)
            }
            fn top32(self) -> u32 {
                (self >> (Self::BITS - 32)) as u32
            }
            #[inline]
            fn part(self, count: u32) -> (u32, u16) {
                let product = <$double>::from(self) * <$double>::from(count);
                (
                    (product >> Self::BITS) as u32,
                    (product >> (Self::BITS - 16)) as u16,
                )
            }
        }
    };
}

position!(u32, u64);
position!(u64, u128);
