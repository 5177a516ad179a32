use std::collections::BTreeMap;

use super::{RowWords, Tone, failure_words};
use crate::{
    domain::{Address, Balance, Coin, Denom, text::count_of},
    story::{
        changes::{BalanceChange, NftChange, NftName, direction::Direction, fee::COLLECTOR},
        context::{self, TxContext},
        decode::decode,
        limits::Work,
        names::glossary::Glossary,
        words::{message_summary::MessageSummary, phrase::Style, sentence::is_complete},
    },
    wire::Tx,
};

/// Maximum changes named; the text counts the rest.
const NAMED: usize = 2;

/// Describes the effect on one account without fees: `−1.5 INIT +20 USDC`, or no change, only the fee, a failure, or
/// inconsistent events.
pub fn effect_words(tx: &Tx, account: Address, glossary: &Glossary, style: Style<'_>) -> RowWords {
    let decoded = decode(tx);
    let work = Work::default();
    let changes = context::changes(tx, &decoded, glossary, &work);
    let context = context::tx_context(tx, &decoded, &changes, glossary, &work);
    let effect = AccountEffect { context: &context, account, style };
    let fee = effect.fee();
    if !tx.is_success() {
        return failure_words(&context, &MessageSummary::of(tx), style, fee);
    }
    if !changes.is_conserved || !is_complete(&context) {
        return RowWords::new(Tone::Doubt, "? incomplete events", Some("?"));
    }
    let moves = effect.moves();
    match (moves.is_empty(), fee) {
        (false, _) => moves.words(),
        // A contract may keep balances of its own.
        (true, Some(fee)) if changes.has_run_contract => {
            RowWords::new(Tone::Quiet, &format!("only the fee from the bank, {fee}"), Some("bank: fee only"))
        }
        (true, Some(fee)) => RowWords::new(Tone::Quiet, &format!("only the fee, {fee}"), Some("fee only")),
        (true, None) => RowWords::new(Tone::Quiet, "no known change", None),
    }
}

/// Returns the change of each of an account's balances, with the fee; `None` for a denom that only an unknown contract
/// reports. `None` for all if the events do not show every change.
pub fn balance_effect(tx: &Tx, account: Address, glossary: &Glossary) -> Option<BTreeMap<Denom, Option<Balance>>> {
    let decoded = decode(tx);
    let work = Work::default();
    let changes = context::changes(tx, &decoded, glossary, &work);
    let is_whole = changes.is_conserved && is_complete(&context::tx_context(tx, &decoded, &changes, glossary, &work));
    // The fees of all transactions pass through the collector.
    if !is_whole || account.is_same_in_logs(&COLLECTOR) {
        return None;
    }
    let is_payer = changes.fee.payer.is_some_and(|payer| payer.is_same_in_logs(&account));
    let fee = changes.fee.net_paid.iter().filter(|_| is_payer);
    let fee = fee.map(|coin| (&coin.denom, Some(Balance::below_zero(coin.amount))));
    let moved =
        changes.of_account(account).map(|change| (&change.denom, (!change.is_reported).then_some(change.delta)));
    let mut effect = BTreeMap::new();
    for (denom, delta) in moved.chain(fee) {
        let sum = effect.entry(denom.clone()).or_insert(Some(Balance::default()));
        *sum = sum.zip(delta).and_then(|(sum, delta)| sum.checked_add(delta));
    }
    Some(effect)
}

struct AccountEffect<'a> {
    context: &'a TxContext<'a>,
    account: Address,
    style: Style<'a>,
}

/// Outgoing and incoming assets in words, the best known first.
#[derive(Debug, Default)]
struct AccountMoves {
    left: Vec<String>,
    came: Vec<String>,
    /// Moves of NFTs that the account requested; the events do not name the NFTs' owners.
    asked: Option<String>,
}

impl AccountEffect<'_> {
    fn fee(&self) -> Option<String> {
        let fee = &self.context.changes.fee;
        let is_payer = fee.payer.is_some_and(|payer| payer.is_same_in_logs(&self.account));
        let paid: Vec<String> = fee.net_paid.iter().map(|coin| format!("−{}", self.coin(coin))).collect();
        (is_payer && !paid.is_empty()).then(|| paid.join(" "))
    }

    fn moves(&self) -> AccountMoves {
        let mut cells: Vec<&BalanceChange> = self.context.changes.of_account(self.account).collect();
        cells.sort_by_key(|cell| (cell.is_reported, self.context.token(&cell.denom).is_none()));
        let mut moves = AccountMoves::default();
        for cell in cells {
            let coin = Coin { denom: cell.denom.clone(), amount: cell.delta.magnitude() };
            let doubt = if cell.is_reported { " (reported by its contract)" } else { "" };
            moves.add(cell.delta.is_negative(), &format!("{}{doubt}", self.coin(&coin)));
        }
        self.add_nfts(&mut moves);
        moves
    }

    /// Adds NFTs by their final owner. Arbitrary objects do not count as NFTs, and contracts of the EVM and of Wasm may
    /// report anything.
    fn add_nfts(&self, moves: &mut AccountMoves) {
        let is_own = |party: Option<Address>| party.is_some_and(|party| party.is_same_in_logs(&self.account));
        let mut net: Vec<(&NftName, i32)> = Vec::new();
        let is_asked = |change: &&NftChange| change.is_inferred && is_own(change.from);
        let (asked, known): (Vec<_>, Vec<_>) = self.context.changes.nfts.iter().partition(is_asked);
        if !asked.is_empty() {
            moves.asked = Some(format!("asked to move {}", count_of(asked.len(), "NFT", "NFTs")));
        }
        for change in known {
            let step = i32::from(is_own(change.to)) - i32::from(is_own(change.from));
            match net.iter_mut().find(|(what, _)| *what == &change.what) {
                Some((_, sum)) => *sum += step,
                None => net.push((&change.what, step)),
            }
        }
        let lost: Vec<&NftName> = net.iter().filter(|(_, sum)| *sum < 0).map(|(what, _)| *what).collect();
        let gained: Vec<&NftName> = net.iter().filter(|(_, sum)| *sum > 0).map(|(what, _)| *what).collect();
        for (is_loss, names) in [(true, lost), (false, gained)] {
            let is_nft = |what: &&&NftName| !matches!(what, NftName::Object { .. });
            let (nfts, all) = (names.iter().filter(is_nft).count(), names.len());
            let is_reported = names.iter().any(|what| matches!(what, NftName::Token { .. }));
            let by = if is_reported { " (reported)" } else { "" };
            for (count, one, many, doubt) in [(nfts, "NFT", "NFTs", by), (all - nfts, "object", "objects", "")] {
                match count {
                    0 => {}
                    1 => moves.add(is_loss, &format!("1 {one}{doubt}")),
                    _ => moves.add(is_loss, &format!("{count} {many}{doubt}")),
                }
            }
        }
    }

    fn coin(&self, coin: &Coin) -> String {
        self.context.coin(coin).write(self.style).into_owned()
    }
}

impl AccountMoves {
    fn add(&mut self, is_loss: bool, what: &str) {
        if is_loss {
            self.left.push(format!("−{what}"));
        } else {
            self.came.push(format!("+{what}"));
        }
    }

    fn is_empty(&self) -> bool {
        self.left.is_empty() && self.came.is_empty() && self.asked.is_none()
    }

    /// Lists outgoing before incoming assets; if there are many, one of each.
    fn words(&self) -> RowWords {
        let all = self.left.len() + self.came.len() + usize::from(self.asked.is_some());
        let from_left = self.left.len().min(if self.came.is_empty() { NAMED } else { 1 });
        let named = self.left.iter().take(from_left).chain(&self.came).chain(&self.asked);
        let named: Vec<&str> = named.take(NAMED).map(String::as_str).collect();
        let said = |count: usize| {
            let first = named.get(..count).unwrap_or_default().join(" ");
            if all > count { format!("{first} +{} more", all - count) } else { first }
        };
        let tone = if self.left.is_empty() && !self.came.is_empty() { Tone::Gain } else { Tone::Plain };
        let brief = (named.len() > 1).then(|| said(1));
        let direction = match (self.left.is_empty(), self.came.is_empty()) {
            (false, false) => Some(Direction::Both),
            (false, true) => Some(Direction::Out),
            (true, false) => Some(Direction::In),
            (true, true) => None,
        };
        RowWords { direction, ..RowWords::new(tone, &said(named.len()), brief.as_deref()) }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(&["1 A"], &[], "−1 A", None)]
    #[case(&["1 A"], &["2 B"], "−1 A +2 B", Some("−1 A +1 more"))]
    #[case(&["1 A", "2 B"], &[], "−1 A −2 B", Some("−1 A +1 more"))]
    #[case(&["1 A", "2 B", "3 C"], &["4 D"], "−1 A +4 D +2 more", Some("−1 A +3 more"))]
    #[case(&[], &["1 A", "2 B", "3 C"], "+1 A +2 B +1 more", Some("+1 A +2 more"))]
    #[case(&["1 A", "2 B", "3 C"], &[], "−1 A −2 B +1 more", Some("−1 A +2 more"))]
    fn of_many_changes_a_loss_and_a_gain_are_named(
        #[case] left: &[&str],
        #[case] came: &[&str],
        #[case] text: &str,
        #[case] brief: Option<&str>,
    ) {
        let mut moves = AccountMoves::default();
        for what in left {
            moves.add(true, what);
        }
        for what in came {
            moves.add(false, what);
        }
        let words = moves.words();
        assert_eq!((words.text.as_str(), words.brief.as_deref()), (text, brief));
        assert_eq!(
            (words.tone == Tone::Gain, words.direction == Some(Direction::In)),
            (left.is_empty(), left.is_empty())
        );
    }
}
