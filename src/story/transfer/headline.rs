//! The first line: where the funds are, never more than is known.

use std::fmt;

use super::{
    ArrivalEvidence, HopPhase, HopProtocol, HopView, Phase, RouterStanding, SourceEvidence,
    analysis::TransferAnalysis,
    source::HeadlineSource,
    status_part::TransferState,
    tx_leg::{TxLeg, Withdrawal},
};
use crate::{
    domain::{ChainId, LocalZone, Timestamp, Tracking, text},
    story::WithdrawalStage,
    wire::router::{AssetRelease, HopSlot},
};

/// Columns of a chain's name, of an amount, and of the whole at the most.
const CHAIN: usize = 22;
const AMOUNT: usize = 48;
const LINE: usize = 120;
/// Columns of a reason within the sentence.
const REASON: usize = 40;
/// What was sent from here longer ago than this is late to be seen anywhere, in seconds.
const LATE: u64 = 60;

/// What the first line says only where it is true; names from outside could say it too.
const ARRIVED: &str = "arrived";

/// Where the funds are, in one sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransferHeadline {
    /// What is known: the same text stands for the same knowledge. Empty before anything is.
    pub text: String,
    /// The time that passes, where it does: `0:40 of about 1:30`.
    pub clock: Option<String>,
    /// The whole sentence where its age stands within it: `As of 26 s ago (router unreachable): On its way`.
    pub dated: Option<String>,
    /// Who says so, and when.
    pub source: HeadlineSource,
    /// Since when it is asked for in vain, where `dated` says so by the clock.
    pub asked_since: Option<Timestamp>,
}

impl TransferHeadline {
    /// The first line: the sentence, who says so, and how long ago.
    pub fn first_line(&self, now: Timestamp) -> String {
        match self.source.words(now).filter(|_| self.dated.is_none()) {
            Some(source) => format!("{self} ({source})"),
            None => self.to_string(),
        }
    }

    /// The same for who looks on from this zone, with UTC beside each time.
    pub fn first_line_in(&self, zone: &LocalZone, now: Timestamp) -> String {
        let line = zone.in_words(&self.first_line(now));
        match self.asked_since {
            Some(since) => line.replacen(&asked_since(&LocalZone::default(), since), &asked_since(zone, since), 1),
            None => line,
        }
    }
}

fn asked_since(zone: &LocalZone, since: Timestamp) -> String {
    format!("since {}", zone.clock(since))
}

impl fmt::Display for TransferHeadline {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(dated) = &self.dated {
            return formatter.write_str(dated);
        }
        formatter.write_str(&self.text)?;
        self.clock.iter().try_for_each(|clock| write!(formatter, ", {clock}"))
    }
}

impl TransferAnalysis<'_> {
    /// Where the funds are, as one sentence.
    pub(super) fn headline(&self) -> TransferHeadline {
        let source = self.headline_source();
        let (text, dated) = match self.dated_text() {
            Some((text, dated)) => (text, Some(dated)),
            None => (self.text(), None),
        };
        if let Some(dated) = dated {
            let (text, dated) = (text::clip(&text, LINE), Some(text::clip(&dated, LINE)));
            let asked_since = match self.standing() {
                RouterStanding::Unknowing(streak) if self.phase == Phase::Forgotten => Some(streak.since),
                _ => None,
            };
            return TransferHeadline { text, clock: None, dated, source, asked_since };
        }
        let clock = self.time().filter(|_| self.is_timed());
        let room = LINE - clock.as_ref().map_or(0, |clock| clock.len() + 2);
        TransferHeadline { text: text::clip(&text, room), clock, dated: None, source, asked_since: None }
    }

    /// A sentence with its age within it, without and with that.
    fn dated_text(&self) -> Option<(String, String)> {
        let leg = self.leg()?;
        if self.phase == Phase::Forgotten {
            return self.forgotten_text(leg);
        }
        if let (Some(at), Some(doubt)) = (self.as_of(), self.standing().doubt()) {
            let text = self.text();
            let dated = format!("As of {} ago ({doubt}): {text}", text::age(self.now.since(at)));
            return Some((text, dated));
        }
        let sent = self.tx().filter(|_| self.is_only_sent(leg))?;
        let place = self.place(self.source());
        let ago = text::age(self.now.since(sent.at));
        let rest = match self.standing() {
            RouterStanding::Unasked => "nobody was asked yet where it is.",
            _ if self.now.since(sent.at).as_secs() > LATE => {
                "the router does not know it; where the funds are is not known."
            }
            _ => "not in a block yet as far as anyone says.",
        };
        Some((format!("Sent{place}; {rest}"), format!("Sent{place} {ago} ago; {rest}")))
    }

    /// Whether all that is known is that it was sent from here.
    fn is_only_sent(&self, leg: &TxLeg<'_>) -> bool {
        let is_open = matches!(self.standing(), RouterStanding::Unasked | RouterStanding::Unknowing(_));
        let is_refused = leg.tx.is_some_and(|tx| tx.tracking == Tracking::Refused);
        self.phase == Phase::NotKnown
            && self.is_ours
            && leg.withdrawal.is_none()
            && self.evidence.source.is_none()
            && is_open
            && !is_refused
    }

    /// A router that took the transaction up and answers that it does not know it.
    fn forgotten_text(&self, leg: &TxLeg<'_>) -> Option<(String, String)> {
        let RouterStanding::Unknowing(streak) = self.standing() else { return None };
        let times = text::count(usize::try_from(streak.times).unwrap_or(usize::MAX), "time");
        let asked = format!("asked {times} {}", asked_since(&LocalZone::default(), streak.since));
        let Some(at) = self.router_at() else {
            let text = "The router took it up and does not know it; where the funds are is not known.";
            let dated =
                format!("The router took it up and does not know it ({asked}); where the funds are is not known.");
            return Some((text.to_owned(), dated));
        };
        let place = self.place_text(leg);
        let ago = text::age(self.now.since(at));
        Some((
            format!("The router no longer knows it; last it said: {place}."),
            format!("The router no longer knows it ({asked}); {ago} ago it said: {place}."),
        ))
    }

    /// Whether the sentence is of one that moves, so that the time tells how far it may be.
    fn is_timed(&self) -> bool {
        let is_there = self.leg().is_none_or(|leg| leg.release_at_destination().is_some());
        self.phase == Phase::Moving && self.to_send.is_none() && !is_there
    }

    fn text(&self) -> String {
        let Some(leg) = self.leg() else { return plain(&Phase::NotKnown).to_owned() };
        if let Some(index) = self.to_send {
            return self.next_text(leg, index);
        }
        match self.phase {
            Phase::NotKnown => self.unknown_text(leg),
            Phase::Forgotten | Phase::Abandoned => plain(&self.phase).to_owned(),
            Phase::Waiting => self.waiting_text(),
            Phase::Moving => self.moving_text(leg),
            Phase::Failing => self.failing_text(leg),
            Phase::Finalizing => self.finalizing_text(leg),
            Phase::Arrived => self.arrived_text(leg),
            Phase::EndedUnstated => self.ended_text(leg),
            Phase::FailedAtSource => self.failed_at_source_text(),
            Phase::FailedReleased => self.released_text(leg),
            Phase::FailedHeld => self.held_text(leg),
            Phase::Strange => self.strange_text(leg),
        }
    }

    fn failed_at_source_text(&self) -> String {
        let source = self.place(self.source());
        match self.standing() {
            RouterStanding::Refusing { reason, .. } if self.is_refused_as_invalid() => {
                let reason = self.outside(reason, REASON).unwrap_or_else(|| "it is invalid".to_owned());
                format!("The router says that this transaction failed{source} ({reason}), or that the hash is not one.")
            }
            _ => format!("Failed at the source: nothing but the fee left the account{source}."),
        }
    }

    fn released_text(&self, leg: &TxLeg<'_>) -> String {
        let Some(release) = leg.release() else { return plain(&self.phase).to_owned() };
        let place = self.is_on(release);
        let is_plain = leg.part().is_some_and(|part| part.error.is_none() && part.state == TransferState::Completed);
        let hops = || self.hops.iter().filter(|hop| hop.tx_index == self.current);
        let is_refunded = |hop: &HopView| hop.txs.iter().any(|(slot, _)| *slot == HopSlot::OrderRefundedTx);
        let is_order = hops().any(|hop| hop.protocol == HopProtocol::GoFast && is_refunded(hop));
        match &self.findings.returned {
            Some(returned) if returned.cause == super::ReturnCause::TimedOut => {
                format!("Did not complete, it timed out. Your {place}.")
            }
            None if is_order => format!("The order timed out and was refunded. Your {place}."),
            None if is_plain => format!("Ended otherwise than planned. Your {place}."),
            _ => format!("Did not complete. Your {place}."),
        }
    }

    fn unknown_text(&self, leg: &TxLeg<'_>) -> String {
        let source = self.place(self.source());
        let router = self.router_clause();
        if let Some(withdrawal) = &leg.withdrawal {
            let rollup = self.chain(&withdrawal.from);
            return match self.evidence.source {
                Some(SourceEvidence::Absent) => {
                    format!("Withdrawal sent; the indexer of {rollup} does not have it yet.")
                }
                _ => format!("Withdrawal sent on {rollup}; nobody has confirmed yet that it is on chain."),
            };
        }
        let is_refused = leg.tx.is_some_and(|tx| tx.tracking == Tracking::Refused);
        match (self.evidence.source, self.standing()) {
            (Some(SourceEvidence::Succeeded), _) => format!("The transaction is on chain{source}; {router}."),
            (Some(SourceEvidence::Absent), _) => {
                format!("Not seen{source} yet, as far as its indexer knows; {router}.")
            }
            (_, RouterStanding::Refusing { reason, .. }) => {
                let reason = self.outside(reason, REASON).unwrap_or_default();
                format!("The router refused to track this transaction ({reason}); where the funds are is not known.")
            }
            _ if is_refused => {
                "The router refused to track this transaction; where the funds are is not known.".to_owned()
            }
            (_, RouterStanding::Unasked) => "Nobody was asked yet; where the funds are is not known.".to_owned(),
            (_, standing @ (RouterStanding::Silent(..) | RouterStanding::Absent)) => {
                let doubt = standing.doubt().unwrap_or_default();
                format!("Where the funds are is not known ({doubt}).")
            }
            _ => plain(&Phase::NotKnown).to_owned(),
        }
    }

    /// What the router has to do with what an indexer shows.
    pub(super) fn router_clause(&self) -> &'static str {
        match self.standing() {
            RouterStanding::Unasked => "the router has not said so",
            RouterStanding::Absent => "no router is known here",
            RouterStanding::Answering => "the router has not said so yet",
            RouterStanding::Unknowing(_) => "the router does not know it",
            RouterStanding::Silent(..) => "the router does not answer",
            RouterStanding::Refusing { .. } => "the router refuses to watch it",
        }
    }

    fn waiting_text(&self) -> String {
        let source = self.place(self.source());
        match self.evidence.source {
            Some(SourceEvidence::Succeeded) => {
                format!("The transaction is on chain{source}; the router has not seen it there yet.")
            }
            _ => format!("Sent{source}; in no block yet, as far as the router knows."),
        }
    }

    fn moving_text(&self, leg: &TxLeg<'_>) -> String {
        if let Some(release) = leg.release_at_destination() {
            return format!("The router says that your {}; its last word is still out.", self.is_on(release));
        }
        format!("On its way: {}", self.place_text(leg))
    }

    /// Which hop it is at, as far as the router has said.
    fn place_text(&self, leg: &TxLeg<'_>) -> String {
        let is_told = |hop: &HopView| leg.parts.len() < 2 || hop.part.is_some_and(|(part, _)| part == leg.deciding());
        let mine = || self.hops.iter().enumerate().filter(|(_, hop)| hop.tx_index == self.current && is_told(hop));
        let active = mine().find(|(_, hop)| hop.phase == HopPhase::Active);
        let waiting = || mine().find(|(_, hop)| hop.phase == HopPhase::Waiting);
        let begun = mine().any(|(_, hop)| hop.phase == HopPhase::Done);
        match (active, waiting().filter(|_| begun)) {
            (Some((_, hop)), _) if is_waiting_for_call(hop) => {
                let there = self.place(hop.to.as_ref());
                format!("delivered{there}, its follow-up call is outstanding")
            }
            (Some((index, hop)), _) => self.step(index, hop),
            (None, Some((index, hop))) => format!("next is {}", self.step(index, hop)),
            _ if begun => "every hop is done, waiting for the router's last word".to_owned(),
            _ if leg.is_on_chain() => format!("sent{}, no hop is known yet", self.place(self.source())),
            _ => "no hop is known yet".to_owned(),
        }
    }

    fn failing_text(&self, leg: &TxLeg<'_>) -> String {
        if leg.part().is_some_and(|part| part.state != TransferState::PendingError) {
            let of = leg.parts.len();
            let one = leg.deciding() + 1;
            return format!("Transfer {one} of {of} did not complete; the others are not at their end.");
        }
        let failed = self.hops.iter().enumerate().rev().find(|(_, hop)| hop.phase == HopPhase::Failed);
        let Some((index, hop)) = failed else { return plain(&Phase::Failing).to_owned() };
        format!("Will fail at {}; the error is travelling back.", self.step(index, hop))
    }

    fn finalizing_text(&self, leg: &TxLeg<'_>) -> String {
        let Some(Withdrawal { from, to, claimable, is_latest, .. }) = &leg.withdrawal else {
            return plain(&Phase::Finalizing).to_owned();
        };
        let (from, to) = (self.chain(from), self.chain(to));
        if let Some(text) = self.settled_text(leg, (&from, &to)) {
            return text;
        }
        let begins = if *is_latest { "at the latest" } else { "from about" };
        match claimable {
            Some(time) if *time <= self.now => {
                format!("Withdrawal from {from}: should be claimable on {to} since about {} (estimate).", minute(*time))
            }
            Some(time) => format!("Withdrawal from {from}: claimable on {to} {begins} {} (estimate).", minute(*time)),
            None => format!("Withdrawal from {from}: claimable on {to} after its finalization period."),
        }
    }

    /// Where a withdrawal stands by its executor and the L1; `None` where they were not heard.
    fn settled_text(&self, leg: &TxLeg<'_>, (from, to): (&str, &str)) -> Option<String> {
        let withdrawal = leg.withdrawal.as_ref()?;
        let claimable = withdrawal.claimable.map(minute);
        Some(match (withdrawal.known_stage()?, claimable) {
            (WithdrawalStage::Unproposed, Some(time)) => {
                format!("Withdrawal from {from}: in no output yet; claimable on {to} from about {time} (estimate).")
            }
            (WithdrawalStage::Unproposed, None) => {
                format!("Withdrawal from {from}: in no output yet; when it can be claimed on {to} is not known.")
            }
            (WithdrawalStage::Disproven(_), _) => {
                format!("Withdrawal from {from}: the executor's proof is wrong, so nothing can be claimed on {to}.")
            }
            (stage, Some(time)) if stage.is_ready(self.now) => {
                format!("Withdrawal from {from}: claimable on {to} since {time}; its proof is right.")
            }
            (WithdrawalStage::Proposed { .. }, Some(time)) if withdrawal.is_dated() => {
                format!("Withdrawal from {from}: proposed; claimable on {to} from {time} on.")
            }
            (WithdrawalStage::Proposed { .. }, _) => {
                format!("Withdrawal from {from}: proposed; how long {to} lets it be challenged is not known.")
            }
            _ => return None,
        })
    }

    fn arrived_text(&self, leg: &TxLeg<'_>) -> String {
        if leg.is_claimed_by_l1() && leg.router_phase != Phase::Arrived && self.evidence.arrival.is_none() {
            let (there, router) = (self.place(self.destination()), self.router_clause());
            return format!("Arrived{there}: the withdrawal was claimed, as that chain says; {router}.");
        }
        let there = self.place(self.destination());
        if let Some(text) = self.unconverted_text(leg) {
            return text;
        }
        match (self.evidence.arrival, leg.release().filter(|_| leg.is_release_indexed())) {
            (Some(ArrivalEvidence::NotCredited), _) => {
                return format!("The router says arrived{there}; its transaction there does not credit the recipient.");
            }
            (Some(ArrivalEvidence::Credited), Some(release)) if leg.router_phase != Phase::Arrived => {
                let (funds, router) = (self.funds(release), self.router_clause());
                return format!("Arrived: {funds}{there}, as the indexer shows; {router}.");
            }
            (Some(ArrivalEvidence::Credited), None) if leg.router_phase != Phase::Arrived => {
                return format!("Arrived{there}, as the indexer shows; {}.", self.router_clause());
            }
            _ if leg.parts.len() > 1 => {
                return format!("Arrived: all {} transfers of the transaction.", leg.parts.len());
            }
            _ => {}
        }
        if let Some(release) = leg.release().filter(|release| release.released) {
            return format!("Arrived: {} on {}.", self.funds(release), self.chain(&release.chain_id));
        }
        let destination = &leg.destination;
        let planned = destination
            .chain
            .as_ref()
            .zip(destination.denom.as_ref())
            .zip(destination.amount)
            .map(|((chain, denom), amount)| text::clip(&self.names.amount(chain, denom, amount), AMOUNT));
        planned.map_or_else(|| format!("Arrived{there}."), |planned| format!("Arrived: about {planned}{there}."))
    }

    /// It came, and is not what was wanted.
    fn unconverted_text(&self, leg: &TxLeg<'_>) -> Option<String> {
        let credit = self.findings.credit.as_ref().filter(|_| self.is_unconverted())?;
        let (release, wanted) = (leg.release()?, leg.destination.denom.as_ref()?);
        let reason = credit.hook_problem.as_deref().and_then(|reason| self.outside(reason, REASON));
        let why = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        Some(format!("Arrived unconverted: {}, not {}: the hook failed{why}.", self.funds(release), wanted.short()))
    }

    fn ended_text(&self, leg: &TxLeg<'_>) -> String {
        if self.findings.returned.is_some() && leg.router_phase != Phase::Arrived {
            return "The index shows both a credit there and a return; look at both chains.".to_owned();
        }
        if self.findings.returned.is_some() {
            let source = self.place(self.source());
            return format!(
                "The indexer and the router disagree: the asset came back{source}, the router says completed."
            );
        }
        if self.evidence.source == Some(SourceEvidence::Failed) {
            let source = self.place(self.source());
            return format!(
                "The indexer and the router disagree: the transaction failed{source}, the router says completed."
            );
        }
        match leg.release().filter(|release| release.released) {
            Some(release) => format!("The router says completed, and that {}.", self.is_on(release)),
            None => plain(&Phase::EndedUnstated).to_owned(),
        }
    }

    fn held_text(&self, leg: &TxLeg<'_>) -> String {
        match leg.release() {
            Some(release) => {
                let chain = self.chain(&release.chain_id);
                format!("Failed; {} on {chain} is not released yet.", self.funds(release))
            }
            None => plain(&Phase::FailedHeld).to_owned(),
        }
    }

    fn strange_text(&self, leg: &TxLeg<'_>) -> String {
        let word = match leg.part().map(|part| &part.state) {
            Some(TransferState::Other(word)) if !word.is_empty() => self.outside(word, CHAIN + CHAIN),
            Some(TransferState::Unknown) => {
                return "The router says that the state is unknown; where the funds are is not stated.".to_owned();
            }
            _ => None,
        };
        match word {
            Some(word) => format!("The router says {word}, which this version does not know."),
            None => plain(&Phase::Strange).to_owned(),
        }
    }

    /// One transaction has done its part, and the next one is a person's to send.
    fn next_text(&self, leg: &TxLeg<'_>, index: usize) -> String {
        let there = leg.release().filter(|release| release.released);
        let place = match there {
            Some(release) => format!("your {}", self.is_on(release)),
            None => format!("the funds are{}", self.place(self.destination())),
        };
        let of = self.legs.len();
        format!("Step {} of {of} is done: {place}. Transaction {} is yours to send.", self.current + 1, index + 1)
    }

    /// `hop 2 of 3, Initia → Celestia`; without a route nobody knows of how many. Of several transfers of one transaction
    /// each counts its own.
    pub(super) fn step(&self, index: usize, hop: &HopView) -> String {
        let of = if self.route.is_some() { format!(" of {}", self.hops.len()) } else { String::new() };
        let between = match (&hop.from, &hop.to) {
            (Some(from), Some(to)) if from == to => {
                let protocol = self.outside(&hop.protocol.to_string(), CHAIN);
                format!(", {} on {}", protocol.unwrap_or_else(|| "a step".to_owned()), self.chain(to))
            }
            (Some(from), Some(to)) => format!(", {} → {}", self.chain(from), self.chain(to)),
            (Some(one), None) | (None, Some(one)) => format!(", {}", self.chain(one)),
            (None, None) => String::new(),
        };
        let parts = self.legs.get(hop.tx_index).map_or(1, |leg| leg.parts.len());
        match hop.part.filter(|_| parts > 1) {
            Some((part, place)) => format!("transfer {} of {parts}, hop {}{between}", part + 1, place + 1),
            None => format!("hop {}{of}{between}", index + 1),
        }
    }

    /// `0:40 of about 1:30`, or `0:40 so far`; `None` where nobody knows when it began.
    pub(super) fn time(&self) -> Option<String> {
        let clock = self.leg()?.clock;
        let elapsed = text::elapsed(clock.elapsed(self.now)?);
        Some(match clock.estimate {
            Some(estimate) => format!("{elapsed} of about {}", text::elapsed(estimate)),
            None => format!("{elapsed} so far"),
        })
    }

    /// `25 USDC`, or only what it is where the amount is not said. Where it is another asset than planned there, its denom
    /// stands beside: two assets may have one ticker.
    pub(super) fn funds(&self, release: &AssetRelease) -> String {
        let AssetRelease { chain_id, denom, amount, .. } = release;
        let funds = match amount {
            Some(amount) => self.names.amount(chain_id, denom, *amount),
            None => self.names.denom(chain_id, denom),
        };
        let funds = self.outside(&funds, AMOUNT).unwrap_or_else(|| "asset".to_owned());
        let planned = self.route.into_iter().flat_map(|route| {
            let source = (&route.source_asset_chain_id, &route.source_asset_denom);
            [source, (&route.dest_asset_chain_id, &route.dest_asset_denom)]
        });
        let mut there = planned.filter(|(chain, _)| *chain == chain_id).peekable();
        let is_planned =
            |(_, planned): (_, &crate::domain::Denom)| planned.as_str().eq_ignore_ascii_case(denom.as_str());
        let short = denom.short();
        if there.peek().is_none() || there.any(is_planned) || funds.contains(&short) {
            return funds;
        }
        format!("{funds} as {}", self.outside(&short, CHAIN).unwrap_or_default())
    }

    fn is_on(&self, release: &AssetRelease) -> String {
        format!("{} is on {}", self.funds(release), self.chain(&release.chain_id))
    }

    /// A name from outside, cleaned; `None` where it would say that the funds are there while that is not known.
    fn outside(&self, name: &str, width: usize) -> Option<String> {
        let name = text::clip(name, width);
        (self.phase == Phase::Arrived || !name.to_lowercase().contains(ARRIVED)).then_some(name)
    }

    pub(super) fn chain(&self, chain: &ChainId) -> String {
        self.outside(&self.names.chain(chain), CHAIN).unwrap_or_else(|| "a chain".to_owned())
    }

    /// ` on Initia`, or nothing where it is not known.
    pub(super) fn place(&self, chain: Option<&ChainId>) -> String {
        chain.map(|chain| format!(" on {}", self.chain(chain))).unwrap_or_default()
    }
}

/// Whether a message was delivered, and what was to follow it on that chain has not happened yet.
fn is_waiting_for_call(hop: &HopView) -> bool {
    hop.state.ends_with("WAITING_FOR_COMPOSE") && hop.txs.iter().any(|(slot, _)| *slot == HopSlot::ReceiveTx)
}

/// What can be said of a phase without naming anything.
fn plain(phase: &Phase) -> &'static str {
    match phase {
        Phase::NotKnown => "The router does not know this transaction yet; where the funds are is not known.",
        Phase::Forgotten => "The router does not know this transaction any more; where the funds are is not known.",
        Phase::Waiting => "Sent; waiting until the transaction is on chain.",
        Phase::Moving => "On its way.",
        Phase::Failing => "A hop failed; the error is travelling back, and nothing is released yet.",
        Phase::Finalizing => "A withdrawal that waits for its finalization.",
        Phase::Arrived => "Arrived.",
        Phase::EndedUnstated => "The router says completed; where the funds are is not stated.",
        Phase::FailedAtSource => "Failed at the source.",
        Phase::FailedReleased => "Did not complete; the funds are released.",
        Phase::FailedHeld => "Failed; the router names no place where the funds are released.",
        Phase::Abandoned => "The tracker gave up; this says nothing about your funds.",
        Phase::Strange => "The router's answer cannot be read; where the funds are is not known.",
    }
}

/// Day and minute in UTC.
pub(super) fn minute(time: Timestamp) -> String {
    let text = time.day_and_clock();
    format!("{} UTC", text.get(..16).unwrap_or(&text))
}
