//! What the explorer itself knows: names for what was typed, and whole hashes for their beginnings.

use std::{cell::OnceCell, sync::Arc};

use super::super::{
    context::Context,
    denoms::known_denoms,
    format::age,
    known_denom::{DenomSearchDepth, KnownDenom},
    modal::PaletteTarget,
    navigation::Navigation,
    page::Page,
};
use crate::{
    config::Networks,
    domain::{
        Address, Height, Reading, Target, TargetError, TargetKind, classify, interpret, searching, several, text,
    },
};

/// Collections whose names are asked for at once.
const NAMED_AT_ONCE: usize = 4;
/// Digits from which on the beginning of a hash stands for the hash.
const ENOUGH: usize = 6;
/// Hashes that a beginning may stand for; more are no reading of it.
const COMPLETED: usize = 4;

/// Something known, and what it goes by. Made once: an address in both forms costs more than a look at it.
#[derive(Debug)]
pub(in crate::app) struct KnownTarget {
    pub(super) target: Target,
    pub(super) name: String,
    /// The name in lower case.
    lower: String,
    /// Its hash, or its address in both forms, in lower case and without `0x`.
    forms: Vec<String>,
}

impl KnownTarget {
    fn new(target: Target) -> Self {
        let name = target.text();
        Self::called(target, name)
    }

    pub(super) fn named(target: Target, name: &str) -> Self {
        Self::called(target, text::clip(name, 40))
    }

    fn called(target: Target, name: String) -> Self {
        let forms = match address_of(&target) {
            Some(address) => vec![address.hex(), address.bech32()],
            None => vec![target.text().to_ascii_lowercase()],
        };
        let forms = forms.into_iter().map(|form| form.strip_prefix("0x").map(str::to_owned).unwrap_or(form)).collect();
        Self { lower: name.to_lowercase(), target, name, forms }
    }

    /// Whether its name, or its address in either form, holds the needle, which is in lower case without `0x`.
    pub(super) fn holds(&self, needle: &str) -> bool {
        let is_address = address_of(&self.target).is_some();
        searching::holds(&self.lower, needle)
            || is_address && self.forms.iter().any(|form| searching::holds(form, needle))
    }

    /// Whether its hash or address begins and ends so.
    fn is_meant(&self, start: &str, end: &str) -> bool {
        self.forms.iter().any(|form| form.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)))
    }
}

/// What names can be found in: what is loaded, what was opened before, the network's tokens.
pub(in crate::app) struct KnownNames<'a> {
    pub(super) context: &'a Context,
    pub(super) recents: &'a [String],
    navigation: &'a Navigation,
    /// Made when first looked into, which most texts do not.
    loaded: OnceCell<Arc<[KnownTarget]>>,
    denoms: OnceCell<Vec<KnownDenom>>,
}

impl<'a> KnownNames<'a> {
    /// `loaded`: what was indexed before, where it was.
    pub(in crate::app) fn new(
        context: &'a Context,
        navigation: &'a Navigation,
        recents: &'a [String],
        loaded: Option<Arc<[KnownTarget]>>,
    ) -> Self {
        let loaded = loaded.map_or_else(OnceCell::new, OnceCell::from);
        Self { context, recents, navigation, loaded, denoms: OnceCell::new() }
    }

    /// How a target is written in a list: by the name that it is known by, with what tells it from others of that name.
    pub(super) fn label_of(&self, target: &Target) -> String {
        let named = |name: &str, what: String| format!("{} · {what}", text::clip(name, 40));
        match target {
            Target::Denom(denom) => match self.context.token(denom) {
                Some(token) => named(&token.symbol, denom.short()),
                None => text::clip(denom.as_str(), 120),
            },
            Target::Account(address) => match self.context.glossary.label(*address) {
                Some(label) => format!("{} · {}", target.text(), text::clip(label, 40)),
                None => target.text(),
            },
            Target::Collection(address) => match self.context.opened_names.get(target) {
                Some(name) => named(name, address.hex()),
                None => match self.context.glossary.own_name(*address) {
                    Some(name) => named(name, address.hex()),
                    None => target.text(),
                },
            },
            Target::Token { collection, token_id } => {
                let opened = self.context.opened_names.get(target).cloned();
                let of_collection = || self.context.glossary.own_name(*collection);
                match opened.or_else(|| of_collection().map(|name| format!("{name} #{token_id}"))) {
                    Some(name) => named(&name, self.context.address_style.short(*collection)),
                    None => text::clip(&target.text(), 120),
                }
            }
            _ => text::clip(&target.text(), 120),
        }
    }

    /// The collections among the newest recents, or of tokens among them, that nothing named yet: the server knows what
    /// they call themselves.
    pub(in crate::app) fn unnamed_collections(&self) -> Vec<Address> {
        let targets = self.recents.iter().filter_map(|recent| classify(recent).ok()).flatten();
        let mut unnamed: Vec<Address> = Vec::new();
        for target in targets {
            let (Target::Collection(address) | Target::Token { collection: address, .. }) = target else { continue };
            let is_named =
                self.context.opened_names.contains_key(&target) || self.context.glossary.own_name(address).is_some();
            if !is_named && !unnamed.contains(&address) {
                unnamed.push(address);
            }
        }
        unnamed.truncate(NAMED_AT_ONCE);
        unnamed
    }

    /// What the tabs and the page on screen hold.
    pub(super) fn loaded(&self) -> &Arc<[KnownTarget]> {
        self.loaded.get_or_init(|| index(self.navigation))
    }

    /// The denoms that are known at a glance.
    pub(super) fn denoms(&self) -> &[KnownDenom] {
        self.denoms.get_or_init(|| known_denoms(self.context, self.navigation, DenomSearchDepth::Glance))
    }

    /// What a text may name here: as [`interpret`] reads it, with the network's tickers, other networks' names, and
    /// known hashes for their beginnings.
    pub(in crate::app) fn understand(&self, typed: &str) -> Result<Reading, TargetError> {
        let word = typed.trim();
        let accounts = self.accounts_called(word);
        if !accounts.is_empty() {
            return Ok(Reading { targets: accounts, chain: None });
        }
        let reading = interpret(typed);
        if !reading.as_ref().is_ok_and(|reading| reading.targets.iter().any(is_unmistakable)) {
            let denoms = self.denoms_called(word);
            if !denoms.is_empty() {
                return Ok(Reading { targets: denoms, chain: None });
            }
        }
        // Digits above the tip are rather the beginning of a hash, where one is known that begins so.
        let is_indexed = |height: &Height| self.context.chain.height().is_none_or(|tip| *height <= tip);
        let is_height =
            reading.as_ref().is_ok_and(|reading| matches!(&reading.targets[..], [Target::Block(at)] if is_indexed(at)));
        let is_whole = word.len() >= 40 && reading.is_ok();
        let mut completed = if is_height || is_whole { Vec::new() } else { self.complete_name(word) };
        if completed.is_empty() {
            return reading.or_else(|problem| {
                let network = Networks::built_in().find(&word.to_lowercase()).map_err(|_| problem)?;
                Ok(Reading { targets: vec![Target::Chain(network.name.clone())], chain: None })
            });
        }
        completed.extend(reading.map(|reading| reading.targets).unwrap_or_default());
        Ok(Reading { targets: completed, chain: None })
    }

    /// Whether a reading is more than a word: a bare denom that nobody has seen, or a chain's name, may be anything.
    pub(super) fn is_sure(&self, reading: &Reading) -> bool {
        match &reading.targets[..] {
            [Target::Denom(denom)] => {
                denom.as_str().contains('/') || self.denoms().iter().any(|known| known.denom == *denom)
            }
            [Target::Chain(name)] => name.contains('-'),
            _ => true,
        }
    }

    /// What a text is understood as, in a sentence; `None` while that is not worth saying.
    pub(super) fn say_understood(&self, typed: &str, reading: &Result<Reading, TargetError>) -> Option<String> {
        if let Some(several) = several(typed) {
            let all = several.pieces.len() + several.left_out;
            let of_all =
                if several.left_out > 0 { format!("the first {} of ", several.pieces.len()) } else { String::new() };
            return Some(format!("{of_all}{all} things: Enter looks them all up"));
        }
        let reading = match reading {
            Ok(reading) => reading,
            Err(problem @ TargetError::Digits { .. }) => return Some(problem.to_string()),
            Err(_) => return None,
        };
        let sentence = match &reading.targets[..] {
            [Target::Block(height)] => self.describe_height(*height),
            [only] => self.describe_only(only, self.is_sure(reading)),
            several => list_kinds(several),
        };
        Some(match self.elsewhere(reading) {
            Some(elsewhere) => format!("{sentence} · {elsewhere}"),
            None => sentence,
        })
    }

    /// A few words for the only reading of a text.
    pub(super) fn describe_only(&self, target: &Target, is_sure: bool) -> String {
        match target {
            Target::Chain(name) => self.describe_chain(name),
            Target::Denom(_) if !is_sure => format!("{}, if there is such a denom", target.describe()),
            Target::Denom(denom) => match self.context.token(denom) {
                Some(token) if token.symbol != denom.short() => {
                    format!("holders of {} · {}", text::clip(&token.symbol, 24), denom.short())
                }
                _ => target.describe(),
            },
            _ => target.describe(),
        }
    }

    /// What the palette can go to: nothing that only looks like a denom or another chain, as names of actions do.
    pub(in crate::app) fn palette_target(&self, text: String) -> Option<PaletteTarget> {
        let reading = self.understand(&text).ok().filter(|reading| self.is_sure(reading))?;
        let understood = match reading.targets.as_slice() {
            [Target::Chain(_)] => return None,
            [only] => self.describe_only(only, true),
            several => list_kinds(several),
        };
        Some(PaletteTarget { text, understood })
    }

    /// What is to be said where a web address names another chain than the one on screen.
    pub(super) fn elsewhere(&self, reading: &Reading) -> Option<String> {
        let named = reading.chain.as_deref()?;
        let named_id =
            Networks::built_in().find(named).ok().and_then(|network| network.chain_id.as_deref()).unwrap_or(named);
        let here = self.own_chain()?;
        let is_target = reading.targets.iter().any(|target| target.kind() == TargetKind::Chain);
        (named_id != here && !is_target).then(|| {
            format!("the address is of {}, looked up here on {}", text::clip(named_id, 30), text::clip(here, 30))
        })
    }

    /// How another chain is opened.
    pub(in crate::app) fn describe_chain(&self, named: &str) -> String {
        let shown = text::clip(named, 40);
        match Networks::built_in().find(named) {
            Ok(network) if network.chain_id.as_deref() == self.own_chain() => format!("{shown} is the chain on screen"),
            Ok(network) => format!("{shown} is another chain: rollscope -n {} opens it", network.name),
            Err(_) if Some(named) == self.own_chain() => format!("{shown} is the chain on screen"),
            Err(_) => format!("no network with the chain id {shown} is known: rollscope --indexer URL opens any"),
        }
    }

    /// The chain on screen.
    pub(super) fn own_chain(&self) -> Option<&str> {
        self.context.chain.status.value().map(|status| status.chain_id.as_str()).or(self
            .context
            .network
            .chain_id
            .as_deref())
    }

    fn describe_height(&self, height: Height) -> String {
        let block = Target::Block(height).describe();
        let tip = self.context.chain.height().map_or(u64::MAX, Height::get);
        let ahead = height.get().saturating_sub(tip);
        match self.context.chain.block_time() {
            _ if ahead == 0 => block,
            Some(time) => {
                let wait = time.saturating_mul(u32::try_from(ahead).unwrap_or(u32::MAX));
                format!("{block}, expected in about {}", age(wait))
            }
            None => format!("{block}, {} ahead of the index", text::group(ahead)),
        }
    }

    /// The accounts that a person or the network has names for, the person's first.
    pub(super) fn named_accounts(&self) -> impl Iterator<Item = (Address, Arc<str>)> {
        let glossary = &self.context.glossary;
        let listed = self.context.network.accounts.iter();
        let listed = listed.filter_map(|account| Some((account.address, Arc::clone(glossary.label(account.address)?))));
        let own = glossary.personal_labels();
        let is_own = own.iter().map(|(account, _)| *account).collect::<Vec<_>>();
        own.into_iter().chain(listed.filter(move |(account, _)| !is_own.contains(account)))
    }

    /// The accounts that go by this name.
    fn accounts_called(&self, word: &str) -> Vec<Target> {
        let word = word.to_lowercase();
        let called = self.named_accounts().filter(|(_, name)| name.to_lowercase() == word);
        called.map(|(account, _)| Target::Account(account)).collect()
    }

    /// The denoms that go by this name: a ticker, or the denom itself.
    fn denoms_called(&self, word: &str) -> Vec<Target> {
        let is_called = |known: &KnownDenom| {
            known.denom.as_str().eq_ignore_ascii_case(word) || known.name().eq_ignore_ascii_case(word)
        };
        let called = self.denoms().iter().filter(|known| is_called(known));
        called.map(|known| Target::Denom(known.denom.clone())).collect()
    }

    /// The known hashes and addresses that begin so, or that a short form such as `8E1C…04F2` stands for.
    fn complete_name(&self, word: &str) -> Vec<Target> {
        let word = word.to_ascii_lowercase();
        let (start, end) = word.split_once('…').unwrap_or((&word, ""));
        let start = start.strip_prefix("0x").unwrap_or(start);
        let digits = start.strip_prefix("init1").unwrap_or(start);
        if digits.len() + end.len() < ENOUGH
            || !(digits.to_owned() + end).bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            return Vec::new();
        }
        let mut found: Vec<Target> = Vec::new();
        let recents = self.recents.iter().filter_map(|recent| interpret(recent).ok());
        let recents: Vec<KnownTarget> = recents.flat_map(|reading| reading.targets).map(KnownTarget::new).collect();
        for known in recents.iter().chain(self.loaded().iter()).filter(|known| known.is_meant(start, end)) {
            let has_no_start = matches!(known.target.kind(), TargetKind::Block | TargetKind::Denom | TargetKind::Chain);
            if !has_no_start && !found.contains(&known.target) {
                found.push(known.target.clone());
            }
            if found.len() > COMPLETED {
                return Vec::new();
            }
        }
        found
    }
}

/// What the tabs and the page on screen hold.
fn index(navigation: &Navigation) -> Arc<[KnownTarget]> {
    let current = Some(navigation.current()).filter(|_| !navigation.is_at_root());
    let known = current.into_iter().chain(navigation.roots()).flat_map(Page::known);
    known
        .map(|(target, name)| match name {
            Some(name) => KnownTarget::named(target, &name),
            None => KnownTarget::new(target),
        })
        .collect()
}

/// Whether only the thing itself looks so: a denom may have any name, but none shall hide a height or a hash.
fn is_unmistakable(target: &Target) -> bool {
    !matches!(target.kind(), TargetKind::Denom | TargetKind::Chain)
}

/// The address that a target is.
pub(super) fn address_of(target: &Target) -> Option<Address> {
    match target {
        Target::Account(address) | Target::Collection(address) => Some(*address),
        _ => None,
    }
}

/// The word that lists show before what a text may name.
pub(crate) fn word_for(targets: &[Target]) -> &'static str {
    match targets {
        [] => "",
        [only] => only.kind().word(),
        [Target::Tx(_) | Target::EvmTx(_), ..] => "hash",
        [..] => "address",
    }
}

/// `a Cosmos or EVM transaction, or a 32-byte address`.
pub(in crate::app) fn list_kinds(targets: &[Target]) -> String {
    let has = |kind: TargetKind| targets.iter().any(|target| target.kind() == kind);
    let is_long = targets.iter().filter_map(address_of).any(|address| matches!(address, Address::Long(_)));
    let mut kinds = Vec::new();
    match (has(TargetKind::Tx), has(TargetKind::EvmTx)) {
        (true, true) => kinds.push("a Cosmos or EVM transaction"),
        (true, false) => kinds.push("a transaction"),
        (false, true) => kinds.push("an EVM transaction"),
        (false, false) => {}
    }
    if is_long && has(TargetKind::Account) {
        kinds.push("a 32-byte address");
    } else {
        kinds.extend(has(TargetKind::Account).then_some("an account"));
        kinds.extend(has(TargetKind::Collection).then_some("a collection"));
    }
    kinds.extend(has(TargetKind::Token).then_some("a token"));
    kinds.extend(has(TargetKind::Denom).then_some("a denom"));
    match kinds.as_slice() {
        [first, second] => format!("{first} or {second}"),
        [all @ .., last] if all.len() > 1 => format!("{} or {last}", all.join(", ")),
        all => all.concat(),
    }
}
