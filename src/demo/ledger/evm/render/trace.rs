//! Call frames, as a node's call tracer finds them when it runs a block again.

mod gas;
mod steps;

use alloy_primitives::hex;

use self::steps::{Input, Output, Step, steps};
use super::{
    abi::{Arg, data, encode, number},
    calls,
    receipt::{Likeness, likeness},
};
use crate::demo::ledger::{
    EvmFrame, EvmTrace, EvmTraces, FrameKind,
    common::{
        record::{BlockRecord, Outcome, PartyId, TxRecord},
        render::View,
    },
    derive,
    evm::{
        Evm,
        record::{Call, Failure, Refusal, Vm},
    },
};

/// How many frames these transactions make.
pub(crate) fn count(view: &View<'_>, txs: &[TxRecord<Evm>]) -> u64 {
    txs.iter().filter_map(traced).map(|traced| 1 + steps(view, &traced).len() as u64).sum()
}

/// The frames of a block's transactions.
pub(crate) fn traces(view: &View<'_>, record: &BlockRecord<Evm>) -> EvmTraces {
    let with_receipt = record.txs.iter().filter(|tx| likeness(tx).is_some());
    let traces = (0..)
        .zip(with_receipt)
        .filter_map(|(receipt, tx)| Some(EvmTrace { receipt, frames: frames(view, tx, &traced(tx)?) }))
        .collect();
    EvmTraces { first_sequence: record.first_frame, traces }
}

/// A call or deployment that the EVM ran.
struct Traced<'a> {
    sender: PartyId,
    act: Act<'a>,
    outcome: Outcome<Evm>,
}

#[derive(Clone, Copy)]
enum Act<'a> {
    Call(&'a Call),
    Create(u32),
}

/// What was run: nothing where the gas does not even cover the data, and nothing for a transaction signed for Cosmos,
/// which has no call of its own.
fn traced(tx: &TxRecord<Evm>) -> Option<Traced<'_>> {
    let Some(Likeness::Signed(message)) = likeness(tx) else { return None };
    let (sender, act) = match message {
        Vm::Call { sender, call } => (*sender, Act::Call(call)),
        Vm::Create { sender, nonce, .. } => (*sender, Act::Create(*nonce)),
    };
    (tx.outcome != Outcome::Vm(Failure::IntrinsicGas)).then_some(Traced { sender, act, outcome: tx.outcome })
}

/// The frames of one transaction: the outer call, then what it called.
fn frames(view: &View<'_>, tx: &TxRecord<Evm>, traced: &Traced<'_>) -> Vec<EvmFrame> {
    let steps = steps(view, traced);
    let mut frames = Vec::with_capacity(1 + steps.len());
    frames.push(EvmFrame { gas: u64::from(tx.gas_wanted), gas_used: u64::from(tx.gas_used), ..outer(view, traced) });
    for step in &steps {
        let frame = inner(view, traced, step, &frames);
        frames.push(frame);
    }
    gas::share(&mut frames, &steps);
    frames
}

fn outer(view: &View<'_>, traced: &Traced<'_>) -> EvmFrame {
    let me = view.party(traced.sender);
    let (kind, to, input, value) = match traced.act {
        Act::Call(call) => {
            let request = calls::request(view, traced.sender, call);
            let input = hex::decode(&request.input).unwrap_or_default();
            (FrameKind::Call, request.contract.tail(), input, request.value)
        }
        Act::Create(nonce) => {
            let to = derive::create_address(me.tail(), u64::from(nonce));
            (FrameKind::Create, to, calls::init_code(me, nonce), 0)
        }
    };
    let (output, value) = (Vec::new(), Some(value));
    EvmFrame { parent: None, kind, from: me.tail(), to, input, output, value, gas: 0, gas_used: 0 }
}

fn inner(view: &View<'_>, traced: &Traced<'_>, step: &Step<'_>, frames: &[EvmFrame]) -> EvmFrame {
    let input = match &step.input {
        Input::Same => frames.get(step.parent as usize).map(|parent| parent.input.clone()).unwrap_or_default(),
        Input::Function(signature, arguments) => data(signature, arguments),
    };
    let output = match &step.output {
        Output::Nothing => Vec::new(),
        Output::Words(words) => words.concat(),
        Output::Outer => returned(view, traced),
        Output::Price(argument) => calls::price(view, *argument),
    };
    EvmFrame {
        parent: Some(step.parent),
        kind: step.kind,
        from: step.from,
        to: step.to,
        input,
        output,
        value: (step.kind == FrameKind::Call).then_some(0),
        gas: 0,
        gas_used: 0,
    }
}

/// What the outer call returns, or the reason it gives up with.
fn returned(view: &View<'_>, traced: &Traced<'_>) -> Vec<u8> {
    match (traced.outcome, traced.act) {
        (Outcome::Success, Act::Call(call)) => calls::returned(view, traced.sender, call),
        (Outcome::Vm(Failure::Reverted(Refusal::Reason(reason))), _) => refusal(reason),
        _ => Vec::new(),
    }
}

/// A reason as Solidity encodes it: a panic by its code, anything else as text.
fn refusal(reason: &str) -> Vec<u8> {
    let code = match reason {
        "arithmetic underflow or overflow" => 0x11,
        "division or modulo by zero" => 0x12,
        "out-of-bounds access of an array or bytesN" => 0x32,
        _ => return [&[0x08, 0xc3, 0x79, 0xa0], encode(&[Arg::Text(reason)]).as_slice()].concat(),
    };
    [&[0x4e, 0x48, 0x7b, 0x71], encode(&[number(code)]).as_slice()].concat()
}
