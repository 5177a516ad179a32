use std::cmp::Ordering;

/// Compares ids of NFTs naturally, 2 before 10: runs of digits by value, and all other characters as text.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    while !left.is_empty() && !right.is_empty() {
        let (one, rest_one) = run(left);
        let (other, rest_other) = run(right);
        let order = if is_number(one) && is_number(other) { by_value(one, other) } else { one.cmp(other) };
        if order.is_ne() {
            return order;
        }
        (left, right) = (rest_one, rest_other);
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// Splits off the longest prefix made only of digits, or only of other characters.
fn run(text: &str) -> (&str, &str) {
    let is_digits = is_number(text);
    let end = text.find(|character: char| character.is_ascii_digit() != is_digits).unwrap_or(text.len());
    text.split_at(end)
}

fn is_number(text: &str) -> bool {
    text.starts_with(|character: char| character.is_ascii_digit())
}

fn by_value(one: &str, other: &str) -> Ordering {
    let (one, other) = (one.trim_start_matches('0'), other.trim_start_matches('0'));
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_count_and_words_do_not() {
        let mut ids = ["10", "9", "b2", "b10", "", "1", "007", "b1x", "2", "99999999999999999999999", "é"];
        ids.sort_by(|a, b| natural(a, b));
        assert_eq!(ids, ["", "1", "2", "007", "9", "10", "99999999999999999999999", "b1x", "b2", "b10", "é"]);
        assert!(natural("7", "007").is_ne(), "different ids are never equal");
    }
}
