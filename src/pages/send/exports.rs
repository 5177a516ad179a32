//! Copies and exports of messages and hook, for signing elsewhere.

use serde_json::{Value, json};

use super::{SendPage, line::SendLine};
use crate::{
    app::{Context, page::Export, prompt::CopyChoice},
    domain::ChainId,
    wire::router::{CosmosMessage, RouterTx, RouterTxKind},
};

/// Maximum characters of a chain id in a file name.
const ID: usize = 24;

impl SendPage {
    /// Returns the exported files: unsigned transactions for the chains' command lines, and the router's answer. An
    /// unsigned hook takes the place of the transactions. An answer that contradicts the accepted quote is exported
    /// alone, with a warning.
    pub(super) fn files(&self, cx: &Context) -> Vec<Export> {
        let ends = format!(
            "{}-{}",
            file_part(&self.route.value.source_asset_chain_id),
            file_part(&self.route.value.dest_asset_chain_id)
        );
        let is_at_hook = matches!(
            self.selected_line(),
            Some(SendLine::Hook | SendLine::HookMessage(_) | SendLine::SignHook | SendLine::PasteHook)
        );
        let (answer, hook) = (self.messages.answer(), self.hook.payload().value());
        let is_hook = hook.is_some() && (is_at_hook || answer.is_none());
        let mut file = match (answer, hook) {
            (Some(answer), _) if !is_hook => Export::new(format!("msgs-{ends}.json"), answer.raw.get().to_owned()),
            (_, Some(hook)) => Export::new(format!("op-hook-{ends}.json"), hook.raw.get().to_owned()),
            _ => return Vec::new(),
        };
        // The time in the name keeps later messages in another file.
        let at = if is_hook { self.hook.payload().at() } else { self.messages.at() };
        let stem = format!("{ends}-{}-", at.map_or(0, crate::domain::Timestamp::as_seconds));
        let mut files = self.unsigned(is_hook, &stem, cx).unwrap_or_else(|why| {
            file.note = Some(why);
            Vec::new()
        });
        files.push(file);
        files
    }

    /// Whether [`Self::files`] returns any file.
    pub(super) fn has_file(&self) -> bool {
        self.messages.answer().is_some() || self.hook.payload().value().is_some()
    }

    /// Returns the transaction under the cursor, else the next to sign.
    fn tx_at_cursor(&self) -> Option<&RouterTx> {
        let place = if let Some(&SendLine::Tx(place)) = self.selected_line() { place } else { self.tx() };
        self.messages.txs().get(place)
    }

    /// Returns the copyable values, the line's value first.
    pub(super) fn choices(&self, router: Option<&str>) -> Vec<CopyChoice> {
        let mut choices = Vec::new();
        let mut add = |choice| choices.push(choice);
        if let Some(answer) = self.messages.answer() {
            add(CopyChoice::document('j', "messages as JSON", answer.raw.get().to_owned()));
        }
        if let Some(tx) = self.tx_at_cursor() {
            add(CopyChoice::document('s', "transaction content to sign", sign_part(tx)));
        }
        if let (Some(request), Some(router)) = (self.messages.request(), router) {
            let body = serde_json::to_string(&**request).unwrap_or_default();
            let url = format!("{router}/v2/fungible/msgs");
            add(CopyChoice::value('c', "curl command of the messages", posting(&url, &body)));
        }
        if let Some(payload) = self.hook.payload().value() {
            add(CopyChoice::document('h', "hook as the router sent it, as JSON", payload.raw.get().to_owned()));
        }
        if let Some(signed) = self.hook.signed() {
            add(CopyChoice::value('o', "signed hook", serde_json::to_string(signed).unwrap_or_default()));
        }
        add(CopyChoice::value('w', "link to a web bridge", self.web_link()));
        add(CopyChoice::document('r', "route as JSON", self.route.raw.get().to_owned()));
        choices
    }
}

/// Returns a shell command that posts this JSON.
fn posting(url: &str, json: &str) -> String {
    let json = json.replace('\'', "'\\''");
    format!("{} -H 'content-type: application/json' --data '{json}'", crate::wire::curl(url))
}

/// Makes a chain ID safe for a file name.
fn file_part(chain: &ChainId) -> String {
    let is_fit = |character: &char| character.is_ascii_alphanumeric() || *character == '-';
    let part: String = chain.as_str().chars().filter(is_fit).take(ID).collect();
    if part.is_empty() { "chain".to_owned() } else { part }
}

/// Returns the part of a sign document that the router sent: Cosmos messages with their types, or the EVM transaction.
fn sign_part(tx: &RouterTx) -> String {
    let value = match &tx.kind {
        RouterTxKind::Cosmos { chain_id, msgs, .. } => {
            let messages = msgs.iter().map(|CosmosMessage { msg, msg_type_url }| {
                let value = serde_json::from_str::<Value>(msg.as_received())
                    .unwrap_or_else(|_| Value::String(msg.as_received().to_owned()));
                json!({ "type_url": msg_type_url, "value": value })
            });
            json!({ "chain_id": chain_id.as_str(), "msgs": messages.collect::<Vec<_>>() })
        }
        RouterTxKind::Evm { chain_id, to, value, data, .. } => {
            let value = if value.is_empty() { "0" } else { value.as_received() };
            let data = format!("0x{}", data.as_received().strip_prefix("0x").unwrap_or(data.as_received()));
            json!({ "chainId": chain_id.as_str(), "to": to, "value": value, "data": data })
        }
        RouterTxKind::Svm { tx, .. } => Value::String(tx.as_received().to_owned()),
        RouterTxKind::Other(_) => return tx.raw.get().to_owned(),
    };
    serde_json::to_string_pretty(&value).unwrap_or_default()
}
