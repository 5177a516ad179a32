//! Lines of a transfer's hops: the transactions and times of both chains.

use std::time::Duration;

use super::line::{Line, Stage, TransferLine, Urls};
use crate::{
    app::{Context, transfers::WatchedTransfer},
    config::Meaning,
    domain::{ChainId, Target, Timestamp, TxHash, text},
    story::Names,
    story::WithdrawalStage,
    transfers::{HopPhase, HopProtocol, HopView, Phase, TransferStatusView},
    wire::router::{ChainTx, HopSlot},
};

const BAR: usize = 24;
const PROTOCOL: ColumnRange = ColumnRange { least: 11, most: 26 };
const WAY: ColumnRange = ColumnRange { least: 22, most: 42 };
const AMOUNT: ColumnRange = ColumnRange { least: 14, most: 24 };
/// Maximum columns of a narrow screen.
const NARROW: u16 = 80;
/// Columns of a label below a hop.
const FIELD: usize = 13;

pub(super) struct TransferFacts<'a> {
    pub(super) cx: &'a Context,
    pub(super) transfer: &'a WatchedTransfer,
    pub(super) status_view: &'a TransferStatusView,
    /// Whether a status request is pending.
    pub(super) is_asking: bool,
    /// Time to which ages refer.
    pub(super) now: Timestamp,
}

pub(super) struct TxEntry<'a> {
    pub(super) depth: u16,
    pub(super) what: &'a str,
    pub(super) chain: &'a ChainId,
    pub(super) hash: &'a str,
    /// URL of the transaction's web page; empty if the router sent none.
    pub(super) page: &'a str,
    pub(super) name: TransferLine,
}

/// Width of a column on a narrow screen, and its maximum.
struct ColumnRange {
    least: usize,
    most: usize,
}

impl ColumnRange {
    /// Takes columns from `room`, up to the maximum.
    fn grown(&self, room: &mut usize) -> usize {
        let more = (self.most - self.least).min(*room);
        *room -= more;
        self.least + more
    }
}

/// Formats a bar of `width` cells for `part` of `whole`.
pub(super) fn bar(part: Duration, whole: Duration, width: usize) -> String {
    let (part, whole) = (part.as_millis(), whole.as_millis().max(1));
    let filled = part.saturating_mul(width as u128).div_ceil(whole).min(width as u128);
    let filled = usize::try_from(filled).unwrap_or(width);
    format!("{}{}", "█".repeat(filled), "░".repeat(width - filled))
}

fn mark(phase: HopPhase) -> (Meaning, &'static str) {
    match phase {
        HopPhase::Waiting => (Meaning::Muted, "·"),
        HopPhase::Active => (Meaning::Link, "▶"),
        HopPhase::Done => (Meaning::Good, "✓"),
        HopPhase::Failed => (Meaning::Bad, "✗"),
        HopPhase::Unreached => (Meaning::Muted, "–"),
        HopPhase::Unknown => (Meaning::Warning, "?"),
    }
}

fn is_withdrawal(hop: &HopView, status_view: &TransferStatusView, is_settlement: impl Fn(&ChainId) -> bool) -> bool {
    let is_to_settlement = hop.to.as_ref().is_some_and(is_settlement);
    let is_waiting = hop.claimable.is_some() || status_view.phase == Phase::Finalizing && hop.phase == HopPhase::Active;
    hop.protocol == HopProtocol::OpInit && hop.from != hop.to && (is_to_settlement || is_waiting)
}

/// Whether a hop stays on its chain, as a swap does.
fn is_local(hop: &HopView) -> bool {
    hop.txs.is_empty() && hop.from == hop.to
}

impl TransferFacts<'_> {
    /// Adds all hops in order.
    pub(super) fn push_hops(&self, lines: &mut Vec<Line>, urls: &mut Urls) {
        for (place, hop) in self.status_view.hops.iter().enumerate() {
            lines.push(self.hop(place, hop).named(TransferLine::Hop(place)));
            let is_later = hop.tx_index >= self.transfer.follower.record.txs.len();
            if is_local(hop) || is_later || hop.phase == HopPhase::Unreached {
                continue;
            }
            lines.extend(self.sides(place, hop, urls));
            self.push_details(lines, place, hop);
        }
    }

    fn chain(&self, chain: Option<&ChainId>) -> String {
        chain.map_or_else(|| "?".to_owned(), |chain| Names::chain(&self.cx.directory, chain))
    }

    fn hop(&self, place: usize, hop: &HopView) -> Line {
        let (meaning, mark) = mark(hop.phase);
        let way = if is_local(hop) {
            format!("on {}", self.chain(hop.from.as_ref()))
        } else {
            format!("{} → {}", self.chain(hop.from.as_ref()), self.chain(hop.to.as_ref()))
        };
        let planned = hop.planned.as_ref().zip(hop.to.as_ref().or(hop.from.as_ref()));
        let amount = planned.map(|((denom, amount), chain)| self.cx.directory.amount(chain, denom, *amount));
        let is_later = hop.tx_index >= self.transfer.follower.record.txs.len();
        let word = match hop.phase {
            HopPhase::Waiting if is_later => format!("waiting for transaction {}", hop.tx_index + 1),
            HopPhase::Waiting => "waiting".to_owned(),
            HopPhase::Active => match self.status_view.as_of {
                Some(at) => format!("in progress as of {} ago", text::age(self.now.since(at))),
                None => "in progress".to_owned(),
            },
            HopPhase::Done => "done".to_owned(),
            HopPhase::Failed => "failed".to_owned(),
            HopPhase::Unreached => "not reached".to_owned(),
            HopPhase::Unknown => "unknown".to_owned(),
        };
        let mut room = usize::from(self.cx.size.0.saturating_sub(NARROW));
        let (way_width, amount_width) = (WAY.grown(&mut room), AMOUNT.grown(&mut room));
        let protocol_width = PROTOCOL.grown(&mut room);
        Line::at(0)
            .with(meaning, format!("{mark} {} ", place + 1))
            .with(Meaning::Kind, text::fit(&hop.protocol.to_string(), protocol_width))
            .with(Meaning::Text, format!(" {}", text::fit(&way, way_width)))
            .with(Meaning::Number, format!(" {} ", text::fit(&amount.unwrap_or_default(), amount_width)))
            .with(meaning, word)
            .with(Meaning::Muted, self.time_of(hop))
    }

    /// Returns the duration of a hop, or its elapsed time.
    fn time_of(&self, hop: &HopView) -> String {
        match (hop.began, hop.ended, hop.phase) {
            (Some(began), Some(ended), _) if ended > began => format!(" in {}", text::stopwatch(ended.since(began))),
            (Some(began), None, HopPhase::Active) if self.status_view.as_of.is_none() && began <= self.now => {
                format!(" for {}", text::stopwatch(self.now.since(began)))
            }
            _ => String::new(),
        }
    }

    /// Returns the transactions of both chains. A missing transaction keeps its line, so that no line moves when it
    /// arrives.
    fn sides(&self, place: usize, hop: &HopView, urls: &mut Urls) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut txs: Vec<&(HopSlot, ChainTx)> = hop.txs.iter().collect();
        let has = |slot: &HopSlot| hop.txs.iter().any(|(of, _)| of == slot);
        let is_plain = txs.iter().all(|(slot, _)| matches!(slot, HopSlot::SendTx | HopSlot::ReceiveTx));
        let absent = |what: &str, chain: Option<&ChainId>, slot: HopSlot| {
            let text = format!("no transaction on {} reported yet", self.chain(chain));
            Line::at(1)
                .with(Meaning::Key, format!("{what:<FIELD$}"))
                .with(Meaning::Muted, text)
                .named(TransferLine::HopTx(place, slot))
        };
        if !has(&HopSlot::SendTx) && is_plain {
            lines.push(absent("sent in", hop.from.as_ref(), HopSlot::SendTx));
        }
        txs.sort_by(|one, other| one.0.cmp(&other.0));
        for (slot, tx) in txs {
            lines.push(self.side(place, slot, tx, urls));
        }
        if !has(&HopSlot::ReceiveTx) && is_plain {
            lines.push(absent("received in", hop.to.as_ref(), HopSlot::ReceiveTx));
        }
        lines
    }

    fn side(&self, place: usize, slot: &HopSlot, tx: &ChainTx, urls: &mut Urls) -> Line {
        let what = match slot {
            HopSlot::SendTx => "sent in".to_owned(),
            HopSlot::ReceiveTx => "received in".to_owned(),
            HopSlot::AcknowledgeTx => "acknowledged".to_owned(),
            HopSlot::TimeoutTx => "timed out in".to_owned(),
            HopSlot::ErrorTx => "failed in".to_owned(),
            other => text::clip(other.to_string().trim_end_matches("_tx"), FIELD - 1).replace('_', " "),
        };
        let when: Option<Timestamp> = tx.on_chain_at.parse().ok();
        let when = when.map(|at| format!("  {}", self.cx.zone.beside_utc(at))).unwrap_or_default();
        let name = TransferLine::HopTx(place, slot.clone());
        let entry = TxEntry {
            depth: 1,
            what: &what,
            chain: &tx.chain_id,
            hash: &tx.tx_hash,
            page: tx.explorer_link.as_received(),
            name,
        };
        self.tx_line(entry, urls).with(Meaning::Muted, when)
    }

    /// Returns the line of a transaction. Enter opens it on the indexer's chain; `o` opens its web page.
    pub(super) fn tx_line(&self, tx: TxEntry<'_>, urls: &mut Urls) -> Line {
        let TxEntry { depth, what, chain, hash, page, name } = tx;
        let is_own = self.cx.own_chain().as_ref() == Some(chain);
        let own_hash = hash.parse::<TxHash>().ok().filter(|_| is_own);
        let of_network = self
            .cx
            .network
            .explorer
            .tx
            .as_ref()
            .zip(own_hash)
            .map(|(template, hash)| template.replace("{}", &hash.to_string()));
        let page = text::clean(page).into_owned();
        let is_web = page.starts_with("https://") || page.starts_with("http://");
        urls.insert(name.clone(), Some(page).filter(|_| is_web).or(of_network));
        let short =
            hash.parse::<crate::domain::BroadcastHash>().map_or_else(|_| text::clip(hash, 16), |hash| hash.short());
        Line::at(depth)
            .with(Meaning::Key, format!("{what:<FIELD$}"))
            .with(if own_hash.is_some() { Meaning::Link } else { Meaning::Text }, short)
            .with(Meaning::Muted, format!(" on {}", self.chain(Some(chain))))
            .copying(text::clean(hash).into_owned())
            .leading_to(own_hash.map(Target::Tx))
            .named(name)
    }

    fn push_details(&self, lines: &mut Vec<Line>, place: usize, hop: &HopView) {
        if !hop.state.is_empty() {
            let field = Line::at(1).with(Meaning::Key, format!("{:<FIELD$}", "router says"));
            let line = field.with(Meaning::Muted, &hop.state).copying(hop.state.clone());
            lines.push(line.named(TransferLine::HopState(place)));
        }
        if let Some(problem) = &hop.problem {
            let field = Line::at(1).with(Meaning::Key, format!("{:<FIELD$}", "problem"));
            let line = field.with(Meaning::Bad, problem).copying(problem.clone());
            lines.push(line.named(TransferLine::HopProblem(place)));
        }
        if is_withdrawal(hop, self.status_view, |chain| self.cx.directory.is_settlement(chain)) {
            self.push_stages(lines, place, hop);
        } else if let (Some(seconds), true) = (hop.planned_seconds, self.status_view.hops.len() > 1) {
            self.push_bars(lines, place, hop, Duration::from_secs(seconds));
        }
    }

    fn push_bars(&self, lines: &mut Vec<Line>, place: usize, hop: &HopView, planned: Duration) {
        let Some(began) = hop.began.filter(|began| *began <= self.now) else { return };
        let elapsed = hop.ended.unwrap_or(self.now).since(began);
        let whole = planned.max(elapsed);
        let late = if elapsed > planned { "  longer than planned" } else { "" };
        let bars = [
            ("planned", planned, "", TransferLine::HopPlanned(place)),
            ("elapsed", elapsed, late, TransferLine::HopElapsed(place)),
        ];
        for (what, part, note, name) in bars {
            let line = Line::at(1)
                .with(Meaning::Key, format!("{what:<FIELD$}"))
                .with(if note.is_empty() { Meaning::Muted } else { Meaning::Warning }, bar(part, whole, BAR))
                .with(Meaning::Number, format!(" {}{note}", text::stopwatch(part)));
            lines.push(line.named(name));
        }
    }

    /// Adds the stages of an optimistic withdrawal. The claim time is an estimate.
    fn push_stages(&self, lines: &mut Vec<Line>, hop_place: usize, hop: &HopView) {
        let clock = |at: Timestamp| self.cx.zone.beside_utc(at);
        let is_there = hop.phase == HopPhase::Done;
        let begun = hop.began.is_some() || hop.phase == HopPhase::Active && self.status_view.phase == Phase::Finalizing;
        let expected = hop.claimable;
        let about = expected.map(clock).unwrap_or_default();
        let estimate = if about.is_empty() { "time unknown".to_owned() } else { format!("about {about} (estimate)") };
        let (is_final, finalized, claimable) = match &hop.stage {
            Some(WithdrawalStage::Proposed { index, proposed, period: Some(period), .. }) => {
                let end = proposed.after(*period);
                let is_over = end <= self.now;
                let (since, from) = if is_over { (" since", "since") } else { ("", "from") };
                let proposal = format!("output {index} proposed {}, final{since} {}", clock(*proposed), clock(end));
                (is_over, proposal, format!("{from} {}, by the L1", clock(end)))
            }
            Some(WithdrawalStage::Proposed { index, proposed, .. }) => {
                let proposal = format!("output {index} proposed {}", clock(*proposed));
                (false, proposal, "the L1's challenge period is unknown".to_owned())
            }
            Some(WithdrawalStage::Unproposed) => {
                (false, "no output of the rollup covers the withdrawal yet".to_owned(), estimate)
            }
            Some(WithdrawalStage::Disproven(_)) => {
                let wrong = "the executor's proof is invalid".to_owned();
                (false, wrong.clone(), wrong)
            }
            Some(WithdrawalStage::Claimed { times: (proposed, end) }) => {
                let proposed = proposed.map(|at| format!("output proposed {}", clock(at)));
                let end = end.map(|at| format!("since {}, by the L1", clock(at)));
                (true, proposed.unwrap_or_default(), end.unwrap_or_default())
            }
            Some(WithdrawalStage::Unconfirmed { .. }) | None => {
                (expected.is_some_and(|at| at <= self.now), estimate.clone(), estimate)
            }
        };
        // An estimate says nothing once the funds are there.
        let is_known = !is_there || matches!(hop.stage, Some(WithdrawalStage::Claimed { .. }));
        let is_final = is_there || begun && is_final;
        let stages = [
            (Stage::Initiated, begun || is_there, hop.began.map(clock).unwrap_or_default()),
            (Stage::Finalized, is_final, if is_known { finalized } else { String::new() }),
            (Stage::Claimable, is_final, if is_known { claimable } else { String::new() }),
            (Stage::Claimed, is_there, hop.ended.map(clock).unwrap_or_default()),
        ];
        let current = stages.iter().position(|(_, is_done, _)| !is_done);
        for (place, (stage, is_done, when)) in stages.into_iter().enumerate() {
            let phase = match (is_done, current) {
                (true, _) => HopPhase::Done,
                (false, Some(current)) if current == place && begun => HopPhase::Active,
                _ => HopPhase::Waiting,
            };
            let (meaning, mark) = mark(phase);
            let line = Line::at(1).with(meaning, format!("{mark} {:<width$}", stage.to_string(), width = FIELD - 2));
            lines.push(line.with(Meaning::Muted, when).named(TransferLine::HopStage(hop_place, stage)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_never_longer_than_its_room() {
        let of = |part, whole| bar(Duration::from_secs(part), Duration::from_secs(whole), 4);
        assert_eq!([of(0, 10), of(1, 10), of(5, 10), of(10, 10), of(20, 10)], ["░░░░", "█░░░", "██░░", "████", "████"]);
        assert_eq!(of(0, 0), "░░░░");
    }
}
