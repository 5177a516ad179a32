//! What happens on the Wasm rollup: everything that may, with its weight.

mod contracts;
mod factory;
mod failures;
mod nft_transfers;
mod nfts;
mod tokens;

pub(super) use self::nfts::opening;
use super::{
    Wasm,
    record::{ContractCall, VmMessage},
};
use crate::demo::ledger::common::{
    plan::{self, PlanAction, bridge, cosmos, ibc},
    record::{Msg, PartyId},
};

/// A transaction before it is carried out.
pub(super) type PlannedTx = plan::PlannedTx<Wasm>;
/// One block being planned.
pub(super) type Planner<'a> = plan::Planner<'a, Wasm>;

/// Everything that may happen, with its weight.
pub(crate) const ACTIONS: &[(u32, PlanAction<Wasm>)] = &[
    (110, tokens::transfer),
    (14, tokens::allow),
    (12, tokens::transfer_from),
    (7, tokens::burn),
    (6, tokens::mint),
    (36, tokens::stake),
    (16, tokens::unstake),
    (40, tokens::save),
    (18, tokens::take_out),
    (34, tokens::claim),
    (140, tokens::swap),
    (45, nfts::launch),
    (14, nfts::mint),
    (40, nfts::give),
    (22, nfts::offer),
    (20, nfts::buy),
    (4, nfts::burn),
    (7, nfts::approve),
    (10, nfts::approve_all),
    (22, nft_transfers::send),
    (14, nft_transfers::receive),
    (40, nft_transfers::settle),
    (50, contracts::ping),
    (7, contracts::store),
    (12, contracts::instantiate),
    (6, contracts::migrate),
    (5, contracts::set_admin),
    (3, contracts::set_label),
    (8, factory::create),
    (12, factory::mint),
    (7, factory::burn),
    (4, factory::change_admin),
    (5, factory::set_metadata),
    (3, factory::set_send_hook),
    (110, cosmos::send),
    (14, cosmos::multi_send),
    (9, cosmos::grant),
    (5, cosmos::revoke),
    (14, cosmos::exec),
    (8, cosmos::allow_fees),
    (4, cosmos::revoke_fees),
    (4, cosmos::prune_allowances),
    (62, bridge::deposit),
    (24, bridge::withdraw),
    (22, bridge::oracle),
    (10, bridge::operator),
    (34, ibc::send),
    (36, ibc::receive),
    (56, failures::any),
];

/// A transaction that calls a contract.
fn call(planner: &mut Planner<'_>, sender: PartyId, gas: u32, call: ContractCall) -> PlannedTx {
    let style = planner.cosmos_style();
    PlannedTx::new(sender, style, gas, Msg::Vm(VmMessage::Execute { sender, call }))
}
