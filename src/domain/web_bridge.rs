//! Link to a web bridge with both assets selected; the user signs in that web page.

use std::fmt::Write as _;

use super::{ChainId, Denom};

const SKIP_GO: &str = "https://go.skip.build/";

/// Returns a link to Skip's web bridge with source and destination selected. Skip's documented links take no amount,
/// and its page knows only the chains of its own router.
pub fn web_bridge_link(source: (&ChainId, &Denom), destination: (&ChainId, &Denom)) -> String {
    let fields = [
        ("src_chain", source.0.as_str()),
        ("src_asset", source.1.as_str()),
        ("dest_chain", destination.0.as_str()),
        ("dest_asset", destination.1.as_str()),
    ];
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    format!("{SKIP_GO}?{}", fields.join("&"))
}

fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _infallible = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_both_ends_and_nothing_breaks_out_of_a_field() {
        let (l1, rollup) = (ChainId::new("interwoven-1"), ChainId::new("yominet-1"));
        let (init, usdc) = (Denom::new("uinit"), Denom::new("ibc/AB"));
        let link = web_bridge_link((&l1, &init), (&rollup, &usdc));
        let expected =
            "https://go.skip.build/?src_chain=interwoven-1&src_asset=uinit&dest_chain=yominet-1&dest_asset=ibc%2FAB";
        assert_eq!(link, expected);
        let hostile = Denom::new("x&dest_chain=evil-1#é");
        let link = web_bridge_link((&l1, &hostile), (&rollup, &usdc));
        assert!(link.contains("src_asset=x%26dest_chain%3Devil-1%23%C3%A9&dest_chain=yominet-1"), "{link}");
    }
}
