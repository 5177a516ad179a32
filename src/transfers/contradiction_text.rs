//! The sentence about a contradiction of the router.

use super::{
    HopView, Phase, analysis::TransferAnalysis, contradiction::Contradiction, headline::plain,
    status_part::TransferState, tx_leg::TxLeg,
};

impl TransferAnalysis<'_> {
    /// Names both statements of a contradiction.
    pub(super) fn contradiction_text(&self, leg: &TxLeg<'_>) -> String {
        let Some(contradiction) = &leg.contradiction else { return plain(&Phase::Contradictory).to_owned() };
        if let Contradiction::OtherTx(hash) = contradiction {
            let own = leg.tx.map(|tx| tx.hash.short()).unwrap_or_default();
            return format!("The router reports on another transaction, {}, not on {own}.", hash.short());
        }
        let (source, end) = (self.place(self.source()), self.place(self.destination()));
        match contradiction {
            Contradiction::Excluded => return self.ended_text(leg),
            Contradiction::NotCredited => {
                return format!(
                    "The router says done{end}, but the reported transaction does not credit the recipient."
                );
            }
            Contradiction::Unclaimed => {
                return format!("The router says done; the L1 says that the withdrawal is not claimed{end}.");
            }
            Contradiction::SourceSucceeded => {
                return format!("The router says that the transaction failed{source}; the indexer shows a success.");
            }
            Contradiction::OtherFunds(planned) => {
                let told = leg.router_release().map_or_else(|| "it".to_owned(), |release| self.funds(release));
                let there = leg.router_release().map(|release| &release.chain_id).filter(|it| **it != planned.chain_id);
                return match there {
                    Some(there) => format!("The router says that {told} is on {}, not{end}.", self.chain(there)),
                    None => format!("The router says that {told} is{end}, but {} was sent.", self.funds(planned)),
                };
            }
            _ => {}
        }
        let state = match leg.part().map(|part| &part.state) {
            Some(TransferState::CompletedSuccess) => "success",
            Some(TransferState::Completed) => "completed",
            _ => "a failure",
        };
        let funds = || leg.release().map_or_else(|| "the funds".to_owned(), |release| self.funds(release));
        let there = || self.place(leg.release().map(|release| &release.chain_id));
        let other = match contradiction {
            Contradiction::FailedHop(place) => format!("{} failed", self.hop_name(leg, *place)),
            Contradiction::PendingHop(place) => format!("{} is pending", self.hop_name(leg, *place)),
            Contradiction::Error => "an error".to_owned(),
            Contradiction::Unreleased => format!("{} not released{}", funds(), there()),
            Contradiction::OtherChain(end) => {
                format!("{} released{}, not on {}", funds(), there(), self.chain(end))
            }
            Contradiction::NothingReleased => format!("{} released{}", funds(), there()),
            Contradiction::Ends => "another field says the opposite".to_owned(),
            Contradiction::Backwards(place) => format!("{} ended before it began", self.hop_name(leg, *place)),
            Contradiction::OtherStart(chain) => {
                format!("the first hop begins on {}, not{source}", self.chain(chain))
            }
            Contradiction::OtherTx(_)
            | Contradiction::Excluded
            | Contradiction::NotCredited
            | Contradiction::Unclaimed
            | Contradiction::SourceSucceeded
            | Contradiction::OtherFunds(_) => String::new(),
        };
        format!("The router contradicts itself: {state}, but {other}.")
    }

    /// Whether the router's answer is about another transaction.
    pub(super) fn is_of_other_tx(&self) -> bool {
        self.leg().is_some_and(|leg| matches!(leg.contradiction, Some(Contradiction::OtherTx(_))))
    }

    /// Formats `hop 2 of 3, Initia → Celestia,` for a hop of the decisive transfer; a verb follows.
    fn hop_name(&self, leg: &TxLeg<'_>, place: usize) -> String {
        let is_it = |hop: &HopView| hop.tx_index == self.current && hop.part == Some((leg.deciding(), place));
        let found = self.hops.iter().enumerate().find(|(_, hop)| is_it(hop));
        let Some((index, hop)) = found else { return format!("hop {}", place + 1) };
        let comma = if hop.from.is_some() || hop.to.is_some() { "," } else { "" };
        format!("{}{comma}", self.step(index, hop))
    }
}
