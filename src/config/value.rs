//! Values of settings. Files, environment and command line share these parsers.

use std::{str::FromStr, time::Duration};

use crate::{
    config::ThemeName,
    domain::{
        secret::keep_given,
        text::{clean, clip},
    },
};

/// Error of a setting's value: one sentence with the text and the expected format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ValueError(String);

impl ValueError {
    pub(super) fn of_foreign_url() -> Self {
        Self("the URL is not a base URL: remove the query, the fragment or the reference to a key".to_owned())
    }
}

/// Parses a duration with its unit, such as `500ms`, `10s`, `1m 30s`, between 1 ms and one day.
pub fn parse_duration(text: &str) -> Result<Duration, ValueError> {
    let fail = |advice: &str| ValueError(format!("“{}” is not a duration: {advice}", clip(text, 30)));
    let trimmed = text.trim();
    if !trimmed.is_empty() && trimmed.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(fail(&format!("add the unit, such as {}s", clip(trimmed, 20))));
    }
    let span: jiff::SignedDuration = trimmed.parse().map_err(|_| fail("write it like 500ms, 10s or 1m"))?;
    let span = Duration::try_from(span).map_err(|_| fail("use a positive value"))?;
    if !(Duration::from_millis(1)..=Duration::from_secs(24 * 60 * 60)).contains(&span) {
        return Err(fail("write 1ms to 24h"));
    }
    Ok(span)
}

/// Formats a duration so that [`parse_duration`] reads it.
pub fn write_duration(span: Duration) -> String {
    jiff::SignedDuration::try_from(span).map_or_else(|_| format!("{}s", span.as_secs()), |span| format!("{span:#}"))
}

/// Parses the base URL of an API, `http://…` or `https://…`; drops a trailing slash. Keys are references, such as
/// `$NODE_KEY`; a key that the query has as text is replaced by a reference and never shown.
pub fn parse_base_url(text: &str) -> Result<String, ValueError> {
    let trimmed = text.trim();
    // What follows may be a key.
    let shown = clip(trimmed.split(['?', '#']).next().unwrap_or_default(), 80);
    let Some((scheme, rest)) = trimmed.split_once("://") else {
        return Err(ValueError(format!("“{shown}” is not a URL: write http:// or https:// before it")));
    };
    let scheme = scheme.to_ascii_lowercase();
    if !matches!(scheme.as_str(), "http" | "https") {
        return Err(ValueError(format!("“{shown}” is not an API URL: use http:// or https://")));
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.is_empty() || host.starts_with(':') || rest.contains(char::is_whitespace) || clean(rest) != rest {
        return Err(ValueError(format!("“{shown}” is not a URL: write a host without spaces")));
    }
    let (head, headers) = trimmed.split_once('#').map_or((trimmed, None), |(head, headers)| (head, Some(headers)));
    let (head, query) = head.split_once('?').map_or((head, None), |(head, query)| (head, Some(query)));
    let head = head.get(scheme.len()..).unwrap_or_default();
    let mut url = format!("{scheme}{}", head.trim_end_matches('/'));
    for (place, pair) in query.into_iter().flat_map(|query| query.split('&')).enumerate() {
        let Some((name, value)) = pair.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty())
        else {
            return Err(ValueError(format!("the query of {} has no key: write ?name=$KEY", clip(host, 80))));
        };
        let value = if value.starts_with('$') { value.to_owned() } else { keep_given(value) };
        url.extend([if place == 0 { "?" } else { "&" }, name, "=", &value]);
    }
    url.extend(headers.into_iter().flat_map(|headers| ["#", headers]));
    Ok(url)
}

pub(super) fn parse_path(text: &str) -> Result<String, ValueError> {
    if text.trim().is_empty() || text.contains('\0') {
        return Err(ValueError("write a path, such as ~/abi".to_owned()));
    }
    Ok(text.to_owned())
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ThemeChoice {
    /// Dark or light by the terminal's background, else its own colours; no colours under `NO_COLOR`.
    #[default]
    Auto,
    /// Built-in theme; `NO_COLOR` and `--color never` override it.
    Named(ThemeName),
    /// Theme from a file in the folder `themes`, named without `.toml`; `NO_COLOR` and `--color never` override it.
    File(String),
}

impl ThemeChoice {
    pub fn name(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Named(theme) => theme.to_string(),
            Self::File(name) => name.clone(),
        }
    }
}

impl FromStr for ThemeChoice {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        if let Ok(theme) = text.parse() {
            return Ok(Self::Named(theme));
        }
        let is_name = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_');
        if text.is_empty() || !text.chars().all(is_name) {
            let built_in = "auto, ansi, dark, light, colour-blind, mono or a file in the folder themes";
            return Err(ValueError(format!("unknown theme “{}”: {built_in}", clip(text, 30))));
        }
        Ok(Self::File(text.to_owned()))
    }
}

/// Rule that decides whether output has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::Display, clap::ValueEnum)]
#[strum(serialize_all = "lowercase")]
pub enum ColorChoice {
    /// Colours on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    #[default]
    Auto,
    Always,
    Never,
}
