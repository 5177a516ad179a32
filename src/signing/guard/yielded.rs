//! What arrives by what is signed and by the rules of bridges and channels, whatever the router says.

use sha2::{Digest as _, Sha256};

use super::{QuotedTx, RouteDoubt, SigningRefusal, cosmos, evm};
use crate::{
    domain::{Amount, ChainId, Coin, Denom},
    signing::{FundsEffect, MemoAction, SwapContractCall, token_denom},
    wire::router::{Operation, OperationKind},
};

/// Native denoms of chains that send to Initia; the hash of a voucher proves which one it is.
const BASES: [&str; 7] = ["uusdc", "uinit", "utia", "uatom", "uosmo", "untrn", "umilk"];
/// Longest path of a voucher that is tried.
const LONGEST: usize = 4;

/// Funds at the end of a transaction's steps.
#[derive(Debug, Default)]
pub(super) struct Yielded {
    /// `None` if only the router tells it.
    pub(super) denom: Option<Denom>,
    /// Minimum, in the smallest unit; `None` if only the router tells it.
    pub(super) amount: Option<Amount>,
    /// Whether the quote may promise less than what is signed yields.
    pub(super) may_shrink: bool,
    /// Whether a hook converts the funds on arrival.
    pub(super) is_hooked: bool,
    pub(super) doubts: Vec<RouteDoubt>,
}

/// Coin that a swap buys.
enum Bought<'a> {
    Coin(&'a Coin),
    Pool { pool: [u8; 32], least: Option<Amount> },
}

/// Effect of a message, with the steps that it performs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Performed {
    pub(super) effect: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// Follows the signed coins over the steps of a transaction. Fails where a step states another denom than its bridge or
/// channel gives.
pub(super) fn follow(
    stage: &QuotedTx<'_>,
    effects: &[FundsEffect],
    performed: &[Performed],
) -> Result<Yielded, SigningRefusal> {
    let mut funds = Yielded::default();
    for part in performed {
        let Some(effect) = effects.get(part.effect) else { continue };
        // Each message states its own coin.
        let (denom, amount) = taken(stage, effect, part.from)?;
        funds = Yielded { denom, amount, doubts: std::mem::take(&mut funds.doubts), ..Yielded::default() };
        let mut swaps = Vec::new();
        bought(effect, &mut swaps);
        let mut swaps = swaps.into_iter();
        let steps = stage.steps.get(part.from..part.to).unwrap_or_default();
        for (place, step) in steps.iter().enumerate() {
            let ahead = steps.get(place..).unwrap_or_default();
            let swap = if step.kind == OperationKind::Swap { swaps.next() } else { None };
            funds.pass(stage, effect, ahead, step, swap.as_ref())?;
        }
    }
    if performed.last().is_none_or(|last| last.to < stage.steps.len()) {
        // Somebody else performs the rest.
        (funds.denom, funds.amount) = (None, None);
    }
    Ok(funds)
}

impl Yielded {
    fn pass(
        &mut self,
        stage: &QuotedTx<'_>,
        effect: &FundsEffect,
        ahead: &[&Operation],
        step: &Operation,
        swap: Option<&Bought<'_>>,
    ) -> Result<(), SigningRefusal> {
        let known = stage.quote.known;
        let before = self.denom.clone();
        match &step.kind {
            OperationKind::BankSend => {}
            OperationKind::OpInitTransfer => {
                self.denom = before.as_ref().and_then(|before| crossed(effect, before, step));
                if let FundsEffect::Deposit { hook, .. } = effect
                    && !hook.is_empty()
                {
                    self.is_hooked = true;
                    return Ok(());
                }
            }
            OperationKind::Transfer => {
                self.denom = before.as_ref().and_then(|before| voucher(stage, before, ahead, step));
                match step.amount_out.filter(|quoted| self.amount.is_some_and(|amount| *quoted < amount)) {
                    // Only wrapped tokens change their decimals.
                    Some(_) if names_contract(step.denom_out()) => self.amount = None,
                    // Only the router tells what a chain on the way deducts.
                    Some(_) => {
                        let chain = step.to_chain().unwrap_or(stage.chain).clone();
                        let denom = step.denom_out().cloned().unwrap_or(stage.quote.route.dest_asset_denom.clone());
                        self.amount = None;
                        self.doubts.push(RouteDoubt::Arrival { chain, denom });
                    }
                    None => {}
                }
            }
            OperationKind::Swap => match swap {
                Some(Bought::Coin(coin)) => (self.denom, self.amount) = (Some(coin.denom.clone()), Some(coin.amount)),
                Some(Bought::Pool { pool, least }) => {
                    (self.denom, self.amount) = (step.denom_out().cloned(), *least);
                    let chain = step.from_chain().unwrap_or(stage.chain).clone();
                    let bought = step.denom_out().cloned().unwrap_or(stage.quote.route.dest_asset_denom.clone());
                    self.doubts.push(RouteDoubt::Pool { chain, pool: *pool, bought, least: *least });
                }
                None => (self.denom, self.amount) = (None, None),
            },
            kind => {
                let usdc = |chain: Option<&ChainId>| chain.and_then(|chain| known.usdc_of(chain));
                let is_usdc = before.as_ref().zip(usdc(step.from_chain())).is_some_and(|(one, usdc)| one.is_same(usdc));
                // A relayer's or solver's quote may promise less than the call.
                self.may_shrink = true;
                (self.denom, self.amount) = match effect {
                    FundsEffect::Burn(burn) if evm::is_burn(kind) && is_usdc => {
                        (usdc(step.to_chain()).cloned(), Some(burn.least))
                    }
                    FundsEffect::Burn(burn) if evm::is_burn(kind) => (None, Some(burn.least)),
                    FundsEffect::Order { least, .. } if *kind == OperationKind::GoFastTransfer => {
                        (usdc(step.to_chain()).cloned(), Some(*least))
                    }
                    _ => (None, None),
                };
            }
        }
        self.compare(before.as_ref(), step)
    }

    /// Compares the denom with the step's.
    fn compare(&mut self, before: Option<&Denom>, step: &Operation) -> Result<(), SigningRefusal> {
        let (Some(quoted), Some(chain)) = (step.denom_out(), step.to_chain()) else { return Ok(()) };
        let refused =
            |derived: String| Err(SigningRefusal::Yield { chain: chain.clone(), derived, quoted: quoted.clone() });
        let is_packet = step.kind == OperationKind::Transfer;
        match (&self.denom, before) {
            (Some(derived), _) if derived.is_same(quoted) => Ok(()),
            // A chain may list a voucher by the contract that wraps it.
            (_, _) if is_packet && names_contract(Some(quoted)) => {
                self.denom = None;
                Ok(())
            }
            (Some(derived), _) => refused(derived.marked().into_owned()),
            (None, Some(before)) if is_packet && !quoted.as_str().contains('/') => {
                refused(format!("a voucher of {}", before.marked()))
            }
            (None, Some(before)) if matches!(step.kind, OperationKind::OpInitTransfer) && before.is_bridged() => {
                refused(format!("another denom than {}, whose hash {} does not have", quoted.marked(), before.marked()))
            }
            (None, _) => Ok(()),
        }
    }
}

fn names_contract(denom: Option<&Denom>) -> bool {
    denom.is_some_and(|denom| denom.as_str().starts_with("evm/"))
}

/// Returns the coin that an effect takes.
fn taken(
    stage: &QuotedTx<'_>,
    effect: &FundsEffect,
    place: usize,
) -> Result<(Option<Denom>, Option<Amount>), SigningRefusal> {
    let quoted = || stage.denom_in(place).cloned();
    Ok(match effect {
        FundsEffect::Send { coins, .. } => match coins.as_slice() {
            [coin] => (Some(coin.denom.clone()), Some(coin.amount)),
            _ => (None, None),
        },
        FundsEffect::Packet { coin, .. }
        | FundsEffect::Deposit { coin, .. }
        | FundsEffect::Withdrawal { coin, .. }
        | FundsEffect::Claim { coin, .. } => (Some(coin.denom.clone()), Some(coin.amount)),
        FundsEffect::VenueSwap { sold, .. } => (sold.as_ref().map(|sold| sold.denom.clone()), None),
        FundsEffect::TokenTransfer { token, amount, .. } => {
            (Some(token_denom(*token, Some(&quoted()?))), Some(*amount))
        }
        FundsEffect::Burn(burn) => (Some(token_denom(burn.token, Some(&quoted()?))), Some(burn.amount)),
        FundsEffect::Swap { amount, .. }
        | FundsEffect::Message { amount, .. }
        | FundsEffect::Order { amount, .. }
        | FundsEffect::Value { amount, .. } => (Some(quoted()?), Some(*amount)),
        FundsEffect::Allowance { .. } | FundsEffect::Conversion { .. } => (None, None),
    })
}

/// Lists the swaps of an effect in order, also those that memos ask for.
fn bought<'a>(effect: &'a FundsEffect, found: &mut Vec<Bought<'a>>) {
    match effect {
        FundsEffect::Swap { pool, least, .. } => found.push(Bought::Pool { pool: *pool, least: *least }),
        FundsEffect::VenueSwap { least, after, .. } => {
            found.push(Bought::Coin(least));
            if let SwapContractCall::Packet { onward, .. } = after {
                bought_onward(onward, found);
            }
        }
        _ => onward_of(effect).into_iter().for_each(|onward| bought_onward(onward, found)),
    }
}

fn bought_onward<'a>(onward: &'a MemoAction, found: &mut Vec<Bought<'a>>) {
    match onward {
        MemoAction::Nothing | MemoAction::Note(_) => {}
        MemoAction::Forward(forward) => bought_onward(&forward.next, found),
        MemoAction::Call { effect, .. } => bought(effect, found),
    }
}

/// Lists the texts for recipients in the memos of an effect.
pub(super) fn notes<'a>(effect: &'a FundsEffect, found: &mut Vec<&'a str>) {
    let mut next = match effect {
        FundsEffect::VenueSwap { after: SwapContractCall::Packet { onward, .. }, .. } => Some(onward),
        _ => onward_of(effect),
    };
    while let Some(onward) = next {
        next = match onward {
            MemoAction::Nothing => None,
            MemoAction::Note(note) => {
                found.push(note);
                None
            }
            MemoAction::Forward(forward) => Some(&forward.next),
            MemoAction::Call { effect, .. } => return notes(effect, found),
        };
    }
}

fn onward_of(effect: &FundsEffect) -> Option<&MemoAction> {
    match effect {
        FundsEffect::Packet { onward, .. } | FundsEffect::Order { onward, .. } => Some(onward),
        FundsEffect::Burn(burn) => Some(&burn.onward),
        _ => None,
    }
}

/// Returns the denom behind an OPinit bridge. A rollup's denom is the hash of bridge and L1 denom, so it proves what a
/// withdrawal pays out.
fn crossed(effect: &FundsEffect, denom: &Denom, step: &Operation) -> Option<Denom> {
    match effect {
        FundsEffect::Deposit { bridge_id, .. } => Some(cosmos::bridged(*bridge_id, denom)),
        FundsEffect::Withdrawal { .. } => {
            let (bridge, quoted) = (step.facts.op_init_bridge_id.as_received().parse().ok()?, step.denom_out()?);
            cosmos::bridged(bridge, quoted).is_same(denom).then(|| quoted.clone())
        }
        _ => None,
    }
}

/// Returns the denom of a coin behind a token channel; `None` where nobody but the router knows its path, or the
/// channel's name on the other chain.
fn voucher(stage: &QuotedTx<'_>, denom: &Denom, ahead: &[&Operation], step: &Operation) -> Option<Denom> {
    let (from, to, channel) = (step.from_chain()?, step.to_chain()?, &step.facts.channel);
    let path = path_of(stage, from, denom, ahead)?;
    let home = format!("transfer/{channel}/");
    let (path, is_home) = match path.strip_prefix(&home) {
        Some(rest) => (rest.to_owned(), true),
        None => (format!("transfer/{}/{path}", stage.quote.known.channel_to(to, from)?), false),
    };
    let is_native = is_home && !path.starts_with("transfer/channel-");
    Some(if is_native { Denom::new(path) } else { voucher_of(&path) })
}

fn voucher_of(path: &str) -> Denom {
    Denom::new(format!("ibc/{}", alloy_primitives::hex::encode_upper(Sha256::digest(path))))
}

/// Finds the path whose hash a voucher has: over the channels ahead, or the known channels of its chain, to a native
/// denom that the route or the registry names.
fn path_of(stage: &QuotedTx<'_>, chain: &ChainId, denom: &Denom, ahead: &[&Operation]) -> Option<String> {
    if !denom.as_str().starts_with("ibc/") {
        return Some(denom.as_str().to_owned());
    }
    let known = stage.quote.known;
    let mut prefixes = vec![String::new()];
    let hops = ahead.iter().take_while(|step| step.kind == OperationKind::Transfer).take(LONGEST);
    for hop in hops {
        let last = prefixes.last().cloned().unwrap_or_default();
        prefixes.push(format!("{last}transfer/{}/", hop.facts.channel));
    }
    for channel in known.token_channels(chain) {
        let first = format!("transfer/{channel}/");
        let beyond = known.counterparty_of(chain, channel).into_iter().flat_map(|next| known.token_channels(next));
        prefixes.extend(beyond.map(|second| format!("{first}transfer/{second}/")));
        prefixes.push(first);
    }
    let quoted = stage.quote.route.operations.iter().flat_map(|step| [step.denom_in(), step.denom_out()]).flatten();
    let native = quoted.map(Denom::as_str).chain(BASES).chain(known.denoms()).filter(|base| !base.starts_with("ibc/"));
    let native: Vec<&str> = native.collect();
    let paths = prefixes.iter().skip(1).flat_map(|prefix| native.iter().map(move |base| format!("{prefix}{base}")));
    paths.into_iter().find(|path| voucher_of(path) == *denom)
}
