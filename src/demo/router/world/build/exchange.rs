//! Swaps on the L1, through one pool or through several that the native coin connects.

use std::sync::Arc;

use super::{AssetLookup, INIT, L1, PORT, is_fit};
use crate::{
    demo::{
        ledger::{RollupFacts, TokenOrigin, derive},
        router::{
            graph::{AssetEdge, EdgeKind, ListedAsset, PoolSide},
            world::file::{WorldFile, amount},
        },
    },
    domain::{Amount, Denom},
};

/// Maximum pools of a swap.
const MOST_TURNS: usize = 3;

pub(super) fn swaps(assets: &AssetLookup<'_>, facts: &WorldFile, rollups: &[RollupFacts]) -> Vec<AssetEdge> {
    let mut sides = exchange_turns(assets, facts);
    sides.extend(rollups.iter().filter_map(|rollup| exit_turns(assets, facts, rollup)));
    sides.retain(is_fit);
    let mut edges = Vec::new();
    for start in &sides {
        extend(&sides, vec![start.clone()], &mut edges);
    }
    edges
}

/// Adds a swap through these pools, then longer swaps with every further pool that does not lead back.
fn extend(sides: &[PoolSide], taken: Vec<PoolSide>, edges: &mut Vec<AssetEdge>) {
    let (Some(first), Some(last)) = (taken.first(), taken.last()) else { return };
    if taken.len() < MOST_TURNS {
        for next in sides.iter().filter(|next| next.sold == last.bought) {
            let is_new = taken.iter().all(|side| side.sold != next.bought && side.pool != next.pool);
            if is_new {
                extend(sides, taken.iter().chain([next]).cloned().collect(), edges);
            }
        }
    }
    let (from, to) = (Arc::clone(&first.sold), Arc::clone(&last.bought));
    // Only the shortest sequence of pools counts.
    let known = edges.iter_mut().find(|edge| edge.from == from && edge.to == to);
    match known {
        Some(AssetEdge { kind: EdgeKind::Swap { sides }, .. }) if sides.len() > taken.len() => *sides = taken,
        Some(_) => {}
        None => edges.push(AssetEdge { from, to, kind: EdgeKind::Swap { sides: taken } }),
    }
}

/// Returns the denom of a pool on the L1: the address of its object.
fn pool_denom(name: &str) -> Denom {
    Denom::new(format!("move/{}", alloy_primitives::hex::encode(derive::sha256(format!("demo pool {name}")))))
}

fn both_sides(sides: [&Arc<ListedAsset>; 2], reserves: [Amount; 2], venue: &str, basis_points: u32) -> [PoolSide; 2] {
    let [first, second] = sides;
    let [first_reserve, second_reserve] = reserves;
    let pool = pool_denom(&format!("{} {}", first.denom(), second.denom()));
    let side = |sold: &Arc<ListedAsset>, bought: &Arc<ListedAsset>, reserve_sold, reserve_bought| PoolSide {
        pool: pool.clone(),
        venue: venue.to_owned(),
        sold: Arc::clone(sold),
        bought: Arc::clone(bought),
        reserve_sold,
        reserve_bought,
        basis_points,
    };
    [side(first, second, first_reserve, second_reserve), side(second, first, second_reserve, first_reserve)]
}

fn exchange_turns(assets: &AssetLookup<'_>, facts: &WorldFile) -> Vec<PoolSide> {
    let exchange = &facts.bridges.exchange;
    let pairs = exchange.pools().iter().filter_map(|pool| {
        let [first, second] = &pool.sides;
        let (first, second) = (assets.by_symbol(L1, first)?, assets.by_symbol(L1, second)?);
        let [of_first, of_second] = &pool.reserves;
        let reserves = [amount(of_first, first.decimals()), amount(of_second, second.decimals())];
        Some(both_sides([first, second], reserves, &exchange.venue, pool.basis_points))
    });
    pairs.flatten().collect()
}

/// Returns the pool that converts a rollup's INIT, sent over IBC, to the L1's native INIT. It works one way; deposits
/// lead back.
fn exit_turns(assets: &AssetLookup<'_>, facts: &WorldFile, rollup: &RollupFacts) -> Option<PoolSide> {
    let exit = &facts.bridges.fast_exit;
    let is_init = |origin| matches!(origin, TokenOrigin::Bridged { l1_denom } if l1_denom == INIT);
    let init = rollup.tokens.iter().find(|token| is_init(token.origin));
    let (token, channel) = init.zip(rollup.channels.first())?;
    let path = format!("{PORT}/{}/{}", channel.there, token.denom);
    let (voucher, own) = (assets.find(L1, &format!("ibc/{}", derive::voucher_hash(&path)))?, assets.find(L1, INIT)?);
    let [of_voucher, of_own] = &exit.reserves;
    let reserves = [amount(of_voucher, voucher.decimals()), amount(of_own, own.decimals())];
    let [out, _] = both_sides([voucher, own], reserves, &exit.venue, exit.basis_points);
    Some(out)
}
