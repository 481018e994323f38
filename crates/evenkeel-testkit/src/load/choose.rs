//! Which key comes next.

use super::plan::Keys;

/// An odd multiplier spreads neighbouring ranks over the key space, so that hot keys are no neighbours.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Chooses keys by the plan's distribution.
pub struct Chooser {
    random: fastrand::Rng,
    count: u64,
    kind: Kind,
}

enum Kind {
    Uniform,
    InOrder(u64),
    Zipf(Zipf),
}

impl Chooser {
    pub fn new(keys: Keys, count: u64, seed: u64) -> Self {
        let kind = match keys {
            Keys::Uniform => Kind::Uniform,
            Keys::InOrder => Kind::InOrder(0),
            Keys::Zipf(theta) => Kind::Zipf(Zipf::new(count, theta)),
        };
        Self {
            random: fastrand::Rng::with_seed(seed),
            count,
            kind,
        }
    }

    pub fn next_key(&mut self) -> u64 {
        match &mut self.kind {
            Kind::Uniform => self.random.u64(..self.count),
            Kind::InOrder(next) => {
                let key = *next % self.count;
                *next += 1;
                key
            }
            Kind::Zipf(zipf) => zipf.rank(self.random.f64()).wrapping_mul(SPREAD) % self.count,
        }
    }

    /// True with probability `share`.
    pub fn happens(&mut self, share: f64) -> bool {
        self.random.f64() < share
    }
}

/// Zipf ranks by the approximation of Gray and others, "Quickly generating billion-record synthetic databases" (SIGMOD
/// 1994): a closed form once the harmonic sum is known.
struct Zipf {
    count: f64,
    theta: f64,
    alpha: f64,
    zeta: f64,
    eta: f64,
}

impl Zipf {
    fn new(count: u64, theta: f64) -> Self {
        assert!(theta > 0.0 && theta < 1.0, "theta lies between 0 and 1");
        let harmonic = |n: u64| (1..=n).map(|rank| (rank as f64).powf(-theta)).sum::<f64>();
        let (zeta, zeta2) = (harmonic(count), harmonic(2));
        let n = count as f64;
        Self {
            count: n,
            theta,
            alpha: 1.0 / (1.0 - theta),
            zeta,
            eta: (1.0 - (2.0 / n).powf(1.0 - theta)) / (1.0 - zeta2 / zeta),
        }
    }

    /// The rank, from 0, of a uniform number in [0, 1).
    fn rank(&self, uniform: f64) -> u64 {
        let scaled = uniform * self.zeta;
        if scaled < 1.0 {
            0
        } else if scaled < 1.0 + 0.5f64.powf(self.theta) {
            1
        } else {
            let rank = self.count * (self.eta * uniform - self.eta + 1.0).powf(self.alpha);
            (rank as u64).min(self.count as u64 - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Zipf;

    /// Probability of the first rank is 1/zeta; with theta 0.99 over 1,000 ranks the sum is 7.73 (computed by hand).
    #[test]
    fn the_hottest_key_has_its_share() {
        let zipf = Zipf::new(1_000, 0.99);
        let mut random = fastrand::Rng::with_seed(7);
        let draws = 200_000;
        let first = (0..draws).filter(|_| zipf.rank(random.f64()) == 0).count();
        let share = first as f64 / f64::from(draws);
        assert!((share - 1.0 / 7.73).abs() < 0.004, "{share}");
    }
}
