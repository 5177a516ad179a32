//! Which machine's rules a transaction is read by.

use crate::{
    domain::Vm,
    story::{Decoded, DecodedEvent, MOST_EVENTS},
};

/// The machine that the events show, the one that is known among several; where they show none the known one, else the
/// one whose messages these are.
pub(super) fn machine(decoded: &Decoded, known: Option<Vm>) -> Option<Vm> {
    let mut shown = None;
    let mut has_coins = false;
    for event in decoded.events.iter().take(MOST_EVENTS) {
        let vm = match event.kind.as_str() {
            "evm" => Vm::Evm,
            "move" => Vm::Move,
            "wasm" => Vm::Wasm,
            "coin_spent" | "coin_received" => {
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
    // The banks of MiniEVM and of Move never move a coin without an event of their machine.
    let bank = has_coins.then_some(Vm::Wasm);
    shown.or(bank).or(known).or_else(|| decoded.messages.iter().find_map(|message| by_type(message.kind.as_str())))
}

fn moves_coins(event: &DecodedEvent) -> bool {
    event.value("amount").is_some_and(|amount| amount.bytes().any(|byte| (b'1'..=b'9').contains(&byte)))
}

fn by_type(kind: &str) -> Option<Vm> {
    [("minievm.", Vm::Evm), ("initia.move.", Vm::Move), ("cosmwasm.", Vm::Wasm), ("miniwasm.", Vm::Wasm)]
        .into_iter()
        .find_map(|(prefix, vm)| kind.starts_with(prefix).then_some(vm))
}
