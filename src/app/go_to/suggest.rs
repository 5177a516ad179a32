use std::sync::Arc;

use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};

use super::{
    GoTo, GoToStep, Suggestion, SuggestionSource, is_transaction,
    known::{KnownNames, KnownTarget, is_meant},
    tracking::{SuggestedStep, TrackTarget},
};
use crate::{
    app::known_denom::KnownDenom,
    domain::{MsgType, PersonalKind, Reading, Target, classify, searching, text},
    msg::{CollectionScope, ListPage, PageRequest, ask},
    wire::Collection,
};

/// Maximum number of suggestions.
const SUGGESTIONS: usize = 8;
/// Maximum recents among the suggestions for a text, so that loaded records have room.
const RECENTS: usize = 5;
/// Maximum bookmarks before a text is typed, so that recents have room.
const BOOKMARKS: usize = 5;
/// Maximum denoms that match by symbol.
const SYMBOLS: usize = 4;
/// Maximum collections to request from the server.
const COLLECTIONS: u16 = 5;
/// Minimum letters and digits for requesting suggestions, and for matching recents loosely.
const WORTH_ASKING: usize = 3;

impl GoTo {
    /// Updates the suggestions for the typed text. Returns the requests to send.
    pub(in crate::app) fn suggest(&mut self, names: &KnownNames<'_>) -> Vec<GoToStep> {
        self.loaded = Some(Arc::clone(names.loaded()));
        let typed = self.picker.text().to_owned();
        let reading = names.understand(&typed);
        let guess = reading.as_ref().ok().filter(|reading| !names.is_sure(reading));
        let tracked = reading.as_ref().ok().and_then(|reading| names.tracked_at(&typed, reading));
        let mut suggestions: Vec<Suggestion> = tracked.into_iter().map(|track| names.offer_to_track(track)).collect();
        suggestions.extend(names.offer_to_track_all(&typed));
        let is_typed = typed.chars().count() >= 2;
        if is_typed {
            names.add_symbols(&mut suggestions, &typed);
        }
        names.add_bookmarks(&mut suggestions, &typed);
        for recent in names.recents_for(&typed) {
            add(&mut suggestions, recent);
        }
        if is_typed {
            names.add_named(&mut suggestions, &typed);
            names.add_denoms(&mut suggestions, &typed);
            names.add_loaded(&mut suggestions, &typed);
            names.add_transfers(&mut suggestions, &typed);
            names.add_types(&mut suggestions, &typed);
            suggestions.extend(guess.and_then(|guess| names.guessed(guess)));
        }
        self.begin_anew(suggestions);
        self.understood = names.say_understood(&typed, &reading);
        let mut steps = vec![GoToStep::StopAsking];
        let is_list = self.picker.choices().iter().any(|known| matches!(known.offer, Some(SuggestedStep::TrackAll(_))));
        if is_list || reading.as_ref().is_ok_and(|reading| reading.targets.iter().any(is_transaction)) {
            steps.push(GoToStep::LearnChains);
        }
        if is_name(&typed) && (reading.is_err() || guess.is_some()) {
            let page = PageRequest { count_total: false, ..PageRequest::newest(COLLECTIONS) };
            let scope = CollectionScope::NameAtServer(typed.as_str().into());
            steps.push(GoToStep::AskServer(ask::collections(scope, page)));
        }
        steps
    }

    /// Updates the readings when the router's chains arrive.
    pub(in crate::app) fn take_chains(&mut self, names: &KnownNames<'_>) -> Vec<GoToStep> {
        let reading = names.understand(self.picker.text());
        let tracked = reading.ok().and_then(|reading| names.tracked_at(self.picker.text(), &reading));
        if let Some(track) = tracked.filter(|_| !self.is_waiting() && self.picker.selected().is_none()) {
            self.picker.insert(0, names.offer_to_track(track));
        }
        Vec::new()
    }

    pub(in crate::app) fn name_recents(&mut self, names: &KnownNames<'_>) -> Vec<GoToStep> {
        self.picker.change(|suggestion| {
            if let (SuggestionSource::Recent, Some(target)) = (suggestion.source, suggestion.targets.first()) {
                suggestion.label = names.label_of(target);
            }
        });
        Vec::new()
    }

    pub(in crate::app) fn take_suggestions(&mut self, page: &ListPage<Arc<Collection>>) {
        if self.is_choice() {
            return;
        }
        for collection in page.items.iter().take(usize::from(COLLECTIONS)) {
            let Some(address) = collection.address() else { continue };
            let label = collection_label(collection.collection.name.as_received(), &address.hex());
            // The reading as a denom comes last.
            let place = self.picker.choices().iter().position(|known| known.source > SuggestionSource::Server);
            let place = place.unwrap_or(self.picker.choices().len());
            let targets = vec![Target::Collection(address)];
            let suggestion =
                Suggestion { targets, label, source: SuggestionSource::Server, is_close: true, offer: None };
            let is_known = |known: &Suggestion| known.targets.first() == suggestion.targets.first();
            if !self.picker.choices().iter().any(is_known) {
                self.picker.insert(place, suggestion);
            }
        }
    }
}

impl KnownNames<'_> {
    /// Returns the recents that contain the text or, if none does, its letters in order.
    fn recents_for(&self, typed: &str) -> Vec<Suggestion> {
        let needle = needle(typed);
        let readable: Vec<(Vec<Target>, String)> = self
            .recents
            .iter()
            .filter_map(|recent| classify(recent).ok())
            .map(|targets| {
                let label = targets.first().map(|target| self.label_of(target)).unwrap_or_default();
                (targets, label)
            })
            .collect();
        let mut suggestions = Vec::new();
        let most = if typed.is_empty() { SUGGESTIONS } else { RECENTS };
        for (targets, label) in &readable {
            let is_close =
                || targets.first().is_some_and(|target| KnownTarget::named(target.clone(), label).holds(&needle));
            if suggestions.len() < most && is_close() {
                add(
                    &mut suggestions,
                    Suggestion {
                        targets: targets.clone(),
                        label: label.clone(),
                        source: SuggestionSource::Recent,
                        is_close: true,
                        offer: None,
                    },
                );
            }
        }
        // Digits are of a height or hash, whose letters are no name's.
        let is_digits = needle.bytes().all(|byte| byte.is_ascii_hexdigit());
        if suggestions.is_empty() && needle.len() >= WORTH_ASKING && !is_digits {
            let mut loose = loosely(&needle, &readable);
            loose.truncate(RECENTS);
            suggestions = loose;
        }
        suggestions
    }

    /// Adds denoms whose symbol is, or begins with, the text. They come first.
    fn add_symbols(&self, suggestions: &mut Vec<Suggestion>, typed: &str) {
        let needle = typed.to_lowercase();
        let symbol = |known: &KnownDenom| known.bare_symbol().map(str::to_lowercase);
        let begins = |known: &&KnownDenom| symbol(known).is_some_and(|symbol| symbol.starts_with(&needle));
        let mut begun: Vec<&KnownDenom> = self.denoms().iter().filter(begins).collect();
        begun.sort_by_key(|known| symbol(known).is_some_and(|symbol| symbol != needle));
        for known in begun.into_iter().take(SYMBOLS) {
            let target = Target::Denom(known.denom.clone());
            let label = self.label_of(&target);
            let source = SuggestionSource::Network;
            add(suggestions, Suggestion { targets: vec![target], label, source, is_close: true, offer: None });
        }
    }

    /// Adds the bookmarks that contain the text, newest first; the word bookmark finds all.
    fn add_bookmarks(&self, suggestions: &mut Vec<Suggestion>, typed: &str) {
        let needle = typed.to_lowercase();
        let is_of_all = needle.len() >= WORTH_ASKING && "bookmarks".starts_with(&needle);
        let most = if is_of_all { usize::MAX } else { BOOKMARKS };
        let offered = self.context.personal.all(PersonalKind::Bookmark).rev().filter_map(|kept| {
            let target = kept.target()?.clone();
            let label = format!("{} · {}", text::clip(&kept.text, 40), self.label_of(&target));
            let is_meant = is_of_all || KnownTarget::named(target.clone(), &label).holds(&needle);
            is_meant.then_some((target, label))
        });
        for (target, label) in offered.take(most) {
            let source = SuggestionSource::Bookmark;
            add(suggestions, Suggestion { targets: vec![target], label, source, is_close: true, offer: None });
        }
    }

    /// Adds what the user named or noted, and the network's named accounts.
    fn add_named(&self, suggestions: &mut Vec<Suggestion>, typed: &str) {
        let needle = typed.to_lowercase();
        for note in self.context.personal.all(PersonalKind::Note) {
            if suggestions.len() < SUGGESTIONS
                && note.text.to_lowercase().contains(&needle)
                && let Some(target) = note.target()
            {
                let label = format!("{} · note {}", self.label_of(target), text::quoted_within(&note.text, 40));
                let (targets, source) = (vec![target.clone()], SuggestionSource::Yours);
                add(suggestions, Suggestion { targets, label, source, is_close: true, offer: None });
            }
        }
        for (target, name) in self.named_targets() {
            if suggestions.len() < SUGGESTIONS && name.to_lowercase().contains(&needle) {
                let label = self.label_of(&target);
                let is_own = self.context.glossary.personal_name(&target).is_some();
                let source = if is_own { SuggestionSource::Yours } else { SuggestionSource::Network };
                add(suggestions, Suggestion { targets: vec![target], label, source, is_close: true, offer: None });
            }
        }
    }

    fn add_denoms(&self, suggestions: &mut Vec<Suggestion>, typed: &str) {
        let needle = typed.to_lowercase();
        for known in self.denoms() {
            if suggestions.len() >= SUGGESTIONS {
                return;
            }
            let (symbol, denom) = (text::clip(&known.name(), 24), &known.denom);
            let is_close =
                searching::holds(&symbol.to_lowercase(), &needle) || denom.as_str().to_lowercase().starts_with(&needle);
            if is_close {
                let label = if symbol == denom.short() { symbol } else { format!("{symbol} · {}", denom.short()) };
                let targets = vec![Target::Denom(denom.clone())];
                add(
                    suggestions,
                    Suggestion { targets, label, source: SuggestionSource::Network, is_close, offer: None },
                );
            }
        }
    }

    fn add_loaded(&self, suggestions: &mut Vec<Suggestion>, typed: &str) {
        let needle = needle(typed);
        for known in self.loaded().iter().filter(|known| known.holds(&needle)) {
            if suggestions.len() >= SUGGESTIONS {
                return;
            }
            let label = match &known.target {
                Target::Collection(_) | Target::Account(_) if known.name != known.target.text() => {
                    collection_label(&known.name, &known.target.text())
                }
                _ => known.name.clone(),
            };
            let targets = vec![known.target.clone()];
            add(
                suggestions,
                Suggestion { targets, label, source: SuggestionSource::Loaded, is_close: true, offer: None },
            );
        }
    }

    /// Adds the kept transfers of a hash that begins, or as in `FAFD…EE60` also ends, with the text.
    fn add_transfers(&self, suggestions: &mut Vec<Suggestion>, typed: &str) {
        let needle = needle(typed);
        let (start, end) = needle.split_once('…').unwrap_or((&needle, ""));
        if start.len() + end.len() < WORTH_ASKING {
            return;
        }
        let kept = self.context.transfers.all().iter().flat_map(|transfer| &transfer.follower.record.txs);
        for tx in kept.filter(|tx| is_meant(&self::needle(&tx.hash.to_string()), start, end)).take(RECENTS) {
            let target = TrackTarget { chain: tx.chain_id.clone(), hash: tx.hash.clone() };
            suggestions.push(Suggestion { source: SuggestionSource::Loaded, ..self.offer_to_track(target) });
        }
    }

    /// Adds the seen message types that begin with the text, as lists print them or in full.
    fn add_types(&self, suggestions: &mut Vec<Suggestion>, typed: &str) {
        let needle = typed.trim().trim_start_matches('/').to_lowercase();
        let begins =
            |kind: &&MsgType| [kind.short(), kind.as_str()].iter().any(|name| name.to_lowercase().starts_with(&needle));
        if needle.len() < WORTH_ASKING {
            return;
        }
        let mut kinds: Vec<&MsgType> = self.context.seen_types.iter().filter(begins).collect();
        kinds.sort_by_key(|kind| kind.short().len());
        for kind in kinds.into_iter().take(SYMBOLS) {
            let (label, offer) = (text::clip(kind.as_str(), 80), Some(SuggestedStep::TxsOf(kind.clone())));
            let source = SuggestionSource::Loaded;
            suggestions.push(Suggestion { targets: Vec::new(), label, source, is_close: true, offer });
        }
    }

    /// Returns the suggestion for a guess. It comes last, since the text may name a collection.
    fn guessed(&self, guess: &Reading) -> Option<Suggestion> {
        let label = self.describe_only(guess.targets.first()?, false);
        Some(Suggestion {
            targets: guess.targets.clone(),
            label,
            source: SuggestionSource::Typed,
            is_close: true,
            offer: None,
        })
    }
}

/// Whether a text may be the name of a collection, by its characters.
fn is_name(typed: &str) -> bool {
    let letters = typed.chars().filter(|c| c.is_alphanumeric()).count();
    let is_number = typed.bytes().all(|byte| byte.is_ascii_digit());
    let is_digits = letters >= 8 && typed.bytes().all(|byte| byte.is_ascii_hexdigit());
    (WORTH_ASKING..=40).contains(&letters) && typed.len() <= 80 && !is_number && !is_digits
}

/// Returns the text for searching: in lower case without `0x`.
fn needle(typed: &str) -> String {
    let lower = typed.to_lowercase();
    lower.strip_prefix("0x").unwrap_or(&lower).to_owned()
}

/// Returns recents whose letters match with gaps, best first.
fn loosely(needle: &str, readable: &[(Vec<Target>, String)]) -> Vec<Suggestion> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(needle, CaseMatching::Ignore, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut scored: Vec<(u32, Suggestion)> = readable
        .iter()
        .filter_map(|(targets, label)| {
            let score = pattern.score(Utf32Str::new(label, &mut buffer), &mut matcher)?;
            let (targets, label) = (targets.clone(), label.clone());
            Some((score, Suggestion { targets, label, source: SuggestionSource::Recent, is_close: false, offer: None }))
        })
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, suggestion)| suggestion).collect()
}

/// Adds a suggestion, unless the list already has its target.
fn add(suggestions: &mut Vec<Suggestion>, suggestion: Suggestion) {
    if !suggestions.iter().any(|known| known.targets.first() == suggestion.targets.first()) {
        suggestions.push(suggestion);
    }
}

fn collection_label(name: &str, address: &str) -> String {
    format!("{} · {address}", text::clip(name, 40))
}
