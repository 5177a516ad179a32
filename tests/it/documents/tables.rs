//! Tables in `assets/` say where they come from, and how to change them.

use super::source::{files, read};

fn lacks(table: &str) -> Vec<&'static str> {
    let head: String = table.lines().take_while(|line| line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
    ["# Source: ", "# To change: "].into_iter().filter(|part| !head.contains(part)).collect()
}

#[test]
fn every_table_names_its_source() {
    let tables = files("assets", "tsv");
    assert!(tables.len() >= 5, "{tables:?}");
    for path in tables.into_iter().chain(["assets/networks.toml".to_owned()]) {
        assert_eq!(lacks(&read(&path)), Vec::<&str>::new(), "{path}");
    }
}

#[test]
fn a_table_without_a_source_is_found() {
    assert_eq!(lacks("# Source: b\na\t1\n# To change: c\n"), ["# To change: "]);
    assert_eq!(lacks("a\t1\n").len(), 2);
}
