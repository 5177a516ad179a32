//! Lines of a transfer's page, below its head.

use super::{
    hops::{TransferFacts, TxEntry},
    line::{Line, TransferLine, Urls},
};
use crate::{
    app::transfers::signs::ends,
    config::Meaning,
    domain::{Tracking, text},
    story::Names,
};

/// Columns of a label.
const FIELD: usize = 13;

impl TransferFacts<'_> {
    /// Returns all lines, and the web pages of their transactions.
    pub(super) fn lines(&self) -> (Vec<Line>, Urls) {
        let mut lines = Vec::new();
        let mut urls = Urls::new();
        self.push_signing(&mut lines);
        self.push_notes(&mut lines);
        if !self.status_view.hops.is_empty() {
            lines.push(heading(TransferLine::Hops, "Hops"));
            self.push_hops(&mut lines, &mut urls);
            lines.push(Line::at(0));
        }
        lines.push(heading(TransferLine::Questions, "Questions"));
        self.push_questions(&mut lines);
        lines.push(Line::at(0));
        self.push_withdrawals(&mut lines);
        lines.push(heading(TransferLine::Facts, "Details"));
        self.push_facts(&mut lines, &mut urls);
        lines.push(Line::at(0));
        let zone = &self.cx.zone;
        let is_local =
            zone.differs(self.now) || self.transfer.follower.record.changes.iter().any(|it| zone.differs(it.at));
        let title = if is_local { "History, newest first" } else { "History, newest first, in UTC" };
        lines.push(heading(TransferLine::History, title));
        for change in self.transfer.follower.record.changes.iter().rev() {
            let when = if is_local { zone.beside_utc(change.at) } else { change.at.day_and_clock() };
            let told = change.text.in_zone(zone);
            let line = Line::at(0).with(Meaning::Muted, format!("{when}  ")).with(Meaning::Text, &told);
            let name = TransferLine::Change(change.at, change.text.to_string());
            lines.push(line.copying(told).named(name));
        }
        (lines, urls)
    }

    fn push_notes(&self, lines: &mut Vec<Line>) {
        for note in &self.status_view.notes {
            let told = note.in_zone(&self.cx.zone);
            let line = Line::at(0).with(Meaning::Warning, "• ").with(Meaning::Text, &told).copying(told);
            lines.push(line.named(TransferLine::Note(note.to_string())));
        }
        if let Some(words) = self.status_view.problem_sentence() {
            let line = Line::at(0).with(Meaning::Bad, "✗ ").with(Meaning::Text, words);
            lines.push(line.copying(self.status_view.problem.clone().unwrap_or_default()).named(TransferLine::Problem));
        }
        // This line keeps room for the first note, so that nothing moves when it arrives.
        if lines.is_empty() {
            lines.push(Line::at(0).with(Meaning::Muted, "no notes").named(TransferLine::NoteRoom));
        }
    }

    /// Adds the times of the last and the next request to the router, and whether the router tracks the transfer.
    fn push_questions(&self, lines: &mut Vec<Line>) {
        let (transfer, now, has_router) = (self.transfer, self.now, self.cx.has_router());
        let poll = &transfer.follower.poll;
        let asked = match poll.last {
            _ if transfer.is_lost() => "polling stopped: this address no longer serves the chain".to_owned(),
            _ if !has_router => "no router configured for this network: no status".to_owned(),
            Some(last) => format!("asked {} ago", text::age(now.since(last.at))),
            None => "not requested yet".to_owned(),
        };
        let again = match transfer.poll_at(self.cx.now).filter(|_| has_router) {
            _ if self.is_asking => " · asking now".to_owned(),
            Some(at) if at > now => format!(" · retry in {}", text::age(at.since(now))),
            Some(_) => " · due".to_owned(),
            None if transfer.is_lost() => String::new(),
            None if has_router => " · polling ended".to_owned(),
            None => String::new(),
        };
        lines.push(field(TransferLine::Status, "status").with(Meaning::Muted, format!("{asked}{again}")));
        let failed = poll.problem.as_ref().zip(poll.last).map(|(error, last)| {
            let times =
                if last.failures == 1 { "once".to_owned() } else { format!("{} times in a row", last.failures) };
            format!("failed {times}: {}", error.brief())
        });
        if let Some(failed) = failed {
            lines.push(field(TransferLine::NoAnswer, "no answer").with(Meaning::Bad, &failed).copying(failed));
        }
        let registration = &transfer.follower.registration;
        let tracking = transfer.follower.current_tx().map(|tx| tx.tracking).unwrap_or_default();
        let why = registration.problem.as_ref().map(|error| format!(": {}", error.brief())).unwrap_or_default();
        let (meaning, words) = match tracking {
            // The router stops tracking a finished transfer.
            Tracking::Accepted if !transfer.is_live() => {
                (Meaning::Muted, "✓ the router accepted the transaction".to_owned())
            }
            Tracking::Accepted => (Meaning::Good, "✓ the router tracks the transaction".to_owned()),
            Tracking::Refused => (Meaning::Warning, format!("✗ the router rejected the transaction{why}")),
            Tracking::Pending if registration.tries > 0 => {
                (Meaning::Muted, format!("try {} of {} failed{why}", registration.tries, registration.most()))
            }
            Tracking::Pending => (Meaning::Muted, "asking the router to track the transaction".to_owned()),
        };
        lines.push(field(TransferLine::Registration, "registered").with(meaning, words));
    }

    fn push_facts(&self, lines: &mut Vec<Line>, urls: &mut Urls) {
        let (transfer, names) = (self.transfer, &self.cx.directory);
        let record = &transfer.follower.record;
        let label = if record.label.is_empty() { "none".to_owned() } else { record.label.clone() };
        lines.push(field(TransferLine::Label, "name").with(Meaning::Text, &label).copying(label));
        for (place, tx) in record.txs.iter().enumerate() {
            let what = if record.txs.len() == 1 { "transaction".to_owned() } else { format!("tx {}", place + 1) };
            let name = TransferLine::Tx(place);
            let entry = TxEntry { depth: 0, what: &what, chain: &tx.chain_id, hash: tx.hash.as_str(), page: "", name };
            let clock = self.status_view.clocks.get(place).copied().unwrap_or_default();
            let when = match clock.begun {
                Some(at) if clock.is_on_chain => format!("  {}", self.cx.zone.beside_utc(at)),
                Some(at) => format!("  sent {}", self.cx.zone.beside_utc(at)),
                None => format!("  first seen {}", self.cx.zone.beside_utc(tx.at)),
            };
            lines.push(self.tx_line(entry, urls).with(Meaning::Muted, when));
        }
        if let Some(claim) = &transfer.claim {
            let (chain, hash, name) = (&claim.chain_id, claim.hash.as_str(), TransferLine::Claim);
            let entry = TxEntry { depth: 0, what: "claim", chain, hash, page: "", name };
            let when = format!("  sent {}", self.cx.zone.beside_utc(claim.at));
            lines.push(self.tx_line(entry, urls).with(Meaning::Muted, when));
        }
        let Some(route) = transfer.follower.route() else {
            let (from, _) = ends(transfer);
            let words = format!("unknown: rollscope only has its hash on {}", Names::chain(names, &from));
            lines.push(field(TransferLine::Route, "route").with(Meaning::Muted, words));
            return;
        };
        let given = names.amount(&route.source_asset_chain_id, &route.source_asset_denom, route.amount_in);
        let taken = names.amount(&route.dest_asset_chain_id, &route.dest_asset_denom, route.amount_out);
        let (from, to) =
            (Names::chain(names, &route.source_asset_chain_id), Names::chain(names, &route.dest_asset_chain_id));
        let line = field(TransferLine::Route, "route")
            .with(Meaning::Text, format!("{given} on {from} → {taken} on {to}, as quoted"));
        lines.push(line.copying(record.route.as_deref().unwrap_or_default()));
        let with_chain = route.required_chain_addresses.iter().zip(&record.addresses);
        for (place, (chain, address)) in with_chain.enumerate() {
            let what = if place == 0 { "addresses" } else { "" };
            let line = Line::at(0)
                .with(Meaning::Key, format!("{what:<FIELD$}"))
                .with(Meaning::Text, address)
                .with(Meaning::Muted, format!(" on {}", Names::chain(names, chain)));
            lines.push(line.copying(address.clone()).named(TransferLine::Address(place)));
        }
    }
}

pub(super) fn heading(name: TransferLine, title: &str) -> Line {
    Line::at(0).with(Meaning::Heading, title).named(name)
}

fn field(name: TransferLine, what: &str) -> Line {
    Line::at(0).with(Meaning::Key, format!("{what:<FIELD$}")).named(name)
}
