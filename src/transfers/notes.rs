//! Notes on a transfer: estimate, delay, and what router and indexer show.

use super::{
    ArrivalEvidence, HopProtocol, OutcomeDifference, Phase, SourceEvidence, SubstituteEstimate,
    analysis::TransferAnalysis, status_part::TransferState, tx_leg::TxLeg,
};
use crate::{
    domain::{Balance, TimedText, text},
    story::{UnitSource, WithdrawalStage},
    wire::router::{AssetRelease, HopSlot},
};

/// Multiple of the estimate from which a delay is unusual.
const MUCH: u32 = 3;
/// Maximum columns of a server's word.
const WORD: usize = 60;
/// Maximum transfers of a transaction that have a note each.
const PARTS: usize = 8;

impl TransferAnalysis<'_> {
    /// Returns the notes, each a short sentence.
    pub(super) fn notes(&self) -> Vec<TimedText> {
        let Some(leg) = self.leg() else { return Vec::new() };
        let unread = self.answers.has_unreadable_route();
        [
            unread.then(|| "The saved route is unreadable; the page shows only the status.".to_owned()),
            self.note_legs(),
            self.note_overdue(leg),
            self.note_substitute(),
            self.note_clocks(leg),
            self.note_refusal(),
            self.note_place(leg),
            self.note_units(leg),
            self.note_return(leg),
            self.note_simulation(),
            self.note_sequence(leg),
            self.note_order(),
            self.note_rivals(),
            self.note_number(),
            self.evidence_note(leg),
        ]
        .into_iter()
        .flatten()
        .chain(self.notes_of_parts(leg))
        .map(TimedText::from)
        .chain(self.notes_of_withdrawal(leg))
        .collect()
    }

    fn note_legs(&self) -> Option<String> {
        let of = self.legs.len();
        let whole = self.route.and_then(crate::wire::router::Route::seconds);
        let whole = whole.map(|seconds| format!(" Together they take about {}, without signing.", text::span(seconds)));
        (of > 1).then(|| {
            let place = self.current + 1;
            format!("Transaction {place} of {of}; each needs its own signature.{}", whole.unwrap_or_default())
        })
    }

    /// Notes a delay. While the router is silent there is no note, since the delay is unknown.
    fn note_overdue(&self, leg: &TxLeg<'_>) -> Option<String> {
        let is_open = matches!(self.phase, Phase::NotKnown | Phase::Waiting | Phase::Moving | Phase::Failing);
        let is_known = self.standing().doubt().is_none() && self.to_send.is_none() && leg.withdrawal.is_none();
        let estimate = leg.clock.estimate.filter(|_| is_open && is_known)?;
        let elapsed = leg.clock.elapsed(self.now)?;
        if elapsed <= estimate {
            return None;
        }
        let times = format!("{} of about {}", text::elapsed(elapsed), text::elapsed(estimate));
        let is_much = elapsed >= estimate.saturating_mul(MUCH);
        Some(if is_much {
            format!("Much longer than usual, over {MUCH} times the estimate: {times}.")
        } else {
            format!("Taking longer than usual: {times}.")
        })
    }

    /// Notes by what the estimate is, where no route states one.
    fn note_substitute(&self) -> Option<String> {
        Some(match self.substitute? {
            SubstituteEstimate::Earlier(usual) => {
                let by = text::count(usual.transfers, "earlier transfer");
                format!("The estimate is the median of {by} over the same hops, of those that rollscope keeps.")
            }
            SubstituteEstimate::Route(_) => {
                "The estimate is that of the router's present route for the same funds, over the same hop.".to_owned()
            }
        })
    }

    fn note_clocks(&self, leg: &TxLeg<'_>) -> Option<String> {
        let words = "The clocks differ: a time of this transfer is in the future by this machine's clock.";
        leg.clock.is_ahead(self.now).then(|| words.to_owned())
    }

    fn note_refusal(&self) -> Option<String> {
        let words = "If the transaction failed, only the fee left the account; rollscope no longer polls the router.";
        self.is_refused_as_invalid().then(|| words.to_owned())
    }

    /// Notes the exact amount of released funds whose display units only the router knows.
    fn note_units(&self, leg: &TxLeg<'_>) -> Option<String> {
        let AssetRelease { chain_id, denom, amount, .. } = leg.release()?;
        let exact = amount.filter(|_| self.names.unit_source(chain_id, denom) == UnitSource::Router)?;
        let asset = self.outside(&self.names.denom(chain_id, denom), WORD)?;
        let exact = format!("exactly {} smallest units of {}", exact.display(0), denom.short());
        Some(format!("{asset} on {} and its decimals are the router's word: {exact}.", self.chain(chain_id)))
    }

    /// Notes where the funds go after a failure, and where index and router disagree.
    fn note_return(&self, leg: &TxLeg<'_>) -> Option<String> {
        if let (Phase::Failing, Some(release)) = (&self.phase, leg.release().filter(|release| !release.released)) {
            let (funds, chain) = (self.funds(release), self.chain(&release.chain_id));
            return Some(format!("The router reports a refund of {funds} on {chain}, not released yet."));
        }
        let returned = self.findings.returned.as_ref()?;
        let chain = self.source().map_or_else(|| "the source".to_owned(), |chain| self.chain(chain));
        let told = leg
            .router_release()
            .filter(|told| told.denom != returned.denom || told.amount.is_some_and(|amount| amount != returned.amount));
        Some(match told {
            Some(told) => format!(
                "The router names {} ({}); the events on {chain} show that {} came back.",
                self.funds(told),
                told.denom.short(),
                returned.denom.short()
            ),
            None => format!("The events on {chain} show the return."),
        })
    }

    /// Warns that the account has used the sequence number of a transaction that nobody has seen.
    fn note_sequence(&self, leg: &TxLeg<'_>) -> Option<String> {
        let moved = self.findings.moved_account.filter(|_| self.phase == Phase::NotKnown)?;
        let terms = leg.tx.and_then(|tx| tx.terms.as_ref())?;
        Some(format!(
            "The account's sequence is {} already, by its node at block {}: this transaction or another one used {}. \
             Check the account before you sign again.",
            moved.sequence, moved.height, terms.sequence
        ))
    }

    /// Notes how the source transaction differs from its simulation.
    fn note_simulation(&self) -> Option<String> {
        let OutcomeDifference { host, moves } = self.findings.outcome.as_ref()?;
        let host = text::clip(host, WORD);
        if moves.is_empty() {
            return Some(format!("The transaction failed, but {host} simulated a success before you signed."));
        }
        let amount = |denom, moved: Balance| {
            let sign = if moved.is_negative() { "-" } else { "" };
            let amount = self.source().map(|chain| self.names.amount(chain, denom, moved.magnitude()));
            format!("{sign}{}", amount.unwrap_or_else(|| format!("{} {}", moved.magnitude().display(0), denom.short())))
        };
        let told = moves.iter().take(PARTS).map(|one| {
            format!("{} moved, {} simulated", amount(&one.denom, one.executed), amount(&one.denom, one.simulated))
        });
        let told: Vec<String> = told.collect();
        Some(format!("The transaction differs from what {host} simulated before you signed: {}.", told.join("; ")))
    }

    /// Notes the refund of an order that no solver filled.
    fn note_order(&self) -> Option<String> {
        let orders = self.hops.iter().filter(|hop| hop.protocol == HopProtocol::GoFast);
        let (_, tx) = orders.flat_map(|hop| &hop.txs).find(|(slot, _)| *slot == HopSlot::OrderRefundedTx)?;
        let hash = tx.tx_hash.parse::<crate::domain::BroadcastHash>();
        let hash = hash.map_or_else(|_| text::clip(&tx.tx_hash, WORD), |hash| hash.short());
        Some(format!("No solver took the order in time; refunded in {hash} on {}.", self.chain(&tx.chain_id)))
    }

    /// Notes that the credit may belong to another transfer.
    fn note_rivals(&self) -> Option<String> {
        let (credits, transfers) = self.findings.rivals.filter(|_| self.phase != Phase::Arrived)?;
        let credits = text::count(credits, "equal arrival");
        Some(format!(
            "The index shows {credits} for {transfers} equal transfers; only the number of the packet or \
             deposit on its source chain can tell them apart."
        ))
    }

    /// Notes the sequence number that identifies the arrival, or a rejection.
    fn note_number(&self) -> Option<String> {
        let number = self.findings.numbers.first()?;
        let chain = self.destination().map_or_else(|| "the destination".to_owned(), |chain| self.chain(chain));
        if self.findings.credit.as_ref().is_some_and(|credit| credit.number.is_some()) {
            return Some(format!("{chain} received {number}: the sequence numbers match."));
        }
        if self.findings.is_refused_there {
            return Some(format!("The index of {chain} shows {number} without a credit: the funds go back."));
        }
        let is_open = matches!(self.phase, Phase::NotKnown | Phase::Forgotten | Phase::Waiting | Phase::Moving);
        is_open.then(|| format!("The transfer goes to {chain} as {number}; the index does not show it yet."))
    }

    /// Notes the state of each transfer of the transaction, with its funds.
    fn notes_of_parts(&self, leg: &TxLeg<'_>) -> Vec<String> {
        let of = leg.parts.len();
        if of < 2 {
            return Vec::new();
        }
        let phases = leg.parts.iter().map(|part| part.assess(&leg.destination).0);
        let done = phases.clone().filter(|phase| *phase == Phase::Arrived).count();
        let are = if done == 1 { "is" } else { "are" };
        let first = format!("The transaction began {of} transfers; {done} {are} done. The headline shows the worst.");
        let has_failed = leg.tx.is_some_and(|tx| leg.parts.iter().any(|part| part.carries_failure_of(tx)));
        let parts = leg.parts.iter().zip(phases).enumerate().take(PARTS).map(|(place, (part, phase))| {
            let place = place + 1;
            let how = match phase {
                _ if has_failed => "failed with its transaction",
                Phase::Arrived => "done",
                Phase::NotKnown | Phase::Forgotten | Phase::Waiting => "not seen on chain yet",
                Phase::Moving | Phase::Finalizing => "under way",
                Phase::Failing => "a hop failed; the error is travelling back",
                Phase::EndedUnstated => "completed, funds' location not stated",
                Phase::FailedAtSource | Phase::FailedReleased | Phase::FailedHeld => "failed",
                Phase::Abandoned => "abandoned by the tracker",
                Phase::Strange => "in an unknown state",
                Phase::Contradictory => "reported with a contradiction",
            };
            let release = part.release.map(|release| {
                let (funds, chain) = (self.funds(release), self.chain(&release.chain_id));
                let released = if release.released { "" } else { ", not released yet" };
                format!("; {funds} on {chain}{released}")
            });
            format!("Transfer {place} of {of}: {how}{}.", release.unwrap_or_default())
        });
        std::iter::once(first).chain(parts).collect()
    }

    /// Notes where the funds were last, if the state does not say it or the route did not plan it.
    fn note_place(&self, leg: &TxLeg<'_>) -> Option<String> {
        match self.phase {
            Phase::Abandoned | Phase::Strange => {
                let hop = leg.part()?.frontier()?;
                let (from, to) = hop.from_chain_id.as_ref().zip(hop.to_chain_id.as_ref())?;
                let state = hop.state.clipped(WORD);
                Some(format!("Last reported between {} and {}: {state}.", self.chain(from), self.chain(to)))
            }
            Phase::Arrived => {
                let release = leg.release().filter(|release| release.released)?;
                let is_planned = leg.destination.chain.is_none() || leg.destination.holds(release);
                let is_told = is_planned || self.is_unconverted();
                (!is_told).then(|| {
                    let (chain, denom) = (self.chain(&release.chain_id), release.denom.short());
                    format!("The route planned another chain or asset; this is {denom} on {chain}.")
                })
            }
            Phase::EndedUnstated => {
                let release = leg.release().filter(|release| !release.released)?;
                Some(format!("The router names {}, but reports no release there.", self.chain(&release.chain_id)))
            }
            _ => None,
        }
    }

    fn notes_of_withdrawal(&self, leg: &TxLeg<'_>) -> Vec<TimedText> {
        let Some(withdrawal) = leg.withdrawal.as_ref().filter(|_| self.phase == Phase::Finalizing) else {
            return Vec::new();
        };
        let (from, to) = (self.chain(&withdrawal.from), self.chain(&withdrawal.to));
        let mut notes = Vec::new();
        match withdrawal.stage.as_ref() {
            Some(stage @ WithdrawalStage::Proposed { index, proposed, period, .. }) => {
                let proposal =
                    TimedText::from(format!("Output {index}, which covers the withdrawal, was proposed on {to} at "));
                let proposal = proposal.second(*proposed);
                let proof = "the executor's proof matches the root";
                notes.push(match (period, stage.claimable()) {
                    (_, Some(over)) if over <= self.now => {
                        proposal.words(": challenge period over since ").second(over).words(".")
                    }
                    (Some(period), _) => {
                        proposal.words(&format!(": challenge period {}; {proof}.", text::span(period.as_secs())))
                    }
                    (None, _) => proposal.words(&format!(": challenge period unknown; {proof}.")),
                });
            }
            Some(stage @ WithdrawalStage::Disproven(_)) => notes.push(stage.sentence(self.now).into()),
            Some(WithdrawalStage::Unconfirmed { index }) => {
                notes.push(format!("The executor names output {index}; its state on {to} is unknown.").into());
            }
            _ => {}
        }
        if withdrawal.claimable.is_some() && !withdrawal.is_dated() {
            let of_all = if withdrawal.is_latest { " of the whole route" } else { "" };
            let note =
                format!("The estimate is the time of the transaction on {from} plus the quoted duration{of_all}.");
            notes.push(note.into());
        }
        notes.push(format!("Routers do not track claims: the claim is a transaction on {to}.").into());
        if leg
            .part()
            .is_some_and(|part| matches!(part.state, TransferState::CompletedSuccess | TransferState::Completed))
        {
            notes.push(format!("The router says completed: the transaction on {from}, not the claim.").into());
        }
        notes
    }

    /// Notes whether router and indexer agree.
    fn evidence_note(&self, leg: &TxLeg<'_>) -> Option<String> {
        self.note_on_arrival(leg).or_else(|| self.note_on_source(leg))
    }

    fn note_on_arrival(&self, leg: &TxLeg<'_>) -> Option<String> {
        let chain = self.destination().map_or_else(|| "the destination".to_owned(), |chain| self.chain(chain));
        let indexer = format!("the indexer of {chain}");
        let is_there = leg.router_phase == Phase::Arrived;
        Some(match self.evidence.arrival? {
            ArrivalEvidence::Credited if is_there && self.phase == Phase::Arrived => {
                format!("The router and {indexer} agree: the funds arrived.")
            }
            ArrivalEvidence::Credited if self.phase == Phase::Arrived => {
                format!("Only {indexer} shows the credit; {}.", self.router_clause())
            }
            ArrivalEvidence::Credited => {
                format!("The router and {indexer} disagree: only the indexer shows a credit.")
            }
            ArrivalEvidence::NotCredited if is_there => {
                let what = self.findings.numbers.first().map(|number| format!("does not deliver {number}"));
                let what = what.unwrap_or_else(|| "shows no credit".to_owned());
                format!("The router and {indexer} disagree: the transaction that the router names {what}.")
            }
            ArrivalEvidence::NotCredited => {
                let what = self.findings.numbers.first().map(|number| format!("does not deliver {number}"));
                let what = what.unwrap_or_else(|| "does not credit the recipient".to_owned());
                format!("The transaction on {chain} that the router names {what}.")
            }
            ArrivalEvidence::Absent if is_there => {
                format!("Only the router says arrived; {indexer} does not have that transaction yet.")
            }
            ArrivalEvidence::Absent => return None,
        })
    }

    fn note_on_source(&self, leg: &TxLeg<'_>) -> Option<String> {
        let chain = self.source().map_or_else(|| "the source".to_owned(), |chain| self.chain(chain));
        let indexer = format!("the indexer of {chain}");
        let is_behind =
            self.is_of_other_tx() || matches!(leg.router_phase, Phase::NotKnown | Phase::Forgotten | Phase::Waiting);
        let router = self.router_clause();
        let is_told = leg.part().is_some_and(super::status_part::StatusPart::is_failed_at_source);
        Some(match self.evidence.source? {
            SourceEvidence::Failed if is_told => format!("The router and {indexer} agree: the transaction failed."),
            SourceEvidence::Failed if self.phase == Phase::EndedUnstated || !leg.is_failed_at_source() => {
                format!("The router and {indexer} disagree: only the indexer reports a failed transaction.")
            }
            SourceEvidence::Failed => {
                format!("Only {indexer} reports that the transaction failed; {router}.")
            }
            // The headline says so.
            SourceEvidence::Expired => return None,
            SourceEvidence::Succeeded if is_told => {
                format!("The router and {indexer} disagree: only the router reports a failed transaction.")
            }
            SourceEvidence::Succeeded if is_behind => {
                format!("Only {indexer} has the transaction; {router}.")
            }
            SourceEvidence::Succeeded => format!("The router and {indexer} agree: the source transaction is on chain."),
            SourceEvidence::Absent if is_behind => {
                format!("Neither the router nor {indexer} has seen the transaction on chain.")
            }
            SourceEvidence::Absent => {
                format!("Only the router knows the transaction; {indexer} does not have it yet.")
            }
        })
    }
}
