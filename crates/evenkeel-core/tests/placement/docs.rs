//! docs/presets.md says what the table of presets says.

use std::collections::BTreeMap;
use std::fmt::Write;

use evenkeel_core::presets;

fn document() -> String {
    let mut text = String::from(
        "# Presets\n\n\
        A preset is a name for a complete description that places every key where an existing client places it, bit for bit. \
        Presets are frozen: what one gives never changes. All were compared with assignments recorded from the programs named here, \
        on x86-64 and little endian; agreement is complete.\n\n\
        `--points N` sets the points for a weight of 1, `--label host|host:port|name` the text that stands for a node. \
        Where neither is listed the original leaves no choice.\n",
    );
    let mut families: BTreeMap<usize, &str> = BTreeMap::new();
    for (place, preset) in presets().iter().enumerate() {
        let family = preset.name.split('/').next().unwrap();
        if !families.values().any(|known| *known == family) {
            families.insert(place, family);
        }
    }
    for family in families.values() {
        let members: Vec<_> = presets()
            .iter()
            .filter(|preset| preset.name.split('/').next() == Some(family))
            .collect();
        let first = members[0];
        let _ = write!(text, "\n## {family}\n\nReproduces {}.", first.version);
        if !first.quirks.is_empty() {
            let _ = write!(text, " {}", first.quirks);
        }
        let _ = write!(text, "\n\n| preset | what | options |\n|---|---|---|\n");
        for preset in members {
            let options = [
                (preset.takes_points, "`--points`"),
                (preset.takes_label, "`--label`"),
            ];
            let options: Vec<&str> = options
                .iter()
                .filter(|(takes, _)| *takes)
                .map(|(_, option)| *option)
                .collect();
            let _ = writeln!(
                text,
                "| `{}` | {} | {} |",
                preset.name,
                preset.about,
                options.join(" ")
            );
        }
    }
    text
}

/// `EVENKEEL_WRITE_DOCS=1 cargo test -p evenkeel-core --test placement docs` writes the page anew.
#[test]
fn the_page_of_presets_is_the_table_of_presets() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/presets.md");
    if std::env::var_os("EVENKEEL_WRITE_DOCS").is_some() {
        std::fs::write(path, document()).unwrap();
    }
    let page = std::fs::read_to_string(path).unwrap();
    assert!(
        page == document(),
        "docs/presets.md differs from the table; see this test's comment"
    );
}
