//! Lines with a transaction's facts: fee, hash, block, time, signer, gas, memo.

use super::{
    amounts::{Amounts, SYMBOL},
    parts::with_account,
};
use crate::{
    app::{format::gas_share, page::TxLine},
    config::Meaning,
    domain::{Address, Amount, Coin, Target, text},
    panes::tx_document::{Line, TxSheet, address_line, field},
    story::{FeeLine, Glossary},
    widgets::document::WordRef,
};
use alloy_primitives::U256;

const BAR: u64 = 10;
/// Maximum decimals of a gas price.
const PRICE_PLACES: u8 = 6;
/// Digits of a price that stay, if it has decimals.
const PRICE_DIGITS: usize = 6;

/// Returns a line per fact: when and who, then what it cost, then its names.
pub(super) fn fact_lines(sheet: &TxSheet<'_>, amounts: &Amounts) -> Vec<Line> {
    let (tx, decoded) = (sheet.tx, &sheet.story.decoded);
    let place = sheet.place.map(|(place, count)| format!("  transaction {} of {count}", place + 1)).unwrap_or_default();
    let block = field(0, "block")
        .with(Meaning::Link, text::group(tx.height.get()))
        .with(Meaning::Muted, place)
        .copying(tx.height.to_string())
        .leading_to(Some(Target::Block(tx.height)));
    let age = sheet.age.as_ref().map(|age| format!("  {age}")).unwrap_or_default();
    let time = field(0, "time")
        .with(Meaning::Text, format!("{} UTC", tx.timestamp.day_and_clock()))
        .with(Meaning::Muted, age)
        .copying(tx.timestamp.to_string());
    let mut lines = vec![block, time];
    lines.extend(tx.other_records().map(|records| field(0, "records").with(Meaning::Warning, records).hanging()));
    if let Some(signer) = decoded.signer {
        let note = if decoded.is_ethereum_signed { "  signed by an Ethereum wallet" } else { "" };
        lines.push(address_line(field(0, "signer"), signer, &sheet.style).with(Meaning::Muted, note).hanging());
    }
    lines.extend([fee_line(sheet, amounts).named(TxLine::Fee), gas_line(sheet)]);
    lines.extend(price_line(sheet, amounts));
    let dispute = |text: String| Line::at(0).with(Meaning::Warning, "! ").with(Meaning::Warning, text).hanging();
    lines.extend(sheet.disputes.iter().map(|one| dispute(one.to_string())));
    let hash = tx.txhash.to_string();
    lines.push(field(0, "hash").with(Meaning::Link, &hash).copying(hash).hanging());
    lines.extend(sheet.beside.clone().map(Line::hanging));
    if let Some(memo) = &decoded.memo {
        lines.push(field(0, "memo").with(Meaning::Text, memo).copying(memo.clone()).hanging());
    }
    if !tx.is_success() && !tx.raw_log.is_empty() {
        lines.push(field(0, "log").with(Meaning::Text, tx.raw_log.as_received()).copying(tx.raw_log.as_received()));
    }
    lines
}

/// Returns the line with the fee paid, the fee offered, and the payer.
fn fee_line(sheet: &TxSheet<'_>, amounts: &Amounts) -> Line {
    let (fee, decoded) = (&sheet.story.changes.fee, &sheet.story.decoded);
    let paid: Vec<Coin> = fee.net_paid.iter().filter(|coin| !coin.amount.is_zero()).cloned().collect();
    let declared: Vec<Coin> = declared(sheet).iter().filter(|coin| !coin.amount.is_zero()).cloned().collect();
    let text = if paid.is_empty() { "none".to_owned() } else { amounts.coins(&paid) };
    let exact = paid.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let word_ref = WordRef::by(&fee.events).copying(exact.clone());
    let line = field(0, "fee").with_word(Meaning::Number, text, word_ref).copying(exact);
    let offered = match (refunded(&declared, &paid), declared.as_slice()) {
        (Some(refunded), _) if refunded.is_empty() => String::new(),
        // The chain refused the transaction before execution, so it neither took nor refunded a fee.
        _ if fee.events.is_empty() => {
            let taken = if sheet.tx.is_success() { "amount charged unknown" } else { "none charged" };
            format!("  {} offered, {taken}", amounts.coins(&declared))
        }
        // The line already names the only token.
        (Some(refunded), [offered]) => {
            let back = refunded.first().map(|coin| amounts.plain(coin)).unwrap_or_default();
            format!("  of {} offered, {back} refunded", amounts.plain(offered))
        }
        (Some(refunded), _) => {
            format!("  of {} offered, {} refunded", amounts.coins(&declared), amounts.coins(&refunded))
        }
        (None, _) if declared.is_empty() => String::new(),
        (None, _) => format!("  {} offered", amounts.coins(&declared)),
    };
    let line = line.with(Meaning::Muted, offered);
    paid_by(line, fee, decoded.signer, sheet).hanging()
}

/// Appends the payer if it is not the signer.
fn paid_by(line: Line, fee: &FeeLine, signer: Option<Address>, sheet: &TxSheet<'_>) -> Line {
    let party = |address: Address| with_account(line.clone().with(Meaning::Muted, "  paid by "), address, sheet);
    match (fee.granter, fee.payer) {
        (Some(granter), _) => party(granter).with(Meaning::Muted, " by a fee grant"),
        (None, Some(payer)) if Some(payer) != signer => party(payer),
        _ => line,
    }
}

fn declared<'a>(sheet: &'a TxSheet<'_>) -> &'a [Coin] {
    let fee = &sheet.story.changes.fee;
    if fee.declared.is_empty() { &sheet.story.decoded.fee } else { &fee.declared }
}

/// Returns the part of the offered fee that was refunded; `None` if the payment exceeds the offer.
fn refunded(declared: &[Coin], paid: &[Coin]) -> Option<Vec<Coin>> {
    let mut rest = Vec::new();
    for coin in declared {
        let kept = paid.iter().find(|paid| paid.denom == coin.denom).map(|paid| paid.amount).unwrap_or_default();
        let amount = coin.amount.checked_sub(kept)?;
        if !amount.is_zero() {
            rest.push(Coin { denom: coin.denom.clone(), amount });
        }
    }
    let is_offered = |paid: &Coin| declared.iter().any(|coin| coin.denom == paid.denom);
    paid.iter().all(is_offered).then_some(rest)
}

fn gas_line(sheet: &TxSheet<'_>) -> Line {
    let tx = sheet.tx;
    let filled = tx.gas_used.saturating_mul(BAR).checked_div(tx.gas_wanted).unwrap_or_default().min(BAR);
    let bar: String = (0..BAR).map(|place| if place < filled { '█' } else { '░' }).collect();
    let unused = tx.gas_wanted.saturating_sub(tx.gas_used);
    let refunded = match sheet.story.changes.fee.refunded_gas {
        0 => String::new(),
        gas => format!("  refund for {} of {} unused", text::group(gas), text::group(unused)),
    };
    field(0, "gas")
        .with(Meaning::Number, text::group(tx.gas_used))
        .with(Meaning::Muted, format!("{}  {bar}{refunded}", gas_share(tx.gas_used, tx.gas_wanted)))
        .copying(tx.gas_used.to_string())
        .hanging()
}

/// Returns the prices per unit of gas: offered for the limit, charged by the receipt, and paid for the gas used.
fn price_line(sheet: &TxSheet<'_>, amounts: &Amounts) -> Option<Line> {
    let (tx, fee) = (sheet.tx, &sheet.story.changes.fee);
    let of = |coins: &[Coin], gas: u64| -> String {
        let prices = coins.iter().filter_map(|coin| price(coin, gas, &amounts.unit(&coin.denom)));
        prices.collect::<Vec<_>>().join(" + ")
    };
    let refunded = refunded(declared(sheet), &fee.net_paid).unwrap_or_default();
    let charged = sheet.charged.map_or_else(String::new, |charged| {
        let is_of = |coin: &&Coin| charged.get().checked_mul(U256::from(fee.refunded_gas)) == Some(coin.amount.get());
        // The receipt names no denom: a refund at its price does.
        match refunded.as_slice() {
            [only] if is_of(&only) && fee.refunded_gas > 0 => {
                of(&[Coin { denom: only.denom.clone(), amount: charged }], 1)
            }
            _ => receipt_price(charged, sheet.glossary),
        }
    });
    let named = [
        (of(declared(sheet), tx.gas_wanted), "offered"),
        (charged, "charged"),
        (of(&fee.net_paid, tx.gas_used), "effective"),
    ];
    let named = named.into_iter().filter(|(price, _)| !price.is_empty()).map(|(price, name)| format!("{price} {name}"));
    let text = named.collect::<Vec<_>>().join(", ");
    (!text.is_empty()).then(|| field(0, "gas price").with(Meaning::Number, &text).copying(text).hanging())
}

/// Formats a receipt's gas price: in the chain's fee denom if that has as many decimals as ether, else in wei, to which
/// a chain scales a fee denom with other decimals.
pub(crate) fn receipt_price(amount: Amount, glossary: &Glossary) -> String {
    let token = |denom| Some((denom, glossary.token(denom)?));
    let in_tokens = glossary.ether_denom().and_then(token).and_then(|(denom, token)| {
        let unit = (text::clip(&token.symbol, SYMBOL), token.decimals);
        price(&Coin { denom: denom.clone(), amount }, 1, &unit)
    });
    in_tokens.unwrap_or_else(|| format!("{} wei", text::group_digits(&amount.to_string())))
}

/// Formats the price per unit of gas, as in `0.15 uinit`, with `≈` if digits are cut.
fn price(coin: &Coin, gas: u64, (name, decimals): &(String, u8)) -> Option<String> {
    let scale = U256::from(10).pow(U256::from(PRICE_PLACES));
    let scaled = coin.amount.get().checked_mul(scale)?;
    let gas = Some(U256::from(gas)).filter(|gas| !gas.is_zero() && !scaled.is_zero())?;
    let (price, rest) = scaled.div_rem(gas);
    let places = decimals.saturating_add(PRICE_PLACES);
    if price.is_zero() {
        return Some(format!("under {} {name}", text::decimal("1", places)));
    }
    // A reader needs the first digits, and those before the point.
    let cut = price.to_string().len().saturating_sub(PRICE_DIGITS).min(usize::from(places));
    let lost = price % U256::from(10).pow(U256::from(cut));
    let about = if rest.is_zero() && lost.is_zero() { "" } else { "≈ " };
    let price = price - lost;
    Some(format!("{about}{} {name}", text::decimal(&price.to_string(), places)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::Denom,
        wire::node::{DenomClaim, DenomFact, NodeNames, UnitReporter},
    };

    fn coin(amount: u128, denom: &str) -> Coin {
        Coin { denom: Denom::new(denom), amount: Amount::from(amount) }
    }

    #[test]
    fn a_price_of_gas_is_exact_or_says_that_it_is_not() {
        let unit = ("u".to_owned(), 0);
        assert_eq!(price(&coin(30_000, "u"), 200_000, &unit).as_deref(), Some("0.15 u"));
        assert_eq!(price(&coin(30_000, "u"), 200_000, &("U".to_owned(), 6)).as_deref(), Some("0.00000015 U"));
        assert_eq!(price(&coin(1, "u"), 3, &unit).as_deref(), Some("≈ 0.333333 u"));
        assert_eq!(price(&coin(1, "u"), u64::MAX, &unit).as_deref(), Some("under 0.000001 u"));
        assert_eq!(price(&coin(5, "u"), 0, &unit), None);
        let gas = ("GAS".to_owned(), 18);
        assert_eq!(price(&coin(1_000_000_000, "u"), 7, &gas).as_deref(), Some("≈ 0.000000000142857 GAS"));
    }

    #[test]
    fn a_receipts_price_is_in_the_fee_denom_only_where_the_node_names_it_and_its_decimals() {
        let told = |gas_denom: Option<&str>, decimals: Option<u8>| {
            let claim = |decimals| DenomClaim::Unit { symbol: "GAS".into(), decimals, reporter: UnitReporter::Bank };
            let fact = decimals.map(|decimals| DenomFact { denom: Denom::new("GAS"), claim: claim(decimals) });
            let names = NodeNames {
                gas_denom: gas_denom.map(Denom::new),
                fee_denoms: vec![Denom::new("GAS")],
                facts: Vec::from_iter(fact),
                ..NodeNames::default()
            };
            let mut glossary = Glossary::default();
            glossary.add_chain_names(&names);
            receipt_price(Amount::from(5_000_000_000), &glossary)
        };
        assert_eq!(told(Some("GAS"), Some(18)), "0.000000005 “GAS”");
        for (denom, decimals) in
            [(Some("GAS"), None), (Some("GAS"), Some(6)), (Some("other"), Some(18)), (None, Some(18))]
        {
            assert_eq!(told(denom, decimals), "5,000,000,000 wei", "{denom:?} with {decimals:?} decimals");
        }
    }

    #[test]
    fn what_came_back_is_offered_minus_paid() {
        assert_eq!(refunded(&[coin(5, "a"), coin(2, "b")], &[coin(3, "a"), coin(2, "b")]), Some(vec![coin(2, "a")]));
        assert_eq!(refunded(&[coin(5, "a")], &[coin(6, "a")]), None);
        assert_eq!(refunded(&[], &[coin(6, "a")]), None);
    }
}
