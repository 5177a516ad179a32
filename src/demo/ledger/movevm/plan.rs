//! Actions that users take on the Move rollup.

mod calls;
mod failures;
mod nfts;

pub(super) use self::nfts::opening;
use super::Move;
use crate::demo::ledger::common::plan::{self, PlanAction, bridge, cosmos, ibc};

pub(super) type PlannedTx = plan::PlannedTx<Move>;
pub(super) type Planner<'a> = plan::Planner<'a, Move>;

/// Actions that the planner chooses from, with their weights.
pub(crate) const ACTIONS: [(u32, PlanAction<Move>); 31] = [
    (85, calls::transfer),
    (150, calls::swap),
    (34, calls::provide),
    (22, calls::leave),
    (40, calls::stake),
    (16, calls::unstake),
    (30, calls::claim),
    (26, calls::supply),
    (70, calls::ping),
    (16, calls::script),
    (9, calls::publish),
    (60, nfts::mint),
    (8, nfts::burn),
    (56, nfts::give),
    (4, nfts::create_collection),
    (130, cosmos::send),
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
    (16, ibc::nft),
    (52, failures::any),
];
