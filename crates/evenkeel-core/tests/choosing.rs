//! The figures in docs/choosing-a-placement.md are what the library computes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;

use evenkeel_core::analysis::{Compared, Method, balance, balance_by_points, compare, plan};
use evenkeel_core::{KeyRule, Node, Placement, Scheme, Topology};

const PAGE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/choosing-a-placement.md"
);

/// What the first table compares. Each can be had with nodes of weight 1 and no options.
const COMPARED: [&str; 12] = [
    "slots",
    "maglev",
    "ring",
    "nginx-consistent",
    "libketama",
    "flexihash/md5",
    "flexihash/crc32",
    "article-crc32-64",
    "article-md5-crc32",
    "article-unit-circle",
    "jump",
    "crc32-modulo",
];

/// Nodes of the first and second table.
const NODES: usize = 10;

/// Nodes of the third table: enough that chance does not decide.
const MANY_NODES: usize = 100;

const POINTS: [u32; 7] = [8, 16, 32, 64, 128, 256, 512];

fn pool(count: usize) -> Vec<Node> {
    let node = |i| {
        let address = format!("10.0.1.{i}:11211").parse().unwrap();
        Node::new(format!("cache-{i}"), address)
    };
    (1..=count).map(node).collect()
}

fn topology(count: usize, scheme: &str) -> Topology {
    Topology::new(pool(count), scheme.parse().unwrap(), KeyRule::default()).unwrap()
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Whole KiB, which do not depend on how a struct is laid out.
fn kib(bytes: usize) -> String {
    format!("{} KiB", bytes.div_ceil(1024))
}

fn comparison() -> String {
    let mut text = String::from(
        "| placement | max/mean | one more node moves | of that between old nodes | one node less moves | \
         of that between survivors, at worst | a survivor grows at worst | memory |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let schemes = COMPARED.map(|name| name.parse::<Scheme>().unwrap());
    let compared = compare(&topology(NODES, "slots"), &schemes);
    for (name, compared) in COMPARED.iter().zip(compared) {
        text.push_str(&comparison_row(name, &compared.unwrap()));
    }
    text
}

fn comparison_row(name: &str, compared: &Compared) -> String {
    format!(
        "| `{name}` | {:.2} | {} | {} | {} | {} | {:.2} times | {} |\n",
        compared.max_over_mean,
        percent(compared.moved_by_adding),
        percent(compared.between_old_by_adding),
        percent(compared.moved_by_removing),
        percent(compared.between_old_by_removing),
        compared.heaviest_growth,
        kib(compared.bytes),
    )
}

fn points() -> String {
    let presets = ["flexihash/crc32", "flexihash/md5"];
    let mut text = String::from(
        "| points for each node | CRC-32: deviation | max/mean | MD5: deviation | max/mean |\n|--:|--:|--:|--:|--:|\n",
    );
    let [crc, md5] =
        presets.map(|preset| balance_by_points(&topology(NODES, preset), POINTS).unwrap());
    for ((points, crc), (_, md5)) in crc.iter().zip(&md5) {
        let _ = writeln!(
            text,
            "| {points} | {:.2} | {:.2} | {:.2} | {:.2} |",
            crc.deviation, crc.max_over_mean, md5.deviation, md5.max_over_mean
        );
    }
    text
}

fn hashes() -> String {
    let mut text = String::from(
        "| ring | points | deviation | max/mean | min/mean |\n|---|--:|--:|--:|--:|\n",
    );
    for preset in ["article-crc32-64", "flexihash/crc32", "flexihash/md5"] {
        let balance = balance(&Placement::build(&topology(MANY_NODES, preset)));
        let _ = writeln!(
            text,
            "| `{preset}` | 64 | {:.2} | {:.2} | {:.2} |",
            balance.deviation, balance.max_over_mean, balance.min_over_mean
        );
    }
    text
}

/// The page with the text between `<!-- table: NAME -->` and `<!-- end -->` replaced.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let begin = format!("<!-- table: {name} -->\n");
    let (before, rest) = page.split_once(&begin).expect(name);
    let (_, after) = rest.split_once("<!-- end -->").expect(name);
    format!("{before}{begin}{table}<!-- end -->{after}")
}

/// `EVENKEEL_WRITE_DOCS=1 cargo test -p evenkeel-core --test choosing` writes the tables anew.
#[test]
fn the_tables_for_choosing_a_placement_are_computed() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let mut wanted = with_table(&page, "comparison", &comparison());
    wanted = with_table(&wanted, "points", &points());
    wanted = with_table(&wanted, "hashes", &hashes());
    if std::env::var_os("EVENKEEL_WRITE_DOCS").is_some() {
        std::fs::write(PAGE, &wanted).unwrap();
        return;
    }
    assert!(
        page == wanted,
        "docs/choosing-a-placement.md differs from what is computed; see this test's comment"
    );
}

#[test]
fn of_the_compared_placements_only_jump_is_counted_on_a_sample() {
    for scheme in COMPARED {
        let before = Placement::build(&topology(NODES, scheme));
        let after = Placement::build(&topology(NODES + 1, scheme));
        let exact = plan(&before, &after).method == Method::Exact;
        assert_eq!(exact, scheme != "jump", "{scheme}");
    }
}

#[test]
fn a_plan_in_which_nothing_moves_between_old_nodes_says_plain_zero() {
    let before = Placement::build(&topology(NODES, "slots"));
    let after = Placement::build(&topology(NODES + 1, "slots"));
    assert!(plan(&before, &after).moved_between_old.is_sign_positive());
    assert!(plan(&before, &before).moved.is_sign_positive());
}
