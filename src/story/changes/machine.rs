//! Choice of the VM whose rules apply to a transaction.

use crate::{
    domain::Vm,
    events::{ChainEvent, bank::BankEvent},
    story::{decode::Decoded, limits::MOST_EVENTS},
};

/// Returns the VM that the events show; if they show several or none, `known`, else the VM of the messages.
pub(super) fn machine(decoded: &Decoded, known: Option<Vm>) -> Option<Vm> {
    let mut shown = None;
    let mut has_coins = false;
    for event in decoded.events.iter().take(MOST_EVENTS) {
        let vm = match ChainEvent::of(event) {
            ChainEvent::Evm(_) => Vm::Evm,
            ChainEvent::Move(_) => Vm::Move,
            ChainEvent::Wasm => Vm::Wasm,
            ChainEvent::Bank(event) => {
                has_coins |= moves_coins(event);
                continue;
            }
            _ => continue,
        };
        if known.is_none_or(|known| known == vm) {
            return Some(vm);
        }
        shown = shown.or(Some(vm));
    }
    // On MiniEVM and Move the bank never moves a coin without an event of the VM.
    let bank = has_coins.then_some(Vm::Wasm);
    shown.or(bank).or(known).or_else(|| decoded.messages.iter().find_map(|message| message.kind.vm()))
}

fn moves_coins(event: BankEvent<'_>) -> bool {
    let is_any = |amount: &str| amount.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    !event.change.is_of_supply() && event.amount.is_some_and(is_any)
}
