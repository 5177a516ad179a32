//! Renders the Move VM's part of a block.

mod args;
mod calls;
mod coins;
mod effects;
mod hooks;
mod nft;

use alloy_primitives::hex;

use self::args::MoveArg;
use super::{
    Move,
    catalogue::DATA_REPEATED_SINCE,
    record::{ModulePlace, VmFailure, VmMessage},
};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        record::{PartyId, TokenId, TxRecord},
        render::{Render, RenderView, base64, event_writer::EventWriter},
    },
    derive,
    json::Json,
};

const PUBLISHED: [&str; 5] = ["raffle", "shop", "registry", "vesting", "tickets"];

impl Render for Move {
    fn kind(message: &VmMessage) -> &'static str {
        match message {
            VmMessage::Execute { json: false, .. } => "/initia.move.v1.MsgExecute",
            VmMessage::Execute { json: true, .. } => "/initia.move.v1.MsgExecuteJSON",
            VmMessage::Script { .. } => "/initia.move.v1.MsgScript",
            VmMessage::Publish { .. } => "/initia.move.v1.MsgPublish",
        }
    }

    fn sender(message: &VmMessage) -> PartyId {
        match message {
            VmMessage::Execute { sender, .. }
            | VmMessage::Script { sender, .. }
            | VmMessage::Publish { sender, .. } => *sender,
        }
    }

    fn repeats_data(height: u64) -> bool {
        height >= DATA_REPEATED_SINCE
    }

    fn fields(view: &RenderView<'_>, out: &mut Json, message: &VmMessage) {
        out.field("sender", &view.party(Self::sender(message)).bech32);
        match message {
            VmMessage::Execute { sender, json, call } => {
                let request = calls::request(view, *sender, call);
                out.field("module_address", &request.address).field("module_name", request.module);
                out.field("function_name", request.function);
                calls::type_arguments(out, request.type_argument);
                arguments(out, *json, &request.arguments);
            }
            VmMessage::Script { token, half, to, .. } => {
                out.field("code_bytes", &base64(bytecode("script", 0, 0)));
                calls::type_arguments(out, None);
                let [first, second] = to.map(|to| MoveArg::Address(view.party(to).word()));
                let metadata = MoveArg::Address(view.contract(*token).word());
                arguments(out, false, &[metadata, first, second, calls::number(*half)]);
            }
            VmMessage::Publish { sender, modules, nonce } => {
                out.key("code_bytes").list(|json| {
                    for place in 0..*modules {
                        json.string(&base64(bytecode(&view.party(*sender).hex, *nonce, place)));
                    }
                });
                out.field("upgrade_policy", "COMPATIBLE");
            }
        }
    }

    fn run(view: &RenderView<'_>, events: &mut EventWriter, message: &VmMessage) -> Vec<u8> {
        match message {
            VmMessage::Execute { sender, call, .. } => effects::call(view, events, *sender, call),
            VmMessage::Script { sender, token, half, to } => {
                let owner = view.party(*sender);
                events.emit("script", vec![("sender", short(owner.word()))]);
                for to in to {
                    coins::pass(view, events, *token, [owner, view.party(*to)], *half);
                }
            }
            VmMessage::Publish { sender, modules, nonce } => published(view, events, *sender, *modules, *nonce),
        }
        Vec::new()
    }

    fn failure(view: &RenderView<'_>, _tx: &TxRecord<Self>, failure: VmFailure) -> (u32, &'static str, String) {
        let log = match failure {
            VmFailure::Aborted { at, module, code } => {
                format!("VM aborted: location={}::{module}, code={code}", location(view, at))
            }
            VmFailure::Stopped { at, module, status, message, function: [function, offset] } => format!(
                "VM failure: status {status} of type Execution with message {message}, \
                 location={}::{module}, function={function}, code_offset={offset}",
                location(view, at)
            ),
        };
        (1, "undefined", log)
    }

    fn params(view: &RenderView<'_>, json: &mut Json) {
        json.field("base_denom", view.denom(TokenId(FEE_TOKEN))).field("base_min_gas_price", "0.000000000000000000");
        json.field("contract_shared_revenue_ratio", "0.000000000000000000");
        json.value("script_enabled", "true").value("allowed_publishers", "[]");
    }
}

/// Formats an address as in Move events, `0x…` without leading zeros.
fn short(word: [u8; 32]) -> String {
    format!("0x{}", hex::encode(word).trim_start_matches('0'))
}

/// Formats an address as in failures, 64 digits without `0x`.
fn location(view: &RenderView<'_>, at: ModulePlace) -> String {
    match at {
        ModulePlace::Std => hex::encode(super::world::std_address()),
        ModulePlace::Party(party) => hex::encode(view.party(party).word()),
    }
}

/// Writes the arguments of a function or script, in BCS or as JSON.
fn arguments(out: &mut Json, json: bool, arguments: &[MoveArg]) {
    out.key("args").list(|list| {
        for argument in arguments {
            list.string(&if json { argument.json() } else { base64(argument.bcs()) });
        }
    });
}

/// Returns bytecode. Only its first bytes are realistic.
fn bytecode(label: &str, nonce: u32, place: u8) -> Vec<u8> {
    let mut code = vec![0xa1, 0x1c, 0xeb, 0x0b, 0x06, 0x00, 0x00, 0x00];
    code.extend(derive::filler(label, &[u64::from(nonce), u64::from(place)], 360));
    code
}

fn published(view: &RenderView<'_>, events: &mut EventWriter, sender: PartyId, modules: u8, nonce: u32) {
    let owner = short(view.party(sender).word());
    effects::executed(events, &owner, "0x1", "code", "publish");
    for place in 0..modules {
        let name = PUBLISHED.get((nonce as usize + usize::from(place)) % PUBLISHED.len()).copied().unwrap_or("raffle");
        effects::moved(events, "0x1::code::ModulePublishedEvent".to_owned(), |json| {
            json.field("module_id", &format!("{owner}::{name}")).value("upgrade_policy", 1);
        });
    }
}
