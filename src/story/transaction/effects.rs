//! Effects of a transaction as JSON, for tables of effects: only what its record shows.

use serde::Serialize;

use crate::{
    domain::{Balance, Coin, Vm},
    story::{
        changes::{BalanceRecord, ChangesRecord, NftRecord, TokenTransferRecord},
        context::{changes, tx_context},
        decode::decode,
        limits::Work,
        names::glossary::Glossary,
        words::sentence::is_complete,
    },
    wire::Tx,
};

#[derive(Debug, Serialize)]
pub struct EffectsRecord {
    /// Balance changes sorted by denom, then delta; then the paid fee by denom.
    balances: Vec<EffectRow>,
    /// Movements of tokens, also of the fee, in the events' order.
    transfers: Vec<TokenTransferRecord>,
    /// Raw movements in the events' order.
    nft: Vec<NftRecord>,
    /// Whether all changes balance, and no contract was asked to hand out tokens that no event shows.
    conserved: bool,
}

#[derive(Debug, Serialize)]
struct EffectRow {
    #[serde(flatten)]
    change: BalanceRecord,
    is_fee: bool,
}

impl EffectsRecord {
    /// Reads the effects of a transaction of a chain with this VM, without the names and registries of a network: equal
    /// records have equal effects.
    pub fn of(tx: &Tx, vm: Vm) -> Self {
        let mut glossary = Glossary::default();
        glossary.vm = Some(vm);
        let (decoded, work) = (decode(tx), Work::default());
        let mut changes = changes(tx, &decoded, &glossary, &work);
        changes.is_conserved =
            changes.is_conserved && is_complete(&tx_context(tx, &decoded, &changes, &glossary, &work));
        let payer = changes.fee.payer.map(|payer| payer.to_string()).unwrap_or_default();
        let fee = |Coin { denom, amount }: &Coin| BalanceRecord {
            account: payer.clone(),
            denom: denom.to_string(),
            delta: Balance::below_zero(*amount).to_string(),
        };
        let record = ChangesRecord::of(tx, &changes);
        let rows = record.balances.into_iter().map(|change| EffectRow { change, is_fee: false });
        let paid = changes.fee.net_paid.iter().map(|coin| EffectRow { change: fee(coin), is_fee: true });
        Self {
            balances: rows.chain(paid).collect(),
            transfers: changes.transfers.iter().map(TokenTransferRecord::of).collect(),
            nft: record.nft,
            conserved: record.conserved,
        }
    }
}
