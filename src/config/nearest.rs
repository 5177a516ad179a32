/// The known name that a mistyped one most likely means; `None` when nothing is near.
///
/// Near is at most a third of the typed characters, and two at least, changed, missing, added or swapped;
/// a known name that begins with what was typed counts as near too.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let allowed = (typed.chars().count() / 3).max(2);
    known
        .into_iter()
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let distance = distance(&typed, &lower);
            let begins = typed.chars().count() >= 3 && lower.starts_with(&typed);
            (distance <= allowed.min(lower.chars().count().saturating_sub(1)) || begins).then_some((distance, name))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Edits between two words, where swapping neighbours is one edit.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (row, &left) in from.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &right) in to.iter().enumerate() {
            let mut best =
                (last[column] + usize::from(left != right)).min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && left == to[column - 1] && from[row - 1] == right {
                let swapped: usize = before[column - 1];
                best = best.min(swapped + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut last, current);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn counts_edits_and_swaps() {
        assert_eq!(distance("cabal", "cabal"), 0);
        assert_eq!(distance("caabl", "cabal"), 1);
        assert_eq!(distance("cbal", "cabal"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn takes_the_nearest_and_nothing_far() {
        assert_eq!(nearest("caball", ["civitia", "cabal", "strat"]), Some("cabal"));
        assert_eq!(nearest("YOMI", ["cabal", "yominet"]), Some("yominet"));
        assert_eq!(nearest("ethereum", ["cabal", "yominet"]), None);
        assert_eq!(nearest("x", ["ab", "c"]), None);
    }
}
