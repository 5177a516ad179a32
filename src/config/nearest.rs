/// Returns the known name closest to a mistyped name; `None` if no name is near.
///
/// A name is near if at most a third of the typed characters (at least two) are changed, missing, added or swapped. A
/// known name that starts with the typed text is near too.
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

/// Counts the edits between two words; swapping neighbours is one edit.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    let mut left_before = None;
    for (row, &left) in from.iter().enumerate() {
        let mut best = row + 1;
        let mut current = vec![best];
        // Character one column to the left, with the distance two rows up and two columns left; a swap adds one edit to
        // it.
        let mut swap = None;
        for ((column, &right), (diagonal, above)) in to.iter().enumerate().zip(last.iter().zip(last.iter().skip(1))) {
            best = (diagonal + usize::from(left != right)).min(above + 1).min(best + 1);
            if let Some((right_before, Some(swapped))) = swap
                && right_before == left
                && left_before == Some(right)
            {
                best = best.min(swapped + 1);
            }
            current.push(best);
            swap = Some((right, before.get(column).copied()));
        }
        left_before = Some(left);
        before = std::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or_default()
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
