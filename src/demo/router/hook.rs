//! Hook of a deposit: messages that the recipient signs, with which the rollup wraps the arriving asset
//! (`docs/apis/router.md` §2).

use serde_json::json;

use super::{error::RouterError, world::RouterWorld};
use crate::{
    demo::ledger::{
        TokenOrigin,
        abi::{AbiArg, input, number},
    },
    domain::{Address, text::clip},
    wire::router::{HookMessage, OpHook, OpHookRequest},
};

const CALL: &str = "/minievm.evm.v1.MsgCall";
/// Decimals of assets that arrive over the OPinit bridge.
const ARRIVING_DECIMALS: u128 = 6;

impl RouterWorld {
    /// Returns the messages that wrap the arriving asset: an approval, then the conversion of everything. Fails with
    /// 400 for an asset without a wrapper.
    pub fn op_hook(&self, request: &OpHookRequest) -> Result<OpHook, RouterError> {
        self.end(&request.source_asset_chain_id, &request.source_asset_denom)?;
        let dest = self.end(&request.dest_asset_chain_id, &request.dest_asset_denom)?;
        account(&request.source_address, "source_address")?;
        let recipient = account(&request.dest_address, "dest_address")?;
        let rollup = self.rollup_of(&request.dest_asset_chain_id);
        let parts = rollup.zip(dest.wraps.as_ref()).and_then(|(rollup, denom)| {
            let arriving = rollup.tokens.iter().find(|token| token.denom == *denom)?;
            let is_bridged = matches!(arriving.origin, TokenOrigin::Bridged { .. });
            Some((arriving, arriving.contract?, rollup.wrapper?)).filter(|_| is_bridged)
        });
        let Some((arriving, contract, wrapper)) = parts else {
            let chain = self.name(dest.chain());
            return Err(RouterError::invalid(format!(
                "op hook is not required for this route: {} arrives on {chain} unchanged",
                dest.symbol()
            )));
        };
        let approve = input("approve(address,uint256)", &[AbiArg::Word(wrapper.word()), AbiArg::Word([0xff; 32])]);
        let text = arriving.denom.as_str();
        let arguments = [AbiArg::Word(recipient.word()), AbiArg::Text(text), number(ARRIVING_DECIMALS)];
        let convert = input("toLocal(address,string,uint8)", &arguments);
        let hook = vec![call(recipient, contract, &approve), call(recipient, wrapper, &convert)];
        Ok(OpHook { chain_id: dest.chain().clone(), hook })
    }
}

/// Encodes a contract call of the sender as amino JSON.
pub(super) fn call(sender: Address, contract: Address, input: &str) -> HookMessage {
    let msg = json!({
        "sender": sender.bech32(),
        "contract_addr": contract.checksummed(),
        "input": input,
        "value": "0",
    });
    HookMessage { msg_type_url: CALL.into(), msg: msg.to_string().into() }
}

fn account(text: &str, field: &str) -> Result<Address, RouterError> {
    let parsed: Result<Address, _> = text.parse();
    let short = parsed.ok().filter(|address| matches!(address, Address::Short(_)));
    short.ok_or_else(|| {
        RouterError::invalid(format!("{field}: “{}” is not an account address such as init1…", clip(text, 70)))
    })
}

/// Returns the canonical sign bytes of a hook: amino JSON with sorted keys, account number, sequence number, an empty
/// memo, no fee, and gas 1.
pub fn sign_bytes(hook: &OpHook, account_number: u64, sequence: u64) -> Result<Vec<u8>, RouterError> {
    let messages: Result<Vec<_>, _> = hook
        .hook
        .iter()
        .map(|message| {
            let value: serde_json::Value = serde_json::from_str(message.msg.as_received())?;
            Ok(json!({ "type": amino_name(message.msg_type_url.as_received()), "value": sorted(value) }))
        })
        .collect();
    let messages = messages
        .map_err(|_: serde_json::Error| RouterError::invalid("a hook message is not JSON: request /op-hook again"))?;
    let document = json!({
        "account_number": account_number.to_string(),
        "chain_id": hook.chain_id,
        "fee": { "amount": [], "gas": "1" },
        "memo": "",
        "msgs": messages,
        "sequence": sequence.to_string(),
    });
    Ok(document.to_string().into_bytes())
}

/// Converts a type URL to its amino name: `/minievm.evm.v1.MsgCall` to `evm/MsgCall`.
fn amino_name(url: &str) -> String {
    let mut parts = url.trim_start_matches('/').split('.');
    let (module, name) = (parts.nth(1).unwrap_or_default(), url.rsplit('.').next().unwrap_or_default());
    format!("{module}/{name}")
}

/// Sorts the keys of every object.
fn sorted(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Object(map) => {
            let ordered: std::collections::BTreeMap<_, _> =
                map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            Value::Object(ordered.into_iter().collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(sorted).collect()),
        other => other,
    }
}
