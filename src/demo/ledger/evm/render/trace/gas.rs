//! Gas of calls inside calls: nobody measured it, so what the outer call used is shared out.

use super::steps::CallStep;
use crate::demo::ledger::EvmFrame;

/// What every transaction costs before it runs.
const TRANSACTION: u64 = 21_000;

/// What a byte of call data costs.
const DATA_BYTE: u64 = 16;

/// What a contract spends at least before it calls another.
const WARM_UP: u64 = 700;

/// Gives every inner frame its gas: usual amounts, cut evenly where the caller has used less than they come to. A call
/// gets all but a 64th of what its caller has left, as the EVM does.
pub(super) fn share(frames: &mut [EvmFrame], steps: &[CallStep<'_>]) {
    for caller in 0..frames.len() {
        let Some(frame) = frames.get(caller) else { return };
        let fixed = if caller == 0 { TRANSACTION + DATA_BYTE * frame.input.len() as u64 } else { WARM_UP };
        let room = frame.gas_used.saturating_sub(fixed) / 10 * 9;
        let mut left = frame.gas.max(frame.gas_used).saturating_sub(fixed);
        let called = |step: &CallStep<'_>| step.parent as usize == caller;
        let usual: u64 = steps.iter().filter(|step| called(step)).map(|step| u64::from(step.usual_gas)).sum();
        for (step, frame) in steps.iter().zip(frames.iter_mut().skip(1)).filter(|(step, _)| called(step)) {
            let wanted = u64::from(step.usual_gas);
            frame.gas_used = if usual > room { wanted * room / usual } else { wanted };
            frame.gas = (left - left / 64).max(frame.gas_used);
            left = left.saturating_sub(frame.gas_used);
        }
    }
}
