//! The parser once more, as plainly as it can be said: whole buffer, lists of words, no state.

use super::drive;
use evenkeel_wire::memcached::Limits;
use proptest::prelude::*;

/// One request at the front: what it is, and how many bytes are done with.
fn naive(bytes: &[u8]) -> Option<(String, usize)> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let mut line = &bytes[..end];
    if line.len() > 1 && line.ends_with(b"\r") {
        line = &line[..line.len() - 1];
    }
    let line = line.split(|byte| *byte == 0).next().unwrap();
    let words: Vec<String> = line
        .split(|byte| *byte == b' ')
        .filter(|word| !word.is_empty())
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let quiet = words.last() == Some(&"noreply");
    let error = |text: &str| {
        Some((
            format!("answer {:?} None \"\" false", format!("{text}\r\n")),
            end + 1,
        ))
    };
    let bad_key = |key: &str| key.len() > 250 || key.contains('\r');
    match words.as_slice() {
        ["get", keys @ ..] if !keys.is_empty() => {
            if keys.iter().any(|key| bad_key(key)) {
                return error("CLIENT_ERROR bad command line format");
            }
            Some((
                format!("Get Read keys {keys:?} quiet false body None cas \"\""),
                end + 1,
            ))
        }
        ["set", key, flags, exptime, len] | ["set", key, flags, exptime, len, _] => {
            let readable =
                number(flags).is_some_and(|flags| flags >= 0) && number(exptime).is_some();
            let len = number(len).filter(|len| (0..=i128::from(i32::MAX) - 2).contains(len));
            match len {
                Some(len) if readable && !bad_key(key) => Some((
                    format!(
                        "Set Overwrite keys {:?} quiet {quiet} body Some({len}) cas \"\"",
                        [key]
                    ),
                    end + 1,
                )),
                _ => None,
            }
        }
        ["touch", key, exptime] | ["touch", key, exptime, _] if !quiet => match number(exptime) {
            _ if bad_key(key) => error("CLIENT_ERROR bad command line format"),
            None => error("CLIENT_ERROR invalid exptime argument"),
            Some(_) => Some((
                format!(
                    "Touch Update keys {:?} quiet false body None cas \"\"",
                    [key]
                ),
                end + 1,
            )),
        },
        ["mn", ..] => Some((
            "MetaNoop Local keys [] quiet false body None cas \"\"".into(),
            end + 1,
        )),
        ["get"] | ["nonsense", ..] | [] => error("ERROR"),
        _ => None,
    }
}

fn number(word: &str) -> Option<i128> {
    let digits = word.trim_start_matches(['+', '-']);
    let signs = word.len() - digits.len();
    (signs <= 1
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.len() < 19)
        .then(|| word.trim_start_matches('+').parse().unwrap())
}

fn word() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(b"get".to_vec()),
        Just(b"set".to_vec()),
        Just(b"touch".to_vec()),
        Just(b"mn".to_vec()),
        Just(b"nonsense".to_vec()),
        Just(b"noreply".to_vec()),
        Just(b"k\tey".to_vec()),
        Just(vec![b'k'; 250]),
        Just(vec![b'k'; 251]),
        (-3i64..70_000).prop_map(|number| number.to_string().into_bytes()),
        "[a-z0-9+.-]{1,8}".prop_map(String::into_bytes),
    ]
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let blanks = prop_oneof![4 => Just(b" ".to_vec()), 1 => Just(b"   ".to_vec())];
    let ends = prop_oneof![4 => Just(b"\r\n".to_vec()), 1 => Just(b"\n".to_vec())];
    (proptest::collection::vec((word(), blanks), 0..7), ends).prop_map(|(words, end)| {
        let mut line: Vec<u8> = words
            .into_iter()
            .flat_map(|(word, blank)| [word, blank])
            .flatten()
            .collect();
        line.extend(end);
        line
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_parser_agrees_with_its_naive_twin(line in line(), cut in any::<prop::sample::Index>()) {
        if let Some((expected, _)) = naive(&line) {
            let (left, right) = line.split_at(cut.index(line.len()));
            let units = drive::requests(&[left, right], Limits::default());
            prop_assert_eq!(&units[0], &expected, "{}", String::from_utf8_lossy(&line));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_pieces_of_any_bytes_give_the_same_units(
        bytes in proptest::collection::vec(prop_oneof![
            Just(b' '), Just(b'\r'), Just(b'\n'), Just(0u8), b'a'..=b'z', b'0'..=b'9', any::<u8>()
        ], 0..300),
        size in 1usize..40,
    ) {
        let pieces: Vec<_> = bytes.chunks(size).collect();
        prop_assert_eq!(
            drive::requests(&pieces, Limits::default()),
            drive::requests(&[&bytes], Limits::default())
        );
    }
}
