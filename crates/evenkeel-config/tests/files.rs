//! Files that people write, and what they are told about them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use evenkeel_config::{Config, Diagnostics, Source, to_toml};
use evenkeel_core::{Placement, Weight};

fn parse(name: &str, text: &str) -> Result<(Config, Diagnostics), Diagnostics> {
    Config::parse(Source::new(name, text))
}

fn toml(text: &str) -> Result<(Config, Diagnostics), Diagnostics> {
    parse("evenkeel.toml", text)
}

/// A pool with these lines, two nodes, and these lines behind.
fn pool(lines: &str, behind: &str) -> String {
    format!(
        "[[pool]]\nname = \"p\"\n{lines}\n[[pool.node]]\nname = \"a\"\naddress = \"10.0.1.1:11211\"\n\
         [[pool.node]]\nname = \"b\"\naddress = \"10.0.1.2:11211\"\n{behind}\n"
    )
}

/// The text that is drawn for a file with errors; it must hold every one of `words`.
#[track_caller]
fn refused(name: &str, text: &str, words: &[&str]) {
    let drawn = parse(name, text)
        .expect_err("the file is refused")
        .to_string();
    for word in words {
        assert!(drawn.contains(word), "{word:?} is not in:\n{drawn}");
    }
}

#[test]
fn a_file_gives_its_pools_and_settings() {
    let text = pool(
        "listen = [\"127.0.0.1:22121\", \"unix:/run/p.sock\"]\nplacement = \"nginx-consistent\"\nhash_tag = \"{}\"\nrequest_timeout = \"250ms\"\nmax_value = \"2MiB\"\non_node_down = \"miss\"",
        "weight = 3\n[pool.migration]\nrate = 500\nhold_timeout = \"1s\"",
    );
    let (config, warnings) = toml(&text).unwrap();
    assert!(warnings.list.is_empty(), "{warnings}");
    let pool = config.pool(None).unwrap();
    assert_eq!(pool.listen.len(), 2);
    assert_eq!(pool.topology.preset().unwrap().name, "nginx-consistent");
    assert_eq!(
        pool.topology.nodes()[1].weight,
        Weight::from_thousandths(3_000).unwrap()
    );
    assert_eq!(pool.topology.key_rule().hash_tag, Some(*b"{}"));
    assert_eq!(pool.settings.request_timeout, Duration::from_millis(250));
    assert_eq!(pool.settings.max_value, 2 << 20);
    assert_eq!(
        (pool.migration.rate, pool.migration.options.hold_timeout_ms),
        (500, 1_000)
    );
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_change_nothing() {
    let text = format!("\u{feff}{}", pool("", "").replace('\n', "\r\n"));
    assert_eq!(toml(&text).unwrap().0.pools.len(), 1);
    let servers = "\u{feff}10.0.1.1:11211\t600\r\n# comment\r\n\r\n10.0.1.2:11211\t300\r\n";
    assert_eq!(
        parse("x.servers", servers).unwrap().0.pools[0]
            .topology
            .nodes()
            .len(),
        2
    );
}

#[test]
fn an_unknown_key_is_told_with_its_place_and_the_likely_one() {
    refused(
        "evenkeel.toml",
        &pool("request_timout = \"1s\"", ""),
        &["evenkeel.toml:3:1", "did you mean `request_timeout`?"],
    );
    refused("evenkeel.toml", "pools = 1\n", &["did you mean `pool`?"]);
}

#[test]
fn several_errors_are_told_at_once() {
    refused(
        "evenkeel.toml",
        &pool(
            "request_timeout = 5\nmax_value = \"2\"\nallow_flush = \"yes\"\nplacement = \"nginx-consistant\"",
            "weight = -1",
        ),
        &[
            "number without a unit",
            "request_timeout = \"500ms\"",
            "has no unit",
            "allow_flush = true",
            "did you mean \"nginx-consistent\"?",
            "`weight`",
        ],
    );
}

/// coreos/torus#246, nginx/nginx#191, envoyproxy/envoy#31724 and kin.
#[test]
fn weights_that_are_none_are_refused() {
    for weight in ["-1", "nan", "inf", "1e9", "4294967296", "\"\"", "0.0001"] {
        refused(
            "evenkeel.toml",
            &pool("", &format!("weight = {weight}")),
            &["weight", "evenkeel.toml:10:"],
        );
    }
    refused(
        "evenkeel.toml",
        "[[pool]]\n[[pool.node]]\naddress = \"h:1\"\nweight = 0\n",
        &["no node has a weight above 0"],
    );
    refused("evenkeel.toml", "[[pool]]\nname = \"p\"\n", &["no nodes"]);
    refused("evenkeel.toml", "", &["no pool"]);
}

/// php.net, Memcached::addServers: both lines are shown.
#[test]
fn a_name_given_twice_is_an_error_with_both_places() {
    let text = pool("", "[[pool.node]]\nname = \"a\"\naddress = \"10.0.1.3\"");
    refused(
        "evenkeel.toml",
        &text,
        &["the first one with this name", "\"a\"", "5 |", "11 |"],
    );
}

/// twitter/twemproxy#554: two names for one address work, and are pointed out.
#[test]
fn two_names_for_one_address_are_a_warning() {
    let text = pool(
        "",
        "[[pool.node]]\nname = \"c\"\naddress = \"10.0.1.1:11211\"",
    );
    let (_, warnings) = toml(&text).unwrap();
    assert!(warnings.to_string().contains("same address"), "{warnings}");
    assert!(warnings.strict().has_errors());
}

/// memcached/memcached#118, petergoldstein/dalli#428.
#[test]
fn ipv6_addresses_want_brackets_where_they_could_mean_two_things() {
    refused(
        "evenkeel.toml",
        &pool("", "[[pool.node]]\nname = \"c\"\naddress = \"::1:11211\""),
        &["[::1]:11211"],
    );
    let (config, _) = toml(&pool(
        "",
        "[[pool.node]]\nname = \"c\"\naddress = \"[2001:db8::2]:11212\"",
    ))
    .unwrap();
    assert_eq!(
        config.pools[0].topology.nodes()[2].address.to_string(),
        "[2001:db8::2]:11212"
    );
}

#[test]
fn names_that_would_break_a_list_are_refused() {
    for name in ["a\\tb", "a\\nb", ""] {
        refused(
            "evenkeel.toml",
            &format!("[[pool]]\n[[pool.node]]\nname = \"{name}\"\naddress = \"h:1\"\n"),
            &["name"],
        );
    }
}

#[test]
fn a_slot_map_with_a_hole_is_refused() {
    let map = "placement = { scheme = \"redis-cluster\", ranges = [{ first = 0, last = 100, node = \"a\" }, { first = 102, last = 16383, node = \"b\" }] }";
    refused("evenkeel.toml", &pool(map, ""), &["101"]);
    let twice = "placement = { scheme = \"redis-cluster\", ranges = [{ first = 0, last = 100, node = \"a\" }, { first = 100, last = 16383, node = \"b\" }] }";
    refused("evenkeel.toml", &pool(twice, ""), &["100"]);
}

#[test]
fn broken_toml_is_told_with_its_line() {
    refused(
        "evenkeel.toml",
        "[[pool]]\nname = \"p\nx = 1\n",
        &["evenkeel.toml:2:"],
    );
}

const NUTCRACKER: &str = "alpha:\n  listen: 127.0.0.1:22121\n  hash: fnv1a_64\n  distribution: ketama\n  hash_tag: \"{}\"\n  auto_eject_hosts: true\n  timeout: 400\n  redis: false\n  backlog: 512\n  servers:\n   - 127.0.0.1:11211:1\n   - 127.0.0.1:11212:2 beta\n";

#[test]
fn a_twemproxy_file_is_read_and_written_again_with_the_same_placement() {
    let (config, warnings) = parse("nutcracker.yml", NUTCRACKER).unwrap();
    assert!(warnings.to_string().contains("not ejected"), "{warnings}");
    let pool = &config.pools[0];
    assert_eq!(pool.settings.request_timeout, Duration::from_millis(400));
    let written = to_toml(&config.pools).unwrap();
    let (again, warnings) = toml(&written).unwrap();
    assert!(warnings.list.is_empty(), "{warnings}");
    assert_eq!(
        again.pools[0].topology.digest(),
        pool.topology.digest(),
        "{written}"
    );
    let (one, two) = (
        Placement::build(&pool.topology),
        Placement::build(&again.pools[0].topology),
    );
    for number in 0..1_000 {
        let key = format!("k{number}");
        assert_eq!(one.node_of(key.as_bytes()), two.node_of(key.as_bytes()));
    }
}

#[test]
fn what_a_twemproxy_file_cannot_have_is_refused_with_its_line() {
    let with = |from: &str, to: &str| NUTCRACKER.replace(from, to);
    refused("n.yml", &with("ketama", "random"), &["n.yml:4:", "random"]);
    refused(
        "n.yml",
        &with("fnv1a_64", "sha1"),
        &["n.yml:3:", "fnv1a_64"],
    );
    refused(
        "n.yml",
        &with("11212:2 beta", "11212:0 beta"),
        &["n.yml:12:", "weight is 0"],
    );
    refused("n.yml", &with("backlog: 512", "baklog: 512"), &["n.yml:9:"]);
    refused("n.yml", &with("\"{}\"", "\"{\""), &["two characters"]);
    refused("n.yml", "alpha: [", &["n.yml:"]);
    refused("n.yml", "", &["no pool"]);
}

#[test]
fn a_libketama_file_with_a_bad_line_is_refused_with_its_place() {
    refused(
        "x.servers",
        "10.0.1.1:11211\t600\n10.0.1.2:11211\n",
        &["x.servers:2:1", "a tab and the weight"],
    );
}

#[test]
fn a_file_that_is_not_there_or_not_text_is_told() {
    let missing = Config::load(std::path::Path::new("/nonexistent/evenkeel.toml")).unwrap_err();
    assert!(
        missing
            .to_string()
            .contains("/nonexistent/evenkeel.toml: No such file"),
        "{missing}"
    );
    let folder = std::env::temp_dir().join(format!("evenkeel-config-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("latin1.toml");
    std::fs::write(&path, b"# ok\nname = \"caf\xe9\"\n").unwrap();
    let latin = Config::load(&path).unwrap_err().to_string();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(latin.contains("line 2 is not UTF-8"), "{latin}");
}
