//! Files of the page. The page loads no other files.

/// Placeholder in the page's HTML for the second token.
const TOKEN_PLACE: &str = "{{PAGE_TOKEN}}";

const PAGE: &str = include_str!("../../../assets/sign/page.html");

/// Returns the page's HTML for one browser.
pub(super) fn page(page_token: &str) -> String {
    PAGE.replacen(TOKEN_PLACE, page_token, 1)
}

/// HTML for a second browser.
pub(super) const USED: &str = include_str!("../../../assets/sign/used.html");

/// Returns media type and text of the file at a path; `None` for other paths.
pub(super) fn file(path: &str) -> Option<(&'static str, &'static str)> {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    Some(match path {
        "/assets/page.css" => ("text/css; charset=utf-8", include_str!("../../../assets/sign/page.css")),
        "/assets/page.js" => (SCRIPT, include_str!("../../../assets/sign/page.js")),
        "/assets/ethereum.js" => (SCRIPT, include_str!("../../../assets/sign/ethereum.js")),
        "/assets/keplr.js" => (SCRIPT, include_str!("../../../assets/sign/keplr.js")),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_has_one_place() {
        assert_eq!(PAGE.matches(TOKEN_PLACE).count(), 1);
        assert!(page("abc").contains("content=\"abc\""));
    }

    #[test]
    fn nothing_comes_from_outside_or_stands_in_line() {
        let scripts = ["/assets/page.js", "/assets/ethereum.js", "/assets/keplr.js"];
        let texts = scripts.into_iter().chain(["/assets/page.css"]).filter_map(|path| file(path).map(|file| file.1));
        for text in texts.chain([PAGE, USED]) {
            for foreign in ["http:", "https:", "//cdn", "@import", "url(", "innerHTML", "eval(", "javascript:"] {
                assert!(!text.contains(foreign), "{foreign}");
            }
        }
        for text in [PAGE, USED] {
            assert!(!text.contains("<style") && !text.contains("style="), "{text}");
            assert!(!text.split_whitespace().any(|word| word.starts_with("on") && word.contains('=')), "{text}");
            assert!(text.matches("<script").count() == text.matches("<script type=\"module\" src=").count());
        }
    }
}
