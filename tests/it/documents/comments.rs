//! Comments fit the width of the code, and begin with words of their own.

use super::source::{files, read};

const WIDTH: usize = 120;

/// Comment lines that are too wide, and documentation that leans on the item above it.
fn faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (line, comment) in (1..).zip(text.lines()).filter(|(_, line)| line.trim_start().starts_with("//")) {
        let width = comment.chars().count();
        if width > WIDTH {
            faults.push(format!("{path}:{line} has {width} columns; {WIDTH} are the most"));
        }
        let comment = comment.trim_start();
        let documentation = comment.strip_prefix("///").or_else(|| comment.strip_prefix("//!")).unwrap_or_default();
        if documentation.trim_start().starts_with("The same") {
            faults.push(format!("{path}:{line} begins with “The same”: say what the item is, or delete the line"));
        }
    }
    faults
}

#[test]
fn comments_fit_and_stand_alone() {
    let paths = ["src", "tests"].map(|folder| files(folder, "rs")).concat();
    assert!(paths.len() > 1000, "the sources were found");
    let faults: Vec<_> = paths.iter().flat_map(|path| faults(path, &read(path))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_wide_or_leaning_comment_is_found() {
    let wide = format!("    /// {}", "a".repeat(WIDTH));
    for text in [wide.as_str(), "/// The same for another chain.", "    //! The same, later."] {
        assert_eq!(faults("src/a.rs", text).len(), 1, "{text}");
    }
    let code = format!("let a = \"{}\";", "a".repeat(WIDTH));
    for text in [code.as_str(), "/// Returns the same chain.", "// The same again.", "let the = \"The same\";"] {
        assert_eq!(faults("src/a.rs", text), Vec::<String>::new(), "{text}");
    }
}
