//! A row of bars for a terminal.

const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// One character for each value, its height in eighths of `top`. A value above 0 is never drawn as nothing: a single
/// read of the origin shall be seen.
pub fn chart(values: &[u32], top: u32) -> String {
    let bar = |value: &u32| {
        let eighths = u64::from(*value) * 8;
        let height = eighths.div_ceil(u64::from(top.max(1))).min(8);
        usize::try_from(height)
            .ok()
            .and_then(|height| BARS.get(height))
            .copied()
            .unwrap_or('█')
    };
    values.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_the_height_of_their_values() {
        assert_eq!(chart(&[0, 1, 50, 100, 200], 100), " ▁▄██");
        assert_eq!(chart(&[0, 1], 0), " █");
    }
}
