//! Rows of a page that is not valid JSON because one row has a bad byte or token.

/// Returns the rows of the list in this field, and the page's pagination; `None` if the page has another format.
pub(super) fn torn_page<'a>(body: &'a [u8], field: &str) -> Option<(Vec<&'a [u8]>, &'a [u8])> {
    let rows = value_of(body, field)?.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let rows = parts(rows).into_iter().map(<[u8]>::trim_ascii).filter(|row| !row.is_empty());
    Some((rows.collect(), value_of(body, "pagination")?))
}

/// Returns the value of a field of the outermost object.
fn value_of<'a>(body: &'a [u8], field: &str) -> Option<&'a [u8]> {
    let fields = body.trim_ascii().strip_prefix(b"{")?.strip_suffix(b"}")?;
    let name = format!("\"{field}\"");
    let value = |pair: &'a [u8]| pair.trim_ascii().strip_prefix(name.as_bytes())?.trim_ascii().strip_prefix(b":");
    parts(fields).into_iter().find_map(value).map(<[u8]>::trim_ascii)
}

/// Splits at the commas outside of strings and brackets.
fn parts(text: &[u8]) -> Vec<&[u8]> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    let (mut is_string, mut is_escaped) = (false, false);
    for (place, byte) in text.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.extend(text.get(start..place));
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_texts_and_in_rows_split_nothing() {
        let body = br#" {"a":[1], "txs": [{"memo":"x, \"]","n":NaN}, {"b":[1,2]},{"c":{"d":1,"e":2}}] ,"pagination":{"total":"3"}}"#;
        let (rows, pagination) = torn_page(body, "txs").expect("a page");
        let rows: Vec<_> = rows.into_iter().map(String::from_utf8_lossy).collect();
        assert_eq!(rows, [r#"{"memo":"x, \"]","n":NaN}"#, r#"{"b":[1,2]}"#, r#"{"c":{"d":1,"e":2}}"#]);
        assert_eq!(pagination, br#"{"total":"3"}"#);
        assert_eq!(torn_page(br#"{"txs":[],"pagination":{}}"#, "txs"), Some((Vec::new(), &b"{}"[..])));
        for other in [&b"[]"[..], b"{\"txs\":[", b"{\"txs\":{},\"pagination\":{}}", b"\xff"] {
            assert_eq!(torn_page(other, "txs"), None);
        }
    }
}
