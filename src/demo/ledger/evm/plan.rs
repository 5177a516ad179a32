//! Actions that users take on the EVM rollup.

mod bridge;
mod calls;
mod failures;

pub(super) use self::calls::opening;
use super::Evm;
use crate::demo::ledger::common::{
    plan::{self, PlanAction, bridge as shared_bridge, cosmos, ibc},
    record::SignMode,
};

pub(super) type PlannedTx = plan::PlannedTx<Evm>;
pub(super) type Planner<'a> = plan::Planner<'a, Evm>;

/// Actions that the planner chooses from, with their weights.
pub(crate) const ACTIONS: [(u32, PlanAction<Evm>); 32] = [
    (115, calls::transfer),
    (35, calls::approve),
    (60, calls::pay),
    (45, calls::mint),
    (40, calls::give),
    (12, calls::approve_all),
    (140, calls::swap),
    (16, calls::to_local),
    (12, calls::to_remote),
    (38, calls::stake),
    (14, calls::unstake),
    (34, calls::claim),
    (9, calls::disperse),
    (7, calls::burn),
    (55, calls::ping),
    (8, calls::create),
    (4, calls::create2),
    (110, cosmos::send),
    (9, cosmos::grant),
    (5, cosmos::revoke),
    (14, cosmos::exec),
    (8, cosmos::allow_fees),
    (4, cosmos::revoke_fees),
    (4, cosmos::prune_allowances),
    (62, shared_bridge::deposit),
    (24, bridge::withdraw),
    (22, shared_bridge::oracle),
    (10, shared_bridge::operator),
    (34, ibc::send),
    (36, ibc::receive),
    (16, ibc::nft),
    (52, failures::any),
];

/// Returns the sign mode in which a wallet signs EVM calls; mostly Ethereum transactions.
fn evm_style(planner: &mut Planner<'_>) -> SignMode {
    if planner.rng.chance(4, 5) { SignMode::Ethereum } else { SignMode::Personal }
}
