//! Headline of a transfer: where the funds are. It never says more than servers reported.

use super::{
    ArrivalEvidence, HopPhase, HopProtocol, HopView, Phase, RouterHealth, SourceEvidence, TransferHeadline,
    analysis::TransferAnalysis,
    contradiction::Contradiction,
    status_part::TransferState,
    tx_leg::{TxLeg, Withdrawal},
};
use crate::{
    domain::{ChainId, TimedText, Tracking, text},
    story::WithdrawalStage,
    wire::router::{AssetRelease, HopSlot},
};

/// Maximum columns of a chain's name, of an amount, and of the whole headline.
const CHAIN: usize = 22;
const AMOUNT: usize = 48;
const LINE: usize = 120;
/// Maximum columns of a reason in the headline.
const REASON: usize = 40;
/// Age in seconds from which an unseen broadcast is late.
const LATE: u64 = 60;

/// Word that only a proven arrival may use. Names from servers may contain it.
const ARRIVED: &str = "arrived";

impl TransferAnalysis<'_> {
    pub(super) fn headline(&self) -> TransferHeadline {
        let source = self.headline_source();
        if let Some((text, dated)) = self.dated_text() {
            return TransferHeadline { text: text.clip(LINE), clock: None, dated: Some(dated.clip(LINE)), source };
        }
        let clock = self.time().filter(|_| self.is_timed());
        let room = LINE - clock.as_ref().map_or(0, |clock| clock.len() + 2);
        TransferHeadline { text: self.text().clip(room), clock, dated: None, source }
    }

    /// Returns the headline without and with its age; `None` if it contains no age.
    fn dated_text(&self) -> Option<(TimedText, TimedText)> {
        let leg = self.leg()?;
        if self.phase == Phase::Forgotten {
            return self.forgotten_text(leg);
        }
        if let (Some(at), Some(doubt)) = (self.as_of(), self.standing().doubt()) {
            let text = self.text();
            let ago = text::age(self.now.since(at));
            let dated = TimedText::from(format!("As of {ago} ago ({doubt}): ")).then(&text);
            return Some((text, dated));
        }
        let sent = self.tx().filter(|_| self.is_only_sent(leg))?;
        let place = self.place(self.source());
        let ago = text::age(self.now.since(sent.at));
        let rest = match self.standing() {
            RouterHealth::Unasked => "no status received yet.",
            _ if self.now.since(sent.at).as_secs() > LATE => {
                "the router does not know the transaction; the funds' location is unknown."
            }
            _ => "no source reports the transaction in a block yet.",
        };
        Some((format!("Sent{place}; {rest}").into(), format!("Sent{place} {ago} ago; {rest}").into()))
    }

    /// Whether rollscope's broadcast is the only known fact.
    fn is_only_sent(&self, leg: &TxLeg<'_>) -> bool {
        let is_open = matches!(self.standing(), RouterHealth::Unasked | RouterHealth::Unknowing(_));
        let is_refused = leg.tx.is_some_and(|tx| tx.tracking == Tracking::Refused);
        self.phase == Phase::NotKnown
            && self.is_ours
            && leg.withdrawal.is_none()
            && self.evidence.source.is_none()
            && is_open
            && !is_refused
    }

    /// Describes a transaction that the router accepted and then forgot.
    fn forgotten_text(&self, leg: &TxLeg<'_>) -> Option<(TimedText, TimedText)> {
        let RouterHealth::Unknowing(streak) = self.standing() else { return None };
        let times = text::count(usize::try_from(streak.times).unwrap_or(usize::MAX), "time");
        let asked = |begin: &str| TimedText::from(format!("{begin} (asked {times} since ")).clock(streak.since);
        let Some(at) = self.router_at() else {
            let begin = "The router accepted the transaction but lost the transfer";
            let end = "; the funds' location is unknown.";
            return Some((format!("{begin}{end}").into(), asked(begin).words(")").words(end)));
        };
        let (begin, place) = ("The router lost the transfer", self.place_text(leg));
        let ago = text::age(self.now.since(at));
        let dated = asked(begin).words(&format!("); its last report, {ago} ago: {place}."));
        Some((format!("{begin}; its last report: {place}.").into(), dated))
    }

    /// Whether the transfer is moving, so that its elapsed time matters.
    fn is_timed(&self) -> bool {
        let is_there = self.leg().is_none_or(|leg| released(leg).is_some());
        self.phase == Phase::Moving && self.to_send.is_none() && !is_there
    }

    fn text(&self) -> TimedText {
        let Some(leg) = self.leg() else { return plain(&Phase::NotKnown).into() };
        if let Some(index) = self.to_send {
            return self.next_text(leg, index).into();
        }
        let text = match self.phase {
            Phase::Finalizing => return self.finalizing_text(leg),
            Phase::NotKnown => self.unknown_text(leg),
            Phase::Forgotten | Phase::Abandoned => plain(&self.phase).to_owned(),
            Phase::Waiting => self.waiting_text(),
            Phase::Moving => self.moving_text(leg),
            Phase::Failing => self.failing_text(leg),
            Phase::Arrived => self.arrived_text(leg),
            Phase::EndedUnstated => self.ended_text(leg),
            Phase::FailedAtSource => self.failed_at_source_text(),
            Phase::FailedReleased => self.released_text(leg),
            Phase::FailedHeld => self.held_text(leg),
            Phase::Strange => self.strange_text(leg),
            Phase::Contradictory => self.contradiction_text(leg),
        };
        text.into()
    }

    fn failed_at_source_text(&self) -> String {
        let source = self.place(self.source());
        let terms = self.leg().and_then(|leg| leg.tx?.terms.as_ref());
        if let Some(terms) = terms.filter(|_| self.evidence.source == Some(SourceEvidence::Expired)) {
            let (height, sequence) = (terms.timeout_height, terms.sequence);
            return format!(
                "Nothing was spent: block {height} passed{source} without the transaction, and the account is still at \
                 sequence {sequence}."
            );
        }
        match self.standing() {
            RouterHealth::Refusing { reason, .. } if self.is_refused_as_invalid() => {
                let reason = self.outside(reason, REASON).unwrap_or_else(|| "no reason given".to_owned());
                format!("The router reports a failed transaction{source} or an invalid hash ({reason}).")
            }
            _ => format!("Failed at the source: only the fee left the account{source}."),
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
                format!("Did not complete: the packet timed out. Your {place}.")
            }
            None if is_order => format!("The order timed out and was refunded. Your {place}."),
            None if is_plain => format!("Did not end as planned. Your {place}."),
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
                _ => format!("Withdrawal sent on {rollup}; not confirmed on chain yet."),
            };
        }
        let is_refused = leg.tx.is_some_and(|tx| tx.tracking == Tracking::Refused);
        match (self.evidence.source, self.standing()) {
            (Some(SourceEvidence::Succeeded), _) => format!("The transaction is on chain{source}; {router}."),
            (Some(SourceEvidence::Absent | SourceEvidence::Expired), _) => {
                format!("Not indexed{source} yet; {router}.")
            }
            (_, RouterHealth::Refusing { reason, .. }) => {
                let reason = self.outside(reason, REASON).unwrap_or_default();
                format!("The router refused to track this transaction ({reason}); the funds' location is unknown.")
            }
            _ if is_refused => {
                "The router refused to track this transaction; the funds' location is unknown.".to_owned()
            }
            (_, RouterHealth::Unasked) => "No status received yet; the funds' location is unknown.".to_owned(),
            (_, standing @ (RouterHealth::Silent(..) | RouterHealth::Absent)) => {
                let doubt = standing.doubt().unwrap_or_default();
                format!("The funds' location is unknown ({doubt}).")
            }
            _ => plain(&Phase::NotKnown).to_owned(),
        }
    }

    /// Returns the clause with the router's answer, to follow the indexer's finding.
    pub(super) fn router_clause(&self) -> &'static str {
        match self.standing() {
            _ if self.is_of_other_tx() => "the router reports on another transaction",
            _ if self.leg().is_some_and(|leg| leg.contradiction.as_ref().is_some_and(Contradiction::is_of_router)) => {
                "the router contradicts itself"
            }
            _ if self.leg().is_some_and(|leg| matches!(leg.contradiction, Some(Contradiction::OtherFunds(_)))) => {
                "the router reports other funds"
            }
            RouterHealth::Unasked => "no router status received",
            RouterHealth::Absent => "no router configured",
            RouterHealth::Answering => "no router confirmation yet",
            RouterHealth::Unknowing(_) => "the router does not know the transaction",
            RouterHealth::Silent(..) => "the router does not answer",
            RouterHealth::Refusing { .. } => "the router refuses to track the transaction",
        }
    }

    fn waiting_text(&self) -> String {
        let source = self.place(self.source());
        match self.evidence.source {
            Some(SourceEvidence::Succeeded) => {
                format!("The transaction is on chain{source}; the router has not seen it there yet.")
            }
            _ => format!("Sent{source}; the router has not seen it in a block yet."),
        }
    }

    fn moving_text(&self, leg: &TxLeg<'_>) -> String {
        if leg.is_unconfirmed {
            let there = self.place(self.destination());
            return format!("Not confirmed: the router says done{there}; the indexer there does not show it.");
        }
        if let Some(release) = released(leg) {
            return format!("The router says that your {}; its final status is pending.", self.is_on(release));
        }
        format!("On its way: {}", self.place_text(leg))
    }

    /// Describes the current hop, as the router reports it.
    fn place_text(&self, leg: &TxLeg<'_>) -> String {
        let is_told = |hop: &HopView| leg.parts.len() < 2 || hop.part.is_some_and(|(part, _)| part == leg.deciding());
        let mine = || self.hops.iter().enumerate().filter(|(_, hop)| hop.tx_index == self.current && is_told(hop));
        let active = mine().find(|(_, hop)| hop.phase == HopPhase::Active);
        let waiting = || mine().find(|(_, hop)| hop.phase == HopPhase::Waiting);
        let begun = mine().any(|(_, hop)| hop.phase == HopPhase::Done);
        match (active, waiting().filter(|_| begun)) {
            (Some((_, hop)), _) if is_waiting_for_call(hop) => {
                let there = self.place(hop.to.as_ref());
                format!("delivered{there}; the follow-up call is pending")
            }
            (Some((index, hop)), _) => self.step(index, hop),
            (None, Some((index, hop))) => format!("next is {}", self.step(index, hop)),
            _ if begun => "every hop is done; the router's final status is pending".to_owned(),
            _ if leg.is_on_chain() => format!("sent{}; no hop is known yet", self.place(self.source())),
            _ => "no hop is known yet".to_owned(),
        }
    }

    fn failing_text(&self, leg: &TxLeg<'_>) -> String {
        if leg.part().is_some_and(|part| part.state != TransferState::PendingError) {
            let of = leg.parts.len();
            let one = leg.deciding() + 1;
            return format!("Transfer {one} of {of} did not complete; the others are still open.");
        }
        let failed = self.hops.iter().enumerate().rev().find(|(_, hop)| hop.phase == HopPhase::Failed);
        let Some((index, hop)) = failed else { return plain(&Phase::Failing).to_owned() };
        format!("Will fail at {}; the error is travelling back.", self.step(index, hop))
    }

    fn finalizing_text(&self, leg: &TxLeg<'_>) -> TimedText {
        let Some(Withdrawal { from, to, claimable, is_latest, .. }) = &leg.withdrawal else {
            return plain(&Phase::Finalizing).into();
        };
        let (from, to) = (self.chain(from), self.chain(to));
        if let Some(text) = self.settled_text(leg, (&from, &to)) {
            return text;
        }
        let text = |rest: String| TimedText::from(format!("Withdrawal from {from}: {rest}"));
        let begins = if *is_latest { "at the latest" } else { "from about" };
        match claimable {
            Some(time) if *time <= self.now => {
                text(format!("should be claimable on {to} since about ")).minute(*time).words(" (estimate).")
            }
            Some(time) => text(format!("claimable on {to} {begins} ")).minute(*time).words(" (estimate)."),
            None => text(format!("claimable on {to} after its finalization period.")),
        }
    }

    /// Describes a withdrawal, as executor and L1 report it; `None` before they answered.
    fn settled_text(&self, leg: &TxLeg<'_>, (from, to): (&str, &str)) -> Option<TimedText> {
        let withdrawal = leg.withdrawal.as_ref()?;
        let text = |rest: String| TimedText::from(format!("Withdrawal from {from}: {rest}"));
        Some(match (withdrawal.known_stage()?, withdrawal.claimable) {
            (WithdrawalStage::Unproposed, Some(time)) => {
                text(format!("in no output yet; claimable on {to} from about ")).minute(time).words(" (estimate).")
            }
            (WithdrawalStage::Unproposed, None) => {
                text(format!("in no output yet; the claim time on {to} is unknown."))
            }
            (WithdrawalStage::Disproven(_), _) => {
                text(format!("the executor's proof is invalid; no claim possible on {to}."))
            }
            (stage, Some(time)) if stage.is_ready(self.now) => {
                text(format!("claimable on {to} since ")).minute(time).words("; its proof is valid.")
            }
            (WithdrawalStage::Proposed { .. }, Some(time)) if withdrawal.is_dated() => {
                text(format!("proposed; claimable on {to} from ")).minute(time).words(" on.")
            }
            (WithdrawalStage::Proposed { .. }, _) => {
                text(format!("proposed; the challenge period of {to} is unknown."))
            }
            _ => return None,
        })
    }

    fn arrived_text(&self, leg: &TxLeg<'_>) -> String {
        if leg.is_claimed_by_l1() && leg.router_phase != Phase::Arrived && self.evidence.arrival.is_none() {
            let (there, router) = (self.place(self.destination()), self.router_clause());
            return format!("Arrived{there}: that chain confirms the claim; {router}.");
        }
        let there = self.place(self.destination());
        if let Some(text) = self.unconverted_text(leg) {
            return text;
        }
        match (self.evidence.arrival, leg.release().filter(|_| leg.is_release_indexed())) {
            (Some(ArrivalEvidence::NotCredited), _) => {
                return format!(
                    "The router says the funds arrived{there}, but the reported transaction does not credit the recipient."
                );
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

    /// Describes an arrival in another asset than the route planned.
    fn unconverted_text(&self, leg: &TxLeg<'_>) -> Option<String> {
        let credit = self.findings.credit.as_ref().filter(|_| self.is_unconverted())?;
        let (release, wanted) = (leg.release()?, leg.destination.denom.as_ref()?);
        let reason = credit.hook_problem.as_deref().and_then(|reason| self.outside(reason, REASON));
        let why = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        Some(format!("Arrived unconverted: {}, not {}: the hook failed{why}.", self.funds(release), wanted.short()))
    }

    pub(super) fn ended_text(&self, leg: &TxLeg<'_>) -> String {
        if self.findings.returned.is_some() && leg.router_phase != Phase::Arrived {
            return "The index shows both a credit and a return; check both chains.".to_owned();
        }
        if self.findings.returned.is_some() {
            let source = self.place(self.source());
            return format!(
                "The indexer and the router disagree: the asset came back{source}; the router says completed."
            );
        }
        if self.evidence.source == Some(SourceEvidence::Failed) {
            let source = self.place(self.source());
            return format!(
                "The indexer and the router disagree: the transaction failed{source}; the router says completed."
            );
        }
        if let Some(release) = released(leg).filter(|_| leg.router_phase == Phase::FailedReleased) {
            let (there, told) = (self.place(self.destination()), self.is_on(release));
            let shown = match self.evidence.arrival {
                Some(ArrivalEvidence::Credited) => "The indexer and the router disagree: the recipient was credited",
                _ => "The L1 and the router disagree: the withdrawal is claimed",
            };
            return format!("{shown}{there}; the router says that {told}.");
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
                return "The router reports an unknown state; the funds' location is not stated.".to_owned();
            }
            _ => None,
        };
        match word {
            Some(word) => format!("The router reports {word}, a state unknown to this version."),
            None => plain(&Phase::Strange).to_owned(),
        }
    }

    /// Describes a completed transaction after which the user must send the next.
    fn next_text(&self, leg: &TxLeg<'_>, index: usize) -> String {
        let there = leg.release().filter(|release| release.released);
        let place = match there {
            Some(release) => format!("your {}", self.is_on(release)),
            None => format!("the funds are{}", self.place(self.destination())),
        };
        let of = self.legs.len();
        format!("Step {} of {of} is done: {place}. Transaction {} is yours to send.", self.current + 1, index + 1)
    }

    /// Formats a hop, as in `hop 2 of 3, Initia → Celestia`. Without a route the total is missing. Each transfer of a
    /// transaction has its own count.
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

    /// Formats the elapsed time: `0:40 of about 1:30` or `0:40 so far`; `None` if the start is unknown.
    pub(super) fn time(&self) -> Option<String> {
        let clock = self.leg()?.clock;
        let elapsed = text::elapsed(clock.elapsed(self.now)?);
        Some(match clock.estimate {
            Some(estimate) => format!("{elapsed} of about {}", text::elapsed(estimate)),
            None => format!("{elapsed} so far"),
        })
    }

    /// Formats funds, as in `25 USDC`; only the asset if the amount is unknown. An unexpected asset includes its denom,
    /// since several assets may share a ticker.
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
        let is_planned = |(_, planned): (_, &crate::domain::Denom)| planned.is_same(denom);
        let short = denom.short();
        if there.peek().is_none() || there.any(is_planned) || funds.contains(&short) {
            return funds;
        }
        format!("{funds} as {}", self.outside(&short, CHAIN).unwrap_or_default())
    }

    fn is_on(&self, release: &AssetRelease) -> String {
        format!("{} is on {}", self.funds(release), self.chain(&release.chain_id))
    }

    /// Removes control characters from a server's name; `None` if the name would falsely claim an arrival.
    pub(super) fn outside(&self, name: &str, width: usize) -> Option<String> {
        let name = text::clip(name, width);
        (self.phase == Phase::Arrived || !name.to_lowercase().contains(ARRIVED)).then_some(name)
    }

    pub(super) fn chain(&self, chain: &ChainId) -> String {
        self.outside(&self.names.chain(chain), CHAIN).unwrap_or_else(|| "a chain".to_owned())
    }

    /// Formats a chain, as in ` on Initia`; empty if the chain is unknown.
    pub(super) fn place(&self, chain: Option<&ChainId>) -> String {
        chain.map(|chain| format!(" on {}", self.chain(chain))).unwrap_or_default()
    }
}

/// Returns the funds that the router reports as released, on any chain.
fn released<'a>(leg: &TxLeg<'a>) -> Option<&'a AssetRelease> {
    leg.router_release().filter(|release| release.released && release.amount.is_none_or(|amount| !amount.is_zero()))
}

/// Whether the funds are delivered but the follow-up call on that chain is pending.
fn is_waiting_for_call(hop: &HopView) -> bool {
    hop.state.ends_with("WAITING_FOR_COMPOSE") && hop.txs.iter().any(|(slot, _)| *slot == HopSlot::ReceiveTx)
}

/// Describes a phase without names.
pub(super) fn plain(phase: &Phase) -> &'static str {
    match phase {
        Phase::NotKnown => "The router does not know this transaction yet; the funds' location is unknown.",
        Phase::Forgotten => "The router no longer knows this transaction; the funds' location is unknown.",
        Phase::Waiting => "Sent; waiting until the transaction is on chain.",
        Phase::Moving => "On its way.",
        Phase::Failing => "A hop failed; the error is travelling back, and nothing is released yet.",
        Phase::Finalizing => "The withdrawal waits for finalization.",
        Phase::Arrived => "Arrived.",
        Phase::EndedUnstated => "The router says completed; the funds' location is not stated.",
        Phase::FailedAtSource => "Failed at the source.",
        Phase::FailedReleased => "Did not complete; the funds are released.",
        Phase::FailedHeld => "Failed; the router does not state where it releases the funds.",
        Phase::Abandoned => "The router abandoned tracking; the funds' location is unknown.",
        Phase::Strange => "The router's answer is unreadable; the funds' location is unknown.",
        Phase::Contradictory => "The router contradicts itself.",
    }
}
