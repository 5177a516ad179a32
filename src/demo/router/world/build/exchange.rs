//! Swaps on the L1: through one pool, or through several that meet in the L1's own coin.

use std::sync::Arc;

use super::{Book, INIT, L1, PORT, is_fit};
use crate::{
    demo::{
        ledger::{RollupFacts, TokenOrigin, derive},
        router::{
            graph::{Edge, Link, Listed, Turn},
            world::file::{Facts, amount},
        },
    },
    domain::{Amount, Denom},
};

/// Pools in a row at the most.
const MOST_TURNS: usize = 3;

/// Every swap that there is.
pub(super) fn swaps(book: &Book<'_>, facts: &Facts, rollups: &[RollupFacts]) -> Vec<Edge> {
    let mut turns = exchange_turns(book, facts);
    turns.extend(rollups.iter().filter_map(|rollup| exit_turns(book, facts, rollup)));
    turns.retain(is_fit);
    let mut edges = Vec::new();
    for start in &turns {
        extend(&turns, vec![start.clone()], &mut edges);
    }
    edges
}

/// Takes a chain of pools as a swap, and goes on through every pool that does not lead back.
fn extend(turns: &[Turn], taken: Vec<Turn>, edges: &mut Vec<Edge>) {
    let (Some(first), Some(last)) = (taken.first(), taken.last()) else { return };
    if taken.len() < MOST_TURNS {
        for next in turns.iter().filter(|next| next.sold == last.bought) {
            let is_new = taken.iter().all(|turn| turn.sold != next.bought && turn.pool != next.pool);
            if is_new {
                extend(turns, taken.iter().chain([next]).cloned().collect(), edges);
            }
        }
    }
    let (from, to) = (Arc::clone(&first.sold), Arc::clone(&last.bought));
    // The shortest chain of pools is the one that is used.
    let known = edges.iter_mut().find(|edge| edge.from == from && edge.to == to);
    match known {
        Some(Edge { link: Link::Swap { turns }, .. }) if turns.len() > taken.len() => *turns = taken,
        Some(_) => {}
        None => edges.push(Edge { from, to, link: Link::Swap { turns: taken } }),
    }
}

/// A pool's name on the L1: an object's address.
fn pool_denom(name: &str) -> Denom {
    Denom::new(format!("move/{}", alloy_primitives::hex::encode(derive::sha256(format!("demo pool {name}")))))
}

/// A pool from both sides.
fn both_sides(sides: [&Arc<Listed>; 2], reserves: [Amount; 2], venue: &str, basis_points: u32) -> [Turn; 2] {
    let [first, second] = sides;
    let [first_reserve, second_reserve] = reserves;
    let pool = pool_denom(&format!("{} {}", first.denom(), second.denom()));
    let turn = |sold: &Arc<Listed>, bought: &Arc<Listed>, reserve_sold, reserve_bought| Turn {
        pool: pool.clone(),
        venue: venue.to_owned(),
        sold: Arc::clone(sold),
        bought: Arc::clone(bought),
        reserve_sold,
        reserve_bought,
        basis_points,
    };
    [turn(first, second, first_reserve, second_reserve), turn(second, first, second_reserve, first_reserve)]
}

fn exchange_turns(book: &Book<'_>, facts: &Facts) -> Vec<Turn> {
    let exchange = &facts.bridges.exchange;
    let pairs = exchange.pools().iter().filter_map(|pool| {
        let [first, second] = &pool.sides;
        let (first, second) = (book.by_symbol(L1, first)?, book.by_symbol(L1, second)?);
        let [of_first, of_second] = &pool.reserves;
        let reserves = [amount(of_first, first.decimals()), amount(of_second, second.decimals())];
        Some(both_sides([first, second], reserves, &exchange.venue, pool.basis_points))
    });
    pairs.flatten().collect()
}

/// The pool of a rollup's INIT that came over IBC against the L1's own: one way only, as deposits are the way back.
fn exit_turns(book: &Book<'_>, facts: &Facts, rollup: &RollupFacts) -> Option<Turn> {
    let exit = &facts.bridges.fast_exit;
    let is_init = |origin| matches!(origin, TokenOrigin::Bridged { l1_denom } if l1_denom == INIT);
    let init = rollup.tokens.iter().find(|token| is_init(token.origin));
    let (token, channel) = init.zip(rollup.channels.first())?;
    let path = format!("{PORT}/{}/{}", channel.there, token.denom);
    let (voucher, own) = (book.find(L1, &format!("ibc/{}", derive::voucher_hash(&path)))?, book.find(L1, INIT)?);
    let [of_voucher, of_own] = &exit.reserves;
    let reserves = [amount(of_voucher, voucher.decimals()), amount(of_own, own.decimals())];
    let [out, _] = both_sides([voucher, own], reserves, &exit.venue, exit.basis_points);
    Some(out)
}
