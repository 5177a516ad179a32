//! Lines of transactions to sign: nested JSON as a tree, approvals first, calls by function name.

use serde_json::{Map, Value};

use super::line::{Line, SendLine};
use crate::{
    app::directory::Directory,
    config::Meaning,
    domain::{Amount, ChainId, Denom, MsgType, text},
    story::{Names, signature},
    widgets::document::json::{JsonStep, link_of, push_value},
    wire::router::{CosmosMessage, Erc20Approval, OpHook, RouterTx, RouterTxKind},
};

/// Maximum nesting of JSON texts within JSON.
const DEEP: usize = 6;
/// Maximum messages that the page shows of a transaction.
const MOST: usize = 64;
/// Maximum characters of call data that a line shows.
const DATA: usize = 4096;

/// Returns the lines of a hook's messages, folded once signed. The first line of each message has an identity.
pub(super) fn hook_lines(hook: &OpHook, names: &Directory, is_folded: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    let chain = Names::chain(names, &hook.chain_id);
    for (place, message) in hook.hook.iter().enumerate().take(MOST) {
        let mut message_lines =
            message_lines(1, message.msg_type_url.as_received(), message.msg.as_received(), &format!(" on {chain}"));
        if let Some(head) = message_lines.first_mut() {
            head.name = Some(SendLine::HookMessage(place));
            head.starts_folded = is_folded;
        }
        lines.extend(message_lines);
    }
    if hook.hook.is_empty() {
        lines.push(Line::at(1).with(Meaning::Warning, "! the router sent no transaction to sign"));
    }
    lines
}

/// Returns the lines of a transaction to sign. The first line has an identity.
pub(super) fn tx_lines(tx: &RouterTx, place: usize, names: &Directory, is_folded: bool) -> Vec<Line> {
    let head = |chain: &ChainId, signer: &str| {
        Line::at(1)
            .named(SendLine::Tx(place))
            .with(Meaning::Heading, format!("tx {}", place + 1))
            .with(Meaning::Muted, " on ")
            .with(Meaning::Text, Names::chain(names, chain))
            .with(Meaning::Muted, format!(" signed by {}", text::clip(signer, 80)))
    };
    match &tx.kind {
        RouterTxKind::Cosmos { chain_id, msgs, signer_address, .. } => {
            let mut lines = vec![head(chain_id, signer_address.as_received())];
            for CosmosMessage { msg, msg_type_url } in msgs.iter().take(MOST) {
                let mut message = message_lines(2, msg_type_url.as_received(), msg.as_received(), "");
                if let Some(head) = message.first_mut() {
                    head.starts_folded = is_folded;
                }
                lines.extend(message);
            }
            lines
        }
        RouterTxKind::Evm { chain_id, to, value, data, approvals, signer_address } => {
            let mut lines = vec![head(chain_id, signer_address.as_received())];
            lines.extend(approvals.iter().take(MOST).map(|approval| approval_line(approval, chain_id, names)));
            lines.extend(call_lines(to.as_received(), value.as_received(), data.as_received()));
            lines
        }
        RouterTxKind::Svm { chain_id, tx, signer_address } => {
            let field = Line::at(2).with(Meaning::Key, "transaction  ").with(Meaning::Text, tx.clipped(DATA));
            vec![head(chain_id, signer_address.as_received()), field.copying(tx.as_received())]
        }
        RouterTxKind::Other(kind) => {
            let mut lines = vec![
                Line::at(1)
                    .named(SendLine::Tx(place))
                    .with(Meaning::Heading, format!("tx {}", place + 1))
                    .with(Meaning::Warning, format!(" of an unknown type: {}", kind.clipped(40))),
            ];
            if let Ok(value) = serde_json::from_str::<Value>(tx.raw.get()) {
                push_value(&mut lines, 2, None, &value, false);
            }
            lines
        }
    }
}

/// Returns a message with its fields as a tree.
fn message_lines(depth: u16, kind: &str, json: &str, place: &str) -> Vec<Line> {
    let kind = MsgType::new(kind.strip_prefix('/').unwrap_or(kind));
    let value = serde_json::from_str::<Value>(json);
    let call = value.as_ref().ok().and_then(|value| value.get("input")).and_then(Value::as_str).and_then(called);
    let head = Line::at(depth)
        .with(Meaning::Kind, text::clip(kind.short(), 60))
        .with(Meaning::Muted, call.map(|call| format!(" · {call}")).unwrap_or_default())
        .with(Meaning::Muted, place)
        .copying(json);
    let mut lines = vec![head];
    match value {
        Ok(Value::Object(fields)) => {
            let fields = match unfold(Value::Object(fields), DEEP) {
                Value::Object(fields) => fields,
                _ => Map::new(),
            };
            for (name, value) in &fields {
                push_value(&mut lines, depth + 1, Some(JsonStep::Field(name.as_str().into())), value, false);
            }
        }
        Ok(value) => push_value(&mut lines, depth + 1, None, &value, false),
        // Base64 of a protobuf, or unknown data: the line shows it as received.
        Err(_) => lines.push(Line::at(depth + 1).with(Meaning::Text, text::clip(json, DATA)).copying(json)),
    }
    lines
}

/// Replaces JSON texts by their values; a label marks each as text.
fn unfold(value: Value, depth: usize) -> Value {
    if depth == 0 {
        return value;
    }
    match value {
        Value::Object(fields) => {
            let unfolded = fields.into_iter().map(|(name, value)| match inner_json(&value) {
                Some(inner) => (format!("{name} (JSON in text)"), unfold(inner, depth - 1)),
                None => (name, unfold(value, depth)),
            });
            Value::Object(unfolded.collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(|item| unfold(item, depth)).collect()),
        scalar => scalar,
    }
}

fn inner_json(value: &Value) -> Option<Value> {
    let text = value.as_str()?.trim();
    let inner = serde_json::from_str::<Value>(text).ok().filter(|_| text.starts_with(['{', '[']))?;
    (inner.is_object() || inner.is_array()).then_some(inner)
}

/// Returns the function that call data calls: `approve(address,uint256)`, or its bare selector.
fn called(data: &str) -> Option<String> {
    let selector = data.strip_prefix("0x").unwrap_or(data).get(..8)?;
    Some(signature(selector).map_or_else(|| format!("0x{}", text::clip(selector, 8)), str::to_owned))
}

fn call_lines(to: &str, value: &str, data: &str) -> Vec<Line> {
    let field = |name: &str| Line::at(2).with(Meaning::Key, format!("{name:<12} "));
    let wei = value.parse::<Amount>().unwrap_or_default();
    let value = match (wei.is_zero(), value) {
        (true, "" | "0") => "nothing".to_owned(),
        (true, odd) => text::clip(odd, 90),
        (false, _) => format!("{} ({} wei)", wei.display(18), wei.display(0)),
    };
    let called = called(data).unwrap_or_else(|| "no data: value only".to_owned());
    let hex = format!("0x{}", data.strip_prefix("0x").unwrap_or(data));
    vec![
        field("to").with(Meaning::Link, text::clip(to, 80)).copying(to).leading_to(link_of(to)),
        field("calls").with(Meaning::Kind, called),
        field("value").with(Meaning::Number, value).copying(wei.to_string()),
        field("data").with(Meaning::Text, text::clip(&hex, DATA)).copying(hex),
    ]
}

fn approval_line(approval: &Erc20Approval, chain: &ChainId, names: &Directory) -> Line {
    let assets = names.assets.get(chain).and_then(|assets| assets.value());
    let listed = assets.and_then(|assets| {
        assets.iter().find(|asset| {
            let contract = approval.token_contract.as_received();
            asset.token_contract.as_received().eq_ignore_ascii_case(contract)
                || asset.denom.as_str().eq_ignore_ascii_case(contract)
        })
    });
    let denom = listed.map_or_else(|| Denom::new(approval.token_contract.as_received()), |asset| asset.denom.clone());
    let amount = match approval.amount.as_received().parse::<Amount>() {
        Ok(amount) => names.amount(chain, &denom, amount),
        Err(_) => approval.amount.clipped(90),
    };
    Line::at(2)
        .with(Meaning::Warning, "approve first ")
        .with(Meaning::Number, amount)
        .with(Meaning::Muted, " of ")
        .with(Meaning::Text, approval.token_contract.clipped(64))
        .with(Meaning::Muted, " for ")
        .with(Meaning::Text, approval.spender.clipped(64))
        .copying(serde_json::to_string(approval).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_text_is_unfolded_and_said_to_be_text() {
        let value = serde_json::json!({"memo": r#"{"forward":{"next":"{\"a\":1}"}}"#, "n": "12", "timeout": "x"});
        let unfolded = unfold(value, DEEP);
        assert_eq!(unfolded["memo (JSON in text)"]["forward"]["next (JSON in text)"]["a"], 1);
        assert_eq!((unfolded["n"].as_str(), unfolded["timeout"].as_str()), (Some("12"), Some("x")));
        let mut nested = "1".to_owned();
        for _ in 0..12 {
            nested = serde_json::json!({"x": nested}).to_string();
        }
        let _bounded: Value = unfold(serde_json::json!({ "memo": nested }), DEEP);
    }

    #[test]
    fn exact_numbers_stay_exact() {
        let lines = message_lines(
            0,
            "/ibc.applications.transfer.v1.MsgTransfer",
            r#"{"timeout_timestamp":1763720400000000000123}"#,
            "",
        );
        assert_eq!(lines[1].copy.as_deref(), Some("1763720400000000000123"));
    }
}
