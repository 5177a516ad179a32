//! Queries about accounts: numbers, sequence numbers and keys.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Map, Value, json};

use super::{
    super::{NodeRequest, paging::PageAsked, view::NodeView},
    RestAnswer, RestRefusal,
    bank::read_account,
};
use crate::demo::{
    chain::{AccountKind, ChainAccount},
    ledger::derive::sha256,
};

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    let of_module = |account: &ChainAccount| matches!(account.kind, AccountKind::Module(..));
    match path {
        _ if request.is_post => Err(RestRefusal::not_implemented()),
        ["accounts"] => Ok(PageAsked::read(&request.query)?.cut("accounts", view.state.accounts(), written)),
        ["accounts", address] => Ok(json!({ "account": written(&found(view, address)?) })),
        ["account_info", address] => Ok(json!({ "info": base(&found(view, address)?) })),
        ["module_accounts"] => {
            let accounts = view.state.accounts().into_iter().filter(of_module);
            Ok(json!({ "accounts": accounts.map(|account| written(&account)).collect::<Vec<_>>() }))
        }
        ["bech32"] => Ok(json!({ "bech32_prefix": "init" })),
        _ => Err(RestRefusal::not_implemented()),
    }
}

fn found(view: &NodeView<'_>, text: &str) -> Result<ChainAccount, RestRefusal> {
    let address = read_account(text)?;
    let missing = || RestRefusal::not_found(format!("account {text} not found"));
    view.state.account(&address).ok_or_else(missing)
}

fn base(account: &ChainAccount) -> Value {
    let key = account.key.filter(|_| account.sequence > 0).map(|(kind, bytes)| (kind.type_url(), bytes));
    account_json(&account.address.bech32(), key, account.number, account.sequence)
}

/// Writes a base account; the key is its type URL and its bytes.
pub(in crate::demo::node) fn account_json(
    address: &str,
    key: Option<(&str, [u8; 33])>,
    number: u64,
    sequence: u64,
) -> Value {
    json!({
        "address": address,
        "pub_key": key.map(|(kind, bytes)| json!({ "@type": kind, "key": BASE64_STANDARD.encode(bytes) })),
        "account_number": number.to_string(),
        "sequence": sequence.to_string(),
    })
}

/// Returns an object's fields after its type.
pub(in crate::demo::node) fn typed(kind: &str, object: Value) -> Value {
    let mut fields = Map::from_iter([("@type".to_owned(), kind.into())]);
    if let Value::Object(object) = object {
        fields.extend(object);
    }
    Value::Object(fields)
}

fn written(account: &ChainAccount) -> Value {
    match account.kind {
        AccountKind::Base => typed("/cosmos.auth.v1beta1.BaseAccount", base(account)),
        AccountKind::Module(name, permissions) => json!({
            "@type": "/cosmos.auth.v1beta1.ModuleAccount",
            "base_account": base(account),
            "name": name,
            "permissions": permissions,
        }),
        AccountKind::Contract => json!({
            "@type": "/minievm.evm.v1.ContractAccount",
            "base_account": base(account),
            "code_hash": BASE64_STANDARD.encode(sha256(account.address.bytes())),
        }),
        AccountKind::Object => json!({ "@type": "/initia.move.v1.ObjectAccount", "base_account": base(account) }),
    }
}
