//! Lines of the send page, a checklist: each stage with its state, content and next action.

use unicode_width::UnicodeWidthStr as _;

use super::{
    SendPage,
    addresses::{AddressRole, Origin},
    compared::tx_words,
    line::{Line, SendLine},
    requote::{count, fee_words},
    state::SendView,
    tx_lines::tx_lines,
};
use crate::{
    app::{Context, directory::Directory, format::age, transfers::BrowserSigning},
    config::Meaning,
    domain::{ChainId, LocalZone, Timestamp, TransferRecord, text},
    panes::{
        route_warnings::{RouteWarning, Severity},
        signing::signing_lines,
    },
    signing::{OfferLine, OfferLineKind},
    story::Names,
    widgets::{document::json::json_lines, layout::Regions},
};

/// Columns of a stage's name.
const STAGE: usize = 10;
/// Columns of a label within a stage.
const NAME: usize = 9;
/// Columns of a chain name on a narrow screen.
const CHAIN: usize = 14;
const WIDE_CHAIN: usize = 22;
const WIDE_FROM: usize = 90;
/// Minimum rows of a screen on which messages start unfolded.
const TALL: u16 = 40;
/// Maximum rows of a warning.
const ROWS: usize = 12;

/// State that the lines show.
pub(super) struct SendFacts<'a> {
    pub(super) page: &'a SendPage,
    pub(super) names: &'a Directory,
    pub(super) zone: &'a LocalZone,
    /// Transfer that began with this route.
    pub(super) transfer: Option<&'a TransferRecord>,
    pub(super) now: Timestamp,
    pub(super) width: usize,
    /// Whether the screen has room for messages with all fields.
    pub(super) is_tall: bool,
    /// Whether the demo wallet is sending the transaction.
    pub(super) departing: bool,
    /// Signing page in the browser, if open.
    pub(super) browser: Option<&'a BrowserSigning>,
}

/// State of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Done,
    Open,
    Warning,
}

pub(super) fn stage(line: SendLine, mark: Mark, name: &str) -> Line {
    let (meaning, sign) = match mark {
        Mark::Done => (Meaning::Good, "✓"),
        Mark::Open => (Meaning::Muted, "•"),
        Mark::Warning => (Meaning::Warning, "!"),
    };
    Line::at(0).named(line).with(meaning, sign).with(Meaning::Heading, format!(" {name:<STAGE$} "))
}

fn field(name: &str) -> Line {
    Line::at(1).with(Meaning::Key, format!("{name:<NAME$} "))
}

/// Returns the line below an address: its source and its other format.
fn origin_line(origin: Origin, other: Option<String>) -> Option<Line> {
    let origin = match origin {
        Origin::Typed => None,
        Origin::Wallet => Some("demo wallet"),
        Origin::Connected => Some("your wallet"),
        Origin::Signer => Some("the signer"),
        Origin::Kept => Some("from the transfer"),
    };
    let words = match (origin, &other) {
        (None, None) => return None,
        (Some(origin), None) => origin.to_owned(),
        (None, Some(other)) => format!("= {other}"),
        (Some(origin), Some(other)) => format!("{origin} = {other}"),
    };
    let line = field("").with(Meaning::Muted, words);
    Some(if let Some(other) = other { line.copying(other) } else { line })
}

impl SendPage {
    /// Returns the lines of all stages, or of the messages' JSON.
    pub(super) fn lines(&self, departing: bool, browser: Option<&BrowserSigning>, cx: &Context) -> Vec<Line> {
        if self.view == SendView::WebBridge {
            return self.link_lines(cx);
        }
        if self.view == SendView::Json {
            return self.messages.answer().map(|answer| json_lines(answer.raw.get())).unwrap_or_default();
        }
        let regions = Regions::new(cx.size);
        let room = regions.inner(regions.body);
        let transfer = self.sent.as_ref().and_then(|id| cx.transfers.get(id)).map(|kept| &kept.follower.record);
        let (names, now, width) = (&cx.directory, cx.now, usize::from(room.width));
        let is_tall = room.height >= TALL;
        step_lines(&SendFacts { page: self, names, zone: &cx.zone, transfer, now, width, is_tall, departing, browser })
    }
}

fn step_lines(facts: &SendFacts<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    facts.push_notice(&mut lines);
    if let Some(open) = facts.browser {
        lines.push(stage(SendLine::Browser, Mark::Warning, "Signing").with(Meaning::Text, "in your browser"));
        lines.extend(signing_lines(open, facts.width));
    }
    facts.push_route(&mut lines);
    facts.push_warnings(&mut lines);
    facts.push_slippage(&mut lines);
    facts.push_addresses(&mut lines);
    if facts.page.route.value.required_op_hook {
        facts.push_hook(&mut lines);
    }
    facts.push_messages(&mut lines);
    facts.push_send(&mut lines);
    lines
}

impl SendFacts<'_> {
    /// Pads a chain name to the width of its column.
    fn chain_cell(&self, chain: &ChainId) -> String {
        let width = if self.width < WIDE_FROM { CHAIN } else { WIDE_CHAIN };
        let name = text::clip(&Names::chain(self.names, chain), width);
        let blanks = " ".repeat(width.saturating_sub(name.width()) + 1);
        name + &blanks
    }

    /// Wraps a text over several rows; only the first row has an identity.
    pub(super) fn push_wrapped(&self, lines: &mut Vec<Line>, depth: u16, head: Line, meaning: Meaning, sentence: &str) {
        let indent = usize::from(depth) * crate::widgets::document::INDENT + 4;
        let mut head = Some(head);
        for (place, row) in text::wrap(sentence, self.width.saturating_sub(indent).max(16), ROWS).iter().enumerate() {
            let line = head.take().unwrap_or_else(|| Line::at(depth));
            let line = if place > 0 { line.with(Meaning::Muted, "  ") } else { line };
            lines.push(line.with(meaning, row).copying(sentence));
        }
    }

    fn push_notice(&self, lines: &mut Vec<Line>) {
        if let Some(notice) = &self.page.notice {
            let head = Line::at(0).named(SendLine::Notice).with(Meaning::Bad, "! ");
            self.push_wrapped(lines, 0, head, Meaning::Bad, notice);
        }
        if self.page.changes.is_empty() {
            return;
        }
        lines.push(stage(SendLine::Changes, Mark::Warning, "Changed").with(Meaning::Warning, "since your quote"));
        for changed in &self.page.changes {
            lines.push(
                field(changed.name)
                    .with(Meaning::Muted, &changed.old)
                    .with(Meaning::Warning, " → ")
                    .with(Meaning::Text, &changed.new),
            );
        }
    }

    fn push_route(&self, lines: &mut Vec<Line>) {
        let (page, route, names) = (self.page, &self.page.route.value, self.names);
        let (from, to) = (&route.source_asset_chain_id, &route.dest_asset_chain_id);
        lines.push(
            stage(SendLine::Route, Mark::Done, "Route")
                .with(Meaning::Number, names.amount(from, &route.source_asset_denom, route.amount_in))
                .with(Meaning::Muted, " on ")
                .with(Meaning::Text, Names::chain(names, from))
                .with(Meaning::Muted, " → ")
                .with(Meaning::Number, names.amount(to, &route.dest_asset_denom, route.amount_out))
                .with(Meaning::Muted, " on ")
                .with(Meaning::Text, Names::chain(names, to)),
        );
        lines.push(field("takes").with(Meaning::Text, self.time_words()));
        lines.push(field("fees").with(Meaning::Text, fee_words(&route.estimated_fees, names)));
        if page.sent.is_some() {
            return;
        }
        let mut quote = match (page.quote.is_awaited, page.quote.request.is_some()) {
            (true, _) => field("quote").with(Meaning::Muted, "refreshing…"),
            (false, true) => field("quote").with(Meaning::Muted, format!("{} old", age(self.now.since(page.quote.at)))),
            (false, false) => field("quote").with(Meaning::Muted, "from the started transfer"),
        };
        if let Some(end) = page.relay_quote_ends() {
            quote = if page.is_relay_quote_over(self.now) {
                quote.with(Meaning::Warning, " · the relayer's price has expired")
            } else {
                let left = text::span(end.since(self.now).as_secs());
                quote.with(Meaning::Muted, format!(" · the relayer's price holds for {left} more"))
            };
        }
        lines.push(quote);
    }

    /// Formats the duration and the number of signatures. A route under way shows only the signatures, because the
    /// remaining time is unknown.
    fn time_words(&self) -> String {
        let (page, route) = (self.page, &self.page.route.value);
        let txs = usize::try_from(route.txs_count()).unwrap_or(usize::MAX);
        if page.further.is_some() {
            let chain = Names::chain(self.names, &page.tx_chain(page.tx()));
            return format!("transaction {} of {txs}, signed on {chain}", page.tx() + 1);
        }
        let time = route
            .seconds()
            .map_or_else(|| "no estimate".to_owned(), |seconds| format!("about {}", text::span(seconds)));
        let claim = if page.wait.claim_wait().is_some() { ", then the claim" } else { "" };
        format!("{time} · {} to sign{claim}", count(txs, "transaction"))
    }

    fn push_warnings(&self, lines: &mut Vec<Line>) {
        let warnings = self.page.warnings();
        let open = warnings.iter().filter(|warning| self.page.must_acknowledge(warning)).count();
        let known = warnings.iter().filter(|warning| warning.severity < Severity::Note).count();
        let head = if open > 0 {
            stage(SendLine::Warnings, Mark::Warning, "Warnings")
                .with(Meaning::Warning, count(open, "warning"))
                .with(Meaning::Muted, "  a acknowledges")
        } else if known > 0 {
            stage(SendLine::Warnings, Mark::Done, "Warnings").with(Meaning::Muted, "acknowledged")
        } else {
            stage(SendLine::Warnings, Mark::Done, "Warnings").with(Meaning::Muted, "none")
        };
        lines.push(head);
        for (place, warning) in warnings.iter().enumerate() {
            let alike = warnings.iter().take(place).filter(|other| other.key == warning.key).count();
            self.push_warning(lines, SendLine::Warning(warning.key.clone(), alike), warning);
        }
    }

    fn push_warning(&self, lines: &mut Vec<Line>, name: SendLine, warning: &RouteWarning) {
        let (meaning, sign) = match warning.severity {
            Severity::Price => (Meaning::Bad, "‼ "),
            Severity::Slippage | Severity::Router => (Meaning::Warning, "! "),
            Severity::Note => (Meaning::Muted, "i "),
        };
        let head = Line::at(1).named(name).with(meaning, sign);
        self.push_wrapped(lines, 1, head, meaning, &warning.text);
    }

    fn push_slippage(&self, lines: &mut Vec<Line>) {
        let (page, route) = (self.page, &self.page.route.value);
        let line =
            stage(SendLine::Slippage, Mark::Done, "Slippage").with(Meaning::Number, format!("{} %", page.slippage));
        if !route.does_swap {
            return lines.push(line.with(Meaning::Muted, "  no swap, no slippage"));
        }
        let least = page.slippage.least_of(route.amount_out);
        let least = self.names.amount(&route.dest_asset_chain_id, &route.dest_asset_denom, least);
        lines.push(line.with(Meaning::Text, format!("  at least {least}")).with(Meaning::Muted, "  % or Enter"));
    }

    fn push_addresses(&self, lines: &mut Vec<Line>) {
        let page = self.page;
        let head = match page.missing_address(self.names) {
            None => stage(SendLine::Addresses, Mark::Done, "Addresses"),
            Some(missing) => {
                stage(SendLine::Addresses, Mark::Open, "Addresses").with(Meaning::Muted, format!("needs {missing}"))
            }
        };
        lines.push(head);
        for (place, slot) in page.addresses.iter().enumerate() {
            let role = page.role(place);
            let words = match role {
                AddressRole::Signs => "signs",
                AddressRole::Receives => "receives",
                AddressRole::Both => "signs and receives",
                AddressRole::Passes => "passes",
                AddressRole::Left => "left",
            };
            let line = field(words).named(SendLine::Address(place)).with(Meaning::Text, self.chain_cell(&slot.chain));
            let Some((address, origin)) = &slot.address else {
                lines.push(line.with(Meaning::Warning, "missing").with(Meaning::Muted, "  Enter: edit"));
                continue;
            };
            lines.push(line.with(Meaning::Link, address.as_str()).copying(address.as_str()));
            lines.extend(origin_line(*origin, address.account().map(|account| account.checksummed())));
            if !address.is_checked() && *origin != Origin::Kept {
                lines.push(field("").with(
                    Meaning::Warning,
                    "! not checked: rollscope does not know this chain's \
                 address format",
                ));
            }
            if page.is_anothers(place) {
                lines.push(field("").with(Meaning::Warning, "! not the signer's account"));
            }
            if role == AddressRole::Passes {
                lines.push(field("").with(Meaning::Muted, "must be your address: it receives refunds"));
            }
        }
    }

    fn push_messages(&self, lines: &mut Vec<Line>) {
        let page = self.page;
        let open = |text: String| stage(SendLine::Messages, Mark::Open, "Messages").with(Meaning::Muted, text);
        if let Some(missing) = page.missing_before_messages(self.names).filter(|_| page.sent.is_none()) {
            return lines.push(open(format!("needs {missing}")));
        }
        let Some(answer) = page.messages.answer() else {
            return lines.push(match page.messages.error() {
                Some(error) => stage(SendLine::Messages, Mark::Warning, "Messages")
                    .with(Meaning::Bad, format!("✗ {}", error.brief()))
                    .with(Meaning::Muted, "  r retries")
                    .copying(error.to_string()),
                None => open("asking…".to_owned()),
            });
        };
        let txs = &answer.value.txs;
        // The packets of sent messages may have timed out since.
        let compared = page.compared(self.names, page.messages.at().unwrap_or(self.now));
        let refusal = compared.as_ref().and_then(|compared| compared.as_ref().err());
        let mark = if txs.is_empty() || refusal.is_some() { Mark::Warning } else { Mark::Done };
        let mut head = stage(SendLine::Messages, mark, "Messages").with(Meaning::Text, count(txs.len(), "transaction"));
        if let Some(refusal) = refusal {
            let words = if refusal.is_unknown() { " · not verified" } else { " · not those of the quote" };
            head = head.with(Meaning::Warning, words);
        }
        if let Some(least) = answer.value.min_amount_out {
            let route = &page.route.value;
            let least = self.names.amount(&route.dest_asset_chain_id, &route.dest_asset_denom, least);
            head = head.with(Meaning::Text, format!(" · at least {least}"));
        }
        if let (Some(at), None) = (page.messages.at(), &page.sent) {
            head = head.with(Meaning::Muted, format!(" · {} old", age(self.now.since(at))));
        }
        lines.push(head.with(Meaning::Muted, "  J raw · y copy · e save"));
        if let Some(refusal) = refusal {
            let sentence = format!("quote check failed: {refusal}");
            self.push_wrapped(
                lines,
                1,
                Line::at(1).with(Meaning::Warning, "! "),
                Meaning::Warning,
                &text::clean(&sentence),
            );
        }
        let ready = compared.and_then(Result::ok).unwrap_or_default();
        let names = page.reported.units.before(self.names);
        for (place, tx) in txs.iter().enumerate().take(16) {
            let mut tx_lines = tx_lines(tx, place, self.names, !self.is_tall).into_iter();
            lines.extend(tx_lines.next());
            for sentence in ready.get(place).map(|ready| tx_words(ready, &names)).unwrap_or_default() {
                self.push_wrapped(lines, 2, Line::at(2), Meaning::Text, &sentence);
            }
            lines.extend(tx_lines);
        }
        self.push_simulation(lines);
    }

    fn push_simulation(&self, lines: &mut Vec<Line>) {
        let page = self.page;
        if page.simulation.is_awaited() {
            lines.push(Line::at(1).with(Meaning::Muted, "simulating…"));
        }
        // An open signing page shows the lines itself.
        let shown = page.simulation.lines(page.messages.at(), self.names).into_iter();
        for OfferLine { name, text, kind } in shown.filter(|_| self.browser.is_none() && page.sent.is_none()) {
            let (meaning, sign) = match kind {
                OfferLineKind::Warning => (Meaning::Warning, "! "),
                OfferLineKind::Amount | OfferLineKind::Plain => (Meaning::Text, ""),
            };
            self.push_wrapped(lines, 1, Line::at(1).with(meaning, sign), meaning, &format!("{name}: {text}"));
        }
    }

    fn push_send(&self, lines: &mut Vec<Line>) {
        let page = self.page;
        if let Some(id) = &page.sent {
            let chain = Names::chain(self.names, &id.chain_id);
            lines.push(
                stage(SendLine::Send, Mark::Done, "Sent")
                    .with(Meaning::Text, format!("{} on {chain}", id.hash.short())),
            );
            for (place, tx) in self.transfer.into_iter().flat_map(|record| record.txs.iter().enumerate()) {
                let chain = Names::chain(self.names, &tx.chain_id);
                lines.push(
                    field(&format!("tx {}", place + 1))
                        .with(Meaning::Link, tx.hash.as_str())
                        .with(Meaning::Muted, format!(" on {chain}"))
                        .copying(tx.hash.as_str()),
                );
            }
            let line = Line::at(1).named(SendLine::Transfer).with(Meaning::Kind, "Enter: open the transfer");
            return lines.push(line.copying(id.hash.as_str()));
        }
        let has_wallet = self.names.wallet().is_some();
        let missing = page.missing_before_hash(self.names);
        // Wallets sign the hook first and then request fresh messages.
        let first = page.missing_before_hook(self.names);
        let words = if self.departing {
            "with the demo wallet…".to_owned()
        } else if self.browser.is_some() {
            "with your browser wallet".to_owned()
        } else if page.goal.is_some() {
            "preparing…".to_owned()
        } else {
            let is_hook_open = page.route.value.required_op_hook && page.hook.signed().is_none();
            let key = if has_wallet { "S" } else { "W" };
            match first {
                Some(missing) => format!("needs {missing}"),
                None if is_hook_open => format!("{key} signs the hook, then sends (2 signatures)"),
                None => "ready".to_owned(),
            }
        };
        lines.push(stage(SendLine::Send, Mark::Open, "Send").with(Meaning::Muted, words));
        if has_wallet {
            let line = Line::at(1).named(SendLine::DemoSend);
            lines.push(line.with(Meaning::Kind, "S: sign and send with the demo wallet"));
        }
        if self.browser.is_none() {
            let line = Line::at(1).named(SendLine::SignInBrowser);
            lines.push(line.with(Meaning::Kind, "W: sign with your browser wallet and send"));
        }
        self.push_slots(lines, missing.is_none());
        self.push_search(lines);
    }

    /// Adds one line for the hash of each transaction.
    fn push_slots(&self, lines: &mut Vec<Line>, is_open: bool) {
        let page = self.page;
        let txs = usize::try_from(page.route.value.txs_count()).unwrap_or(1).max(page.messages.txs().len()).min(16);
        for tx in 0..txs {
            let line = field(&format!("tx {}", tx + 1)).named(SendLine::Hash(tx));
            let line = line.with(Meaning::Text, self.chain_cell(&page.tx_chain(tx)));
            let known = self.transfer.and_then(|record| record.txs.get(tx));
            lines.push(match (known, tx.cmp(&page.tx())) {
                (Some(sent), _) => line.with(Meaning::Link, sent.hash.as_str()).copying(sent.hash.as_str()),
                (None, std::cmp::Ordering::Less) => line.with(Meaning::Good, "✓ sent"),
                (None, std::cmp::Ordering::Equal) if is_open => {
                    line.with(Meaning::Kind, "Enter: type the hash if sent elsewhere")
                }
                (None, std::cmp::Ordering::Equal) => {
                    line.with(Meaning::Muted, "enter its hash after you send it elsewhere")
                }
                (None, std::cmp::Ordering::Greater) => {
                    line.with(Meaning::Muted, "opens after the previous transaction arrives")
                }
            });
        }
    }
}
