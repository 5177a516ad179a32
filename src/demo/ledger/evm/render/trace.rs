//! Renders call frames, as a node's call tracer returns them after re-execution.

mod gas;
mod steps;

use alloy_primitives::{U256, hex};

use self::steps::{CallStep, StepInput, StepOutput, steps};
use super::{
    abi::{AbiArg, data, encode, number},
    calls,
    receipt::{Likeness, likeness},
};
use crate::demo::ledger::{
    EvmFrame, EvmTrace, EvmTraces, FrameKind,
    common::{
        record::{BlockRecord, PartyId, TxOutcome, TxRecord},
        render::RenderView,
    },
    derive,
    evm::{
        Evm,
        record::{ContractCall, RevertReason, VmFailure, VmMessage},
    },
};

pub(crate) fn count(view: &RenderView<'_>, txs: &[TxRecord<Evm>]) -> u64 {
    txs.iter().filter_map(traced).map(|traced| 1 + steps(view, &traced).len() as u64).sum()
}

/// Returns the frames of a block's transactions.
pub(crate) fn traces(view: &RenderView<'_>, record: &BlockRecord<Evm>) -> EvmTraces {
    let with_receipt = record.txs.iter().filter(|tx| likeness(tx).is_some());
    let traces = (0..)
        .zip(with_receipt)
        .filter_map(|(receipt, tx)| Some(EvmTrace { receipt, frames: frames(view, tx, &traced(tx)?) }))
        .collect();
    EvmTraces { first_sequence: Some(record.first_frame), traces }
}

/// Call or deployment that the EVM executes.
struct TracedRun<'a> {
    sender: PartyId,
    act: TracedAct<'a>,
    outcome: TxOutcome<Evm>,
}

impl TracedRun<'_> {
    /// Returns the tracer's words for the failure.
    fn error(&self) -> Option<String> {
        let words = match self.outcome {
            TxOutcome::Success => return None,
            TxOutcome::Vm(VmFailure::CallFailed(stop) | VmFailure::CreateFailed(stop)) => stop.text(),
            TxOutcome::OutOfGas(_) => "out of gas",
            _ => "execution reverted",
        };
        Some(words.to_owned())
    }
}

#[derive(Clone, Copy)]
enum TracedAct<'a> {
    Call(&'a ContractCall),
    Create(u32),
}

/// Returns the call that the EVM executed; `None` below the intrinsic gas, and for a Cosmos transaction, which has no
/// outer call.
fn traced(tx: &TxRecord<Evm>) -> Option<TracedRun<'_>> {
    let Some(Likeness::Signed(message)) = likeness(tx) else { return None };
    let (sender, act) = match message {
        VmMessage::Call { sender, call } => (*sender, TracedAct::Call(call)),
        VmMessage::Create { sender, nonce, .. } => (*sender, TracedAct::Create(*nonce)),
    };
    (tx.outcome != TxOutcome::Vm(VmFailure::IntrinsicGas)).then_some(TracedRun { sender, act, outcome: tx.outcome })
}

/// Returns the frames of a transaction: the outer call, then the inner calls.
fn frames(view: &RenderView<'_>, tx: &TxRecord<Evm>, traced: &TracedRun<'_>) -> Vec<EvmFrame> {
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

fn outer(view: &RenderView<'_>, traced: &TracedRun<'_>) -> EvmFrame {
    let me = view.party(traced.sender);
    let (kind, to, input, value) = match traced.act {
        TracedAct::Call(call) => {
            let request = calls::request(view, traced.sender, call);
            let input = hex::decode(&request.input).unwrap_or_default();
            (FrameKind::Call, Some(request.contract.tail()), input, request.value)
        }
        TracedAct::Create(nonce) => {
            // The tracer omits the address of a failed deployment.
            let is_made = traced.outcome == TxOutcome::Success;
            let to = is_made.then(|| derive::create_address(me.tail(), u64::from(nonce)));
            (FrameKind::Create, to, calls::init_code(me, nonce), 0)
        }
    };
    let (output, error, value) = (returned(view, traced), traced.error(), Some(U256::from(value)));
    EvmFrame { parent: None, kind, from: me.tail(), to, input, output, error, value, gas: 0, gas_used: 0 }
}

fn inner(view: &RenderView<'_>, traced: &TracedRun<'_>, step: &CallStep<'_>, frames: &[EvmFrame]) -> EvmFrame {
    let input = match &step.input {
        StepInput::Same => frames.get(step.parent as usize).map(|parent| parent.input.clone()).unwrap_or_default(),
        StepInput::Function(signature, arguments) => data(signature, arguments),
    };
    let output = match &step.output {
        StepOutput::Nothing => Vec::new(),
        StepOutput::Words(words) => words.concat(),
        StepOutput::Outer => returned(view, traced),
        StepOutput::Price(argument) => calls::price(view, *argument),
    };
    let passes_on = matches!(step.output, StepOutput::Outer);
    EvmFrame {
        parent: Some(step.parent),
        kind: step.kind,
        from: step.from,
        to: Some(step.to),
        input,
        output,
        error: traced.error().filter(|_| passes_on),
        value: (step.kind == FrameKind::Call).then_some(U256::ZERO),
        gas: 0,
        gas_used: 0,
    }
}

/// Returns the outer call's return data or revert reason.
fn returned(view: &RenderView<'_>, traced: &TracedRun<'_>) -> Vec<u8> {
    match (traced.outcome, traced.act) {
        (TxOutcome::Success, TracedAct::Call(call)) => calls::returned(view, traced.sender, call),
        (TxOutcome::Vm(VmFailure::Reverted(RevertReason::Reason(reason))), _) => refusal(reason),
        (TxOutcome::Vm(VmFailure::Reverted(RevertReason::Custom)), TracedAct::Call(call)) => {
            custom(view, traced.sender, call)
        }
        _ => Vec::new(),
    }
}

/// Returns the custom error of a call, of a standard or of the contract's own.
fn custom(view: &RenderView<'_>, sender: PartyId, call: &ContractCall) -> Vec<u8> {
    match call {
        ContractCall::Give { id, .. } => {
            let thief = AbiArg::Word(view.party(sender).word());
            data("ERC721InsufficientApproval(address,uint256)", &[thief, number(u128::from(*id))])
        }
        _ => data("NothingToClaim()", &[]),
    }
}

/// Encodes a revert reason: a panic as its code, any other reason as text.
fn refusal(reason: &str) -> Vec<u8> {
    let code = match reason {
        "arithmetic underflow or overflow" => 0x11,
        "division or modulo by zero" => 0x12,
        "out-of-bounds access of an array or bytesN" => 0x32,
        _ => return [&[0x08, 0xc3, 0x79, 0xa0], encode(&[AbiArg::Text(reason)]).as_slice()].concat(),
    };
    [&[0x4e, 0x48, 0x7b, 0x71], encode(&[number(code)]).as_slice()].concat()
}
