//! "Did you mean": the nearest of a list of names.

/// The candidate with the least edit distance to `name`; the first of several. Nothing if there is no candidate.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates.min_by_key(|candidate| distance(name, candidate))
}

/// Levenshtein's distance, over bytes. Long input is cut: no name is as long, and time is quadratic.
fn distance(a: &str, b: &str) -> usize {
    const LONGEST: usize = 64;
    let cut = |s: &str| {
        s.bytes()
            .take(LONGEST)
            .map(|c| c.to_ascii_lowercase())
            .collect::<Vec<_>>()
    };
    let (a, b) = (cut(a), cut(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_the_one_with_the_fewest_edits() {
        let names = || ["libketama", "nginx-consistent", "dalli"].into_iter();
        assert_eq!(
            nearest("ngix-consistent", names()),
            Some("nginx-consistent")
        );
        assert_eq!(nearest("Ketama", names()), Some("libketama"));
    }
}
