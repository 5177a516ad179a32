//! Lookups of the go-to input without a server: names of targets, and full hashes for prefixes.

use std::{cell::OnceCell, collections::BTreeMap, sync::Arc};

use super::super::{
    context::Context,
    denoms::known_denoms,
    format::age,
    known_denom::{DenomSearchDepth, KnownDenom},
    modal::PaletteTarget,
    navigation::Navigation,
};
use crate::{
    config::{Networks, OfferedNetwork},
    domain::{
        Address, Height, Reading, Target, TargetError, TargetKind, Timestamp, Vm, classify, interpret, searching,
        several, text,
    },
    story::{Story, Style, escrow_account, routed_symbol, text_of},
    wire::{self, Tx},
};

/// Maximum collections whose names are requested at a time.
const NAMED_AT_ONCE: usize = 4;
/// Minimum digits of a hash prefix.
const ENOUGH: usize = 6;
/// Minimum digits after `0x`, which only hashes and addresses have.
const ENOUGH_OF_HEX: usize = 3;
/// Maximum hashes with a prefix. A prefix of more hashes is ambiguous.
const COMPLETED: usize = 4;

/// Known target with the texts to search. They are built once, since formatting both formats of an address costs more
/// than a comparison.
#[derive(Debug)]
pub(in crate::app) struct KnownTarget {
    pub(super) target: Target,
    pub(super) name: String,
    lower: String,
    /// Hash, or both formats of an address, in lower case without `0x`.
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

    /// Whether the name, hash or address contains the needle, which is in lower case without `0x`.
    pub(super) fn holds(&self, needle: &str) -> bool {
        let is_address = address_of(&self.target).is_some();
        searching::holds(&self.lower, needle)
            || is_address && self.forms.iter().any(|form| searching::holds(form, needle))
    }

    /// Whether the hash or address begins with `start` and ends with `end`.
    fn is_meant(&self, start: &str, end: &str) -> bool {
        self.forms.iter().any(|form| is_meant(form, start, end))
    }
}

/// Whether a hash or address begins with `start` and ends with `end`.
pub(super) fn is_meant(form: &str, start: &str, end: &str) -> bool {
    form.strip_prefix(start).is_some_and(|rest| rest.ends_with(end))
}

/// Names that the input searches: loaded records, recents, and the network's tokens.
pub(in crate::app) struct KnownNames<'a> {
    pub(super) context: &'a Context,
    pub(super) recents: &'a [String],
    navigation: &'a Navigation,
    /// Index of the loaded records. Most texts do not need it, so it is built on first use.
    loaded: OnceCell<Arc<[KnownTarget]>>,
    denoms: OnceCell<Vec<KnownDenom>>,
}

impl<'a> KnownNames<'a> {
    /// Creates the names. `loaded` is the index, if it is already built.
    pub(in crate::app) fn new(
        context: &'a Context,
        navigation: &'a Navigation,
        recents: &'a [String],
        loaded: Option<Arc<[KnownTarget]>>,
    ) -> Self {
        let loaded = loaded.map_or_else(OnceCell::new, OnceCell::from);
        Self { context, recents, navigation, loaded, denoms: OnceCell::new() }
    }

    /// Returns the label of a target in a list: its name, and part of its ID to tell it apart.
    pub(super) fn label_of(&self, target: &Target) -> String {
        let named = |name: &str, what: String| format!("{} · {what}", text::clip(name, 40));
        let own = target.nameable().and_then(|target| self.context.glossary.shown_personal_name(&target));
        if let Some(own) = own {
            return named(own, text::clip(&target.text(), 120));
        }
        match target {
            Target::Denom(denom) => match self.context.token(denom) {
                Some(token) => named(&token.symbol, denom.short_beside_name()),
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

    /// Returns the label of a transaction with transfers over a bridge: their states, and its block.
    pub(super) fn label_of_transfers(&self, tx: &Tx) -> String {
        let story = Story::of(tx, &self.context.glossary);
        let told = story.bridge.iter().map(|moved| match &moved.packet {
            Some(packet) => format!("{} · {}", packet.end, packet.state),
            None => text_of(&moved.phrases, Style::Short),
        });
        let told: Vec<String> = told.chain([format!("block {}", text::group(tx.height.get()))]).collect();
        text::clip(&told.join(" · "), 120)
    }

    /// Returns the newest recents' collections that have no known name, including collections of tokens.
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

    /// Returns the records in tabs and on the current page.
    pub(super) fn loaded(&self) -> &Arc<[KnownTarget]> {
        self.loaded.get_or_init(|| index(self.navigation))
    }

    /// Returns the denoms that the quick search found.
    pub(super) fn denoms(&self) -> &[KnownDenom] {
        self.denoms.get_or_init(|| known_denoms(self.context, self.navigation, DenomSearchDepth::Glance))
    }

    /// Parses a text by [`interpret`]. Also knows the network's tickers, names of other networks, and prefixes of known
    /// hashes.
    pub(in crate::app) fn understand(&self, typed: &str) -> Result<Reading, TargetError> {
        let word = typed.trim();
        let named = self.targets_called(word);
        if !named.is_empty() {
            return Ok(Reading { targets: self.with_readings_of(word, named), chain: None });
        }
        let reading = match escrow_of(word) {
            Some(escrow) => Ok(Reading { targets: vec![Target::Account(escrow)], chain: None }),
            None => interpret(typed),
        };
        // Only Move has short addresses; elsewhere these are the first digits of one.
        let is_evm = || self.context.chain.status.value().is_some_and(|status| status.internal_tx_height.is_some());
        let has_long = self.context.network.vm.map_or_else(is_evm, |vm| vm != Vm::Move);
        let is_start = has_long && is_short_hex(word);
        let reading = if is_start { Err(TargetError::Short(text::clip(word, 48))) } else { reading };
        if !reading.as_ref().is_ok_and(|reading| reading.targets.iter().any(is_unmistakable)) {
            let denoms = self.denoms_called(word);
            if !denoms.is_empty() {
                return Ok(Reading { targets: denoms, chain: None });
            }
        }
        // Digits above the tip may be the prefix of a known hash.
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

    /// Whether a reading is certain. An unknown denom, or a chain's name, may be any word.
    pub(super) fn is_sure(&self, reading: &Reading) -> bool {
        match &reading.targets[..] {
            [Target::Denom(denom)] => {
                denom.as_str().contains('/') || self.denoms().iter().any(|known| known.denom == *denom)
            }
            [Target::Chain(name)] => name.contains('-'),
            _ => true,
        }
    }

    /// Returns a sentence on a text's meaning; `None` if it would repeat the text.
    pub(super) fn say_understood(&self, typed: &str, reading: &Result<Reading, TargetError>) -> Option<String> {
        if let Some(offered) = OfferedNetwork::of_link(typed) {
            return Some(match offered {
                Ok(offered) => format!("link to {}: Enter asks its servers", text::clip(&offered.chain_id, 50)),
                Err(error) => error.to_string(),
            });
        }
        if let Some(at) = self.time(typed) {
            return Some(format!("the block nearest to {}", self.context.zone.beside_utc(at)));
        }
        if let Some(sentence) = self.describe_amount(typed) {
            return Some(sentence);
        }
        if let Some(several) = several(typed) {
            let all = several.pieces.len() + several.left_out;
            let of_all =
                if several.left_out > 0 { format!("the first {} of ", several.pieces.len()) } else { String::new() };
            return Some(format!("{of_all}{all} hashes or names: Enter searches for all"));
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

    /// Returns the time that a text is, as screens print times.
    pub(super) fn time(&self, typed: &str) -> Option<Timestamp> {
        self.context.zone.parse(typed.trim(), self.context.now)
    }

    /// Says how to search for an amount with its unit, which no server does; `None` for another text.
    pub(super) fn describe_amount(&self, typed: &str) -> Option<String> {
        let (number, unit) = typed.trim().rsplit_once(char::is_whitespace)?;
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        let is_number = number.splitn(2, '.').all(is_digits);
        // The sentence has a command for a shell: a symbol with other signs stays out of it.
        let unit = routed_symbol(unit)?;
        if !is_number || self.denoms_called(unit).is_empty() {
            return None;
        }
        let number = if number.contains([',', '.']) { number.to_owned() } else { text::group_digits(number) };
        Some(format!("no server searches by amount: rollscope txs --all --story | grep '{number} {unit}'"))
    }

    /// Describes the only reading of a text.
    pub(super) fn describe_only(&self, target: &Target, is_sure: bool) -> String {
        match target {
            Target::Chain(name) => self.describe_chain(name),
            Target::Denom(_) if !is_sure => format!("{}, if this denom exists", target.describe()),
            Target::Denom(denom) => match self.context.token(denom) {
                Some(token) if token.symbol != denom.short_beside_name() => {
                    format!("holders of {} · {}", text::clip(&token.symbol, 24), denom.short_beside_name())
                }
                _ => target.describe(),
            },
            Target::Account(address) => match self.context.glossary.label(*address) {
                Some(label) => format!("{} · {}", target.describe(), text::clip(label, 40)),
                None => target.describe(),
            },
            _ => target.describe(),
        }
    }

    /// Returns the target that the palette offers for a text. It offers no denom or chain name, which resemble
    /// commands.
    pub(in crate::app) fn palette_target(&self, text: String) -> Option<PaletteTarget> {
        let reading = self.understand(&text).ok().filter(|reading| self.is_sure(reading))?;
        let understood = match reading.targets.as_slice() {
            [Target::Chain(_)] => return None,
            [only] => self.describe_only(only, true),
            several => list_kinds(several),
        };
        Some(PaletteTarget { text, understood })
    }

    /// Returns a note if a URL names another chain than the current chain.
    pub(super) fn elsewhere(&self, reading: &Reading) -> Option<String> {
        let named = reading.chain.as_deref()?;
        let named_id =
            Networks::built_in().find(named).ok().and_then(|network| network.chain_id.as_deref()).unwrap_or(named);
        let here = self.own_chain()?;
        let is_target = reading.targets.iter().any(|target| target.kind() == TargetKind::Chain);
        (named_id != here && !is_target)
            .then(|| format!("URL of {}; searched on {}", text::clip(named_id, 30), text::clip(here, 30)))
    }

    /// Explains how to open a chain.
    pub(in crate::app) fn describe_chain(&self, named: &str) -> String {
        let shown = text::clip(named, 40);
        match Networks::built_in().find(named) {
            Ok(network) if network.chain_id.as_deref() == self.own_chain() => format!("{shown} is the current chain"),
            Ok(network) => format!("{shown} is another chain; :use {} shows it", network.name),
            Err(_) if Some(named) == self.own_chain() => format!("{shown} is the current chain"),
            Err(_) => format!("unknown chain id {shown}; :use with its indexer's URL shows it"),
        }
    }

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

    /// Returns the targets that the user named, then the network's accounts.
    pub(super) fn named_targets(&self) -> impl Iterator<Item = (Target, Arc<str>)> {
        let glossary = &self.context.glossary;
        let listed = self.context.network.accounts.iter();
        let listed = listed.filter(|account| glossary.personal_label(account.address).is_none());
        let named = |account: Address| Some((Target::Account(account), Arc::clone(glossary.known_label(account)?)));
        glossary.personal_names().into_iter().chain(listed.filter_map(move |account| named(account.address)))
    }

    /// Adds what a name means without the user's names: a name hides no height, hash, address or token.
    fn with_readings_of(&self, word: &str, mut named: Vec<Target>) -> Vec<Target> {
        let read = classify(word).unwrap_or_default().into_iter().filter(is_unmistakable);
        for target in read.chain(self.denoms_called(word)) {
            if !named.contains(&target) {
                named.push(target);
            }
        }
        named
    }

    fn targets_called(&self, word: &str) -> Vec<Target> {
        let typed = word.trim_matches(text::PERSONAL_SIGNS);
        let word = typed.to_lowercase();
        let called = self.named_targets().filter(|(_, name)| name.to_lowercase() == word);
        let mut called: Vec<Target> = called.map(|(target, _)| target).collect();
        let roles = self.context.glossary.accounts_called(&word).into_iter().map(Target::Account);
        called.extend(roles.filter(|role| !called.contains(role)).collect::<Vec<_>>());
        called.extend(self.token_called(typed));
        called
    }

    /// Returns the NFT that a page calls so: the name of a collection seen here with an id, as in `Moss Golems #12`.
    fn token_called(&self, typed: &str) -> Option<Target> {
        let (name, id) = typed.rsplit_once([' ', '#'])?;
        let name = name.trim_end_matches([' ', '#']).to_lowercase();
        let is_called = |known: &&KnownTarget| known.name.to_lowercase() == name;
        let mut collections = self.loaded().iter().filter(|known| matches!(known.target, Target::Collection(_)));
        let Target::Collection(collection) = collections.find(is_called)?.target else { return None };
        (!id.is_empty()).then(|| Target::Token { collection, token_id: id.into() })
    }

    /// Returns the denoms with this ticker or ID.
    fn denoms_called(&self, word: &str) -> Vec<Target> {
        let is_called = |known: &KnownDenom| {
            let is_word = |spelling: &str| spelling.eq_ignore_ascii_case(word);
            let denom = &known.denom;
            known.bare_symbol().is_some_and(is_word)
                || is_word(denom.as_str())
                || is_word(&denom.short())
                || is_word(&denom.short_beside_name())
        };
        let called = self.denoms().iter().filter(|known| is_called(known));
        called.map(|known| Target::Denom(known.denom.clone())).collect()
    }

    /// Returns the known hashes and addresses with this prefix, or with a shortened text such as `8E1C…04F2`.
    fn complete_name(&self, word: &str) -> Vec<Target> {
        let word = word.to_ascii_lowercase();
        let (start, end) = word.split_once('…').unwrap_or((&word, ""));
        let start = start.strip_prefix("0x").unwrap_or(start);
        let digits = start.strip_prefix("init1").unwrap_or(start);
        let enough = if word.starts_with("0x") { ENOUGH_OF_HEX } else { ENOUGH };
        if digits.len() + end.len() < enough
            || !(digits.to_owned() + end).bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            return Vec::new();
        }
        let mut found: Vec<Target> = Vec::new();
        let recents = self.recents.iter().filter_map(|recent| interpret(recent).ok());
        let recents: Vec<KnownTarget> = recents.flat_map(|reading| reading.targets).map(KnownTarget::new).collect();
        let named: Vec<KnownTarget> = self.named_targets().map(|(target, _)| KnownTarget::new(target)).collect();
        for known in recents.iter().chain(self.loaded().iter()).chain(&named).filter(|known| known.is_meant(start, end))
        {
            let has_no_start =
                matches!(known.target, Target::Block(_) | Target::Denom(_) | Target::Chain(_) | Target::Transfer(_));
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

/// Whether a text is `0x` with fewer digits than an address has.
fn is_short_hex(word: &str) -> bool {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    digits.is_some_and(|digits| (1..40).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Returns the escrow account of a channel, given as `channel-0` or with its port as `transfer/channel-0`.
fn escrow_of(word: &str) -> Option<Address> {
    let (port, channel) = word.rsplit_once('/').unwrap_or(("transfer", word));
    let number = channel.strip_prefix("channel-")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| escrow_account(port, channel)).flatten()
}

/// Builds the index of the records in tabs and on the current page.
fn index(navigation: &Navigation) -> Arc<[KnownTarget]> {
    let current = Some(navigation.current()).filter(|_| !navigation.is_at_root());
    let known = current.into_iter().chain(navigation.roots()).flat_map(|page| {
        let held = page.held();
        let txs = held.txs.into_iter().map(|tx| (Target::Tx(tx.txhash), None));
        let blocks = held.blocks.into_iter().map(|block| (Target::Block(block.height), None));
        held.targets.into_iter().chain(txs).chain(blocks).collect::<Vec<_>>()
    });
    let blocks = navigation.roots().flat_map(|page| page.held().blocks);
    let validator = |block: &Arc<wire::Block>| {
        let proposer = &block.proposer;
        let operator = Address::of_operator(&proposer.operator_address)?;
        (!proposer.moniker.is_empty())
            .then(|| (Target::Account(operator), Some(proposer.moniker.as_received().to_owned())))
    };
    let validators: BTreeMap<String, (Target, Option<String>)> =
        blocks.filter_map(|block| Some((block.proposer.operator_address.clone(), validator(block)?))).collect();
    known
        .chain(validators.into_values())
        .map(|(target, name)| match name {
            Some(name) => KnownTarget::named(target, &name),
            None => KnownTarget::new(target),
        })
        .collect()
}

/// Whether a text can mean only this target. Denoms may have any name, but they hide no height or hash.
fn is_unmistakable(target: &Target) -> bool {
    !matches!(target.kind(), TargetKind::Denom | TargetKind::Chain)
}

pub(super) fn address_of(target: &Target) -> Option<Address> {
    match target {
        Target::Account(address) | Target::Collection(address) => Some(*address),
        _ => None,
    }
}

pub(crate) fn word_for(targets: &[Target]) -> &'static str {
    match targets {
        [] => "",
        [only] => only.kind().word(),
        [Target::Tx(_) | Target::EvmTx(_), ..] => "hash",
        [..] => "address",
    }
}

/// Returns the kinds of targets, as in `a Cosmos or EVM transaction, or a 32-byte address`.
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
    let transfers =
        [TargetKind::Withdrawal, TargetKind::Deposit, TargetKind::Packet].into_iter().filter(|kind| has(*kind));
    let transfers: Vec<String> = transfers.map(|kind| format!("a {} by its number", kind.word())).collect();
    kinds.extend(transfers.iter().map(String::as_str));
    match kinds.as_slice() {
        [first, second] => format!("{first} or {second}"),
        [all @ .., last] if all.len() > 1 => format!("{} or {last}", all.join(", ")),
        all => all.concat(),
    }
}
