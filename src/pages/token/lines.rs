//! Lines of a token: its data on the chain, its metadata, or the metadata's JSON.

use super::state::TokenPage;
use crate::{
    app::format::AddressForm,
    config::Meaning,
    domain::{Address, Target, text},
    msg::{Metadata, Remote},
    widgets::document::{Line, json::json_lines},
};

/// Columns of a field's name.
const NAME: usize = 11;
/// Maximum lines of a description.
const DESCRIPTION: usize = 40;
/// Maximum traits that the page shows.
const TRAITS: usize = 200;
/// Maximum columns to which a trait's name is padded.
const TRAIT_NAME: usize = 24;
/// Maximum bytes of metadata that the page formats as JSON. Of larger metadata it shows the start.
const JSON: usize = 128 * 1024;
/// Bytes that the page shows of larger metadata.
const BEGINNING: usize = 8 * 1024;

fn field(name: &str) -> Line {
    Line::at(0).with(Meaning::Key, format!("{name:<NAME$} "))
}

/// Returns the lines of the token and its metadata for `width` columns. `hint` names the key that fetches metadata.
pub(super) fn token_lines(page: &TokenPage, form: AddressForm, width: usize, hint: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(name) = page.art.metadata.value().map(|metadata| metadata.name.trim()).filter(|name| !name.is_empty()) {
        lines.push(field("name").with(Meaning::Heading, name).copying(name));
    }
    let id = &*page.name.token_id;
    lines.push(field("id").with(Meaning::Text, id).copying(id));
    push_token(&mut lines, page, form);
    push_metadata(&mut lines, page, width, hint);
    lines
}

fn push_token(lines: &mut Vec<Line>, page: &TokenPage, form: AddressForm) {
    let collection = page.name.collection;
    let Some(token) = page.token.value() else {
        lines.push(field("collection").with(Meaning::Link, form.write(collection)).copying(collection.hex()));
        lines.push(match &page.token {
            Remote::Failed { error } => {
                field("token").with(Meaning::Bad, format!("✗ {}; {}", error.brief(), error.advice()))
            }
            _ => field("token").with(Meaning::Muted, "loading…"),
        });
        return;
    };
    if let Some(error) = page.token.error() {
        lines.push(field("token").with(Meaning::Warning, format!("on-chain data; {}", error.brief())));
    }
    lines.push(match token.owner_address() {
        Some(owner) => account(field("owner"), owner, form),
        None => field("owner").with(Meaning::Text, &token.owner).copying(token.owner.clone()),
    });
    let name = token.collection_name.clipped(48);
    lines.push(
        field("collection")
            .with(Meaning::Link, form.write(collection))
            .with(Meaning::Muted, format!("  {name}"))
            .copying(collection.hex())
            .hanging(),
    );
    if !token.collection_origin_name.is_empty() {
        let origin = &token.collection_origin_name;
        lines.push(field("origin").with(Meaning::Text, origin.clipped(200)).copying(origin.as_received()));
    }
    if let Some(object) = token.object() {
        lines.push(account(field("object"), object, form));
    }
    if !token.nft.uri.is_empty() {
        // An inline picture makes the URI very long: the line shows its start and copies all of it.
        let uri = &token.nft.uri;
        // A picture in the link has megabytes.
        let head = uri.as_received().get(..400).unwrap_or(uri.as_received());
        lines.push(field("uri").with(Meaning::Text, text::clip(head, 400)).copying(uri.as_received()));
    }
    lines.push(
        field("changed")
            .with(Meaning::Text, format!("{} UTC", token.timestamp.day_and_clock()))
            .with(Meaning::Muted, "  block ")
            .with(Meaning::Link, text::group(token.height.get()))
            .copying(token.height.to_string())
            .leading_to(Some(Target::Block(token.height))),
    );
}

fn account(line: Line, address: Address, form: AddressForm) -> Line {
    let text = form.write(address);
    line.with(Meaning::Link, &text).copying(text).leading_to(Some(Target::Account(address)))
}

fn push_metadata(lines: &mut Vec<Line>, page: &TokenPage, width: usize, hint: &str) {
    let state = |text: &str| field("metadata").with(Meaning::Muted, text);
    let metadata = match &page.art.metadata {
        Remote::Ready { value, .. } | Remote::Stale { value, .. } => value,
        Remote::Loading { .. } => return lines.push(state("loading…")),
        Remote::Failed { error } => {
            let problem = format!("✗ {}", error.brief());
            lines.push(field("metadata").with(Meaning::Bad, problem).copying(error.to_string()));
            return lines.push(field("").with(Meaning::Muted, error.advice()));
        }
        Remote::Idle if page.token.value().is_none() => return,
        Remote::Idle if page.uri().is_none() => return lines.push(state("none: the token has no metadata link")),
        Remote::Idle if page.art.picture.value().is_some() || page.art.picture.is_loading() => {
            return lines.push(state("none: the token's link is a picture"));
        }
        Remote::Idle => return lines.push(state(&format!("not fetched; {hint} fetches it from the token's link"))),
    };
    push_picture(lines, page, metadata);
    let description = text::wrap(&metadata.description, width.saturating_sub(4).max(20), DESCRIPTION);
    if !description.is_empty() {
        lines.push(Line::at(0));
        lines.push(Line::at(0).with(Meaning::Heading, "Description").copying(metadata.description.clone()));
        lines.extend(description.iter().map(|line| Line::at(1).with(Meaning::Text, line)));
    }
    push_traits(lines, metadata);
}

fn push_picture(lines: &mut Vec<Line>, page: &TokenPage, metadata: &Metadata) {
    let line = field("picture");
    let Some(image) = &metadata.image else {
        return lines.push(line.with(Meaning::Muted, "none: the metadata has no picture"));
    };
    let line = match &page.art.picture {
        Remote::Ready { value, .. } | Remote::Stale { value, .. } => {
            line.with(Meaning::Muted, format!("{}×{}  ", value.width, value.height))
        }
        Remote::Failed { error } => line.with(Meaning::Bad, format!("✗ {}  ", error.brief())),
        Remote::Loading { .. } => line.with(Meaning::Muted, "loading…  "),
        Remote::Idle => line.with(Meaning::Muted, "not fetched  "),
    };
    let shown = text::clip(image.get(..200).unwrap_or(image), 200);
    lines.push(line.with(Meaning::Text, shown).copying(&**image));
}

fn push_traits(lines: &mut Vec<Line>, metadata: &Metadata) {
    if metadata.traits.is_empty() {
        return;
    }
    lines.push(Line::at(0));
    let count = text::group(metadata.traits.len() as u64);
    lines.push(Line::at(0).with(Meaning::Heading, "Traits").with(Meaning::Muted, format!("  {count}")));
    let width = |name: &str| unicode_width::UnicodeWidthStr::width(name);
    let names: Vec<String> = metadata.traits.iter().take(TRAITS).map(|one| text::clip(&one.name, TRAIT_NAME)).collect();
    let column = names.iter().map(|name| width(name)).max().unwrap_or(0);
    for (name, one) in names.iter().zip(&metadata.traits) {
        let padding = " ".repeat(column.saturating_sub(width(name)) + 2);
        lines.push(
            Line::at(1)
                .with(Meaning::Key, format!("{name}{padding}"))
                .with(Meaning::Kind, text::clip(&one.value, 400))
                .copying(one.value.clone()),
        );
    }
    if metadata.traits.len() > TRAITS {
        let more = text::group((metadata.traits.len() - TRAITS) as u64);
        lines.push(Line::at(1).with(Meaning::Warning, format!("and {more} more, in the JSON")));
    }
}

/// Returns the metadata as received. Metadata with too many lines shows its start.
pub(super) fn metadata_lines(metadata: &Metadata, width: usize) -> Vec<Line> {
    let raw = metadata.raw.get();
    if raw.len() <= JSON {
        return json_lines(raw);
    }
    let bytes = text::group(raw.len() as u64);
    let note = format!("{bytes} bytes are too many to parse; only the start is shown");
    let mut lines = vec![Line::at(0).with(Meaning::Warning, note)];
    let end = (0..=BEGINNING).rev().find(|&end| raw.is_char_boundary(end)).unwrap_or(0);
    lines.extend(
        text::wrap(&raw[..end], width.saturating_sub(4).max(20), 400)
            .iter()
            .map(|line| Line::at(0).with(Meaning::Text, line)),
    );
    lines
}
