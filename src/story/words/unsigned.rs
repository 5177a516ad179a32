//! Unsigned transactions for signing without a browser: files for the chains' command lines, and a list of commands.

use std::{borrow::Cow, fmt::Write as _};

use serde_json::Value;

use super::{
    phrase::{Sentence, Style, text_of},
    signing::{hook_sentences, signing_sentences},
};
use crate::{
    domain::{Amount, ChainId, Coin, Denom, FeeDenom, GasPrice, text::clean},
    signing::{
        AcceptedQuote, EthereumCall, ReadyForm, ReadyTx, SignDocument, SignableMessage, SigningFee, SigningRefusal,
        hook_sequence,
    },
    story::names::chain_names::Names,
    wire::router::{ChainInfo, CosmosMessage, MsgsResponse, OpHook, RouterTx, RouterTxKind},
};

/// Gas per message without a simulation, more than any observed message of a router.
const GAS_PER_MESSAGE: u64 = 500_000;
/// Placeholder for the name of the user's key.
const KEY: &str = "KEY";
/// Placeholders for unknown account data in a sign document.
const ACCOUNT_NUMBER: &str = "ACCOUNT_NUMBER";
const SEQUENCE: &str = "SEQUENCE";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsignedFile {
    /// Name without a directory.
    pub name: String,
    pub contents: String,
}

/// Access of a chain's own command line to its chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainAccess {
    pub program: Option<&'static str>,
    /// Node URL: RPC of a Cosmos chain, JSON-RPC of an EVM chain.
    pub node: Option<String>,
    pub price: Option<GasPrice>,
    /// Account number and sequence of the signer, if requested.
    pub account: Option<(u64, u64)>,
    /// Gas that the chain's simulation of its only transaction used, if it answered.
    pub gas_used: Option<u64>,
    /// Router that the user named, for the commands.
    pub router: Option<String>,
}

/// Why no files are written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsignedError {
    #[error("nothing written, the messages differ from the quote: {0}")]
    Differs(SigningRefusal),
    /// No command line signs this transaction.
    #[error("nothing written: transaction {tx} does not fit into a file: {why}")]
    Form {
        /// Number of the transaction, from 1.
        tx: usize,
        why: String,
    },
}

impl ChainAccess {
    /// Creates the access from the router's list; the user's own node and the known fee denoms take precedence.
    pub fn of(
        chain: &ChainId,
        listed: Option<&ChainInfo>,
        (own_node, fees): (Option<&str>, &[FeeDenom]),
        names: &dyn Names,
    ) -> Self {
        let program = match listed {
            _ if names.is_settlement(chain) => Some("initiad"),
            Some(info) if info.bech32_prefix == "init" => Some("minitiad"),
            _ => None,
        };
        let node = own_node.or_else(|| listed.map(|info| info.rpc.as_str()).filter(|rpc| !rpc.is_empty()));
        let prices = listed
            .map(|info| info.fee_assets.as_slice())
            .unwrap_or_default()
            .iter()
            .filter_map(|asset| GasPrice::new(asset.denom.clone(), &asset.gas_price.as_ref()?.average).ok());
        let price = fees.iter().find_map(|fee| fee.price.clone()).or_else(|| prices.into_iter().next());
        Self { program, node: node.map(str::to_owned), price, account: None, gas_used: None, router: None }
    }

    /// Adapts the access if the signer's address shows that the chain is an Initia rollup.
    fn for_signer(self, signer: &str) -> Self {
        let of_rollup = signer.starts_with("init1").then_some("minitiad");
        Self { program: self.program.or(of_rollup), ..self }
    }

    /// Returns the option for the router that the user named.
    fn router_words(&self) -> String {
        self.router.as_deref().map(|router| format!(" --router {}", shell(router))).unwrap_or_default()
    }

    /// Returns the node's URL for a command, or a placeholder with its explanation.
    fn node_words(&self, text: &mut String, interface: &str) -> String {
        if self.node.is_none() {
            let _infallible = writeln!(
                text,
                "  Replace NODE with the {interface} URL of a node of that chain; rollscope knows none."
            );
        }
        self.node.as_deref().map_or_else(|| "NODE".to_owned(), shell)
    }
}

/// Returns the files for a router's answer: each Cosmos transaction, and `HOWTO.txt` with the commands in order. An
/// answer that contradicts the accepted quote yields no files; an undecodable answer yields files, and the commands say
/// that it is unchecked. `stem` begins each name.
pub fn unsigned_files(
    quote: &AcceptedQuote<'_>,
    answer: &MsgsResponse,
    stem: &str,
    access: impl Fn(&ChainId) -> ChainAccess,
    names: &dyn Names,
) -> Result<Vec<UnsignedFile>, UnsignedError> {
    let compared = match quote.compare(answer) {
        Err(refusal) if !refusal.is_unknown() => return Err(UnsignedError::Differs(refusal)),
        compared => compared,
    };
    let mut files = Vec::new();
    let ready = compared.as_deref().unwrap_or_default();
    let sentences: Vec<Sentence> = ready.iter().flat_map(|tx| signing_sentences(tx, names)).collect();
    let title = "How to sign and send this transfer without a browser";
    let mut howto = opening(title, &sentences, compared.as_ref().err());
    howto.push_str(
        "Replace HASH with the hash that a command prints. Send each transaction after the previous one arrives.\n",
    );
    for (place, tx) in answer.txs.iter().enumerate() {
        let head = HowToHead { number: place + 1, of: answer.txs.len(), name: format!("{stem}tx-{}", place + 1) };
        let fail = |why: String| UnsignedError::Form { tx: head.number, why };
        match &tx.kind {
            RouterTxKind::Cosmos { chain_id, msgs, signer_address, .. } => {
                let access = access(chain_id).for_signer(signer_address.as_received());
                let fee = FileFee::of(msgs.len(), &access);
                let contents = cosmos_file(msgs, &fee).map_err(fail)?;
                files.push(UnsignedFile { name: format!("{}.unsigned.json", head.name), contents });
                head.cosmos(&mut howto, (chain_id, signer_address.as_received()), &access, &fee);
            }
            RouterTxKind::Evm { chain_id, signer_address, .. } => {
                let call = EthereumCall::of_router(&tx.kind).map_err(|error| fail(error.to_string()))?;
                head.evm(&mut howto, (chain_id, signer_address.as_received()), &access(chain_id), &call);
            }
            RouterTxKind::Svm { .. } | RouterTxKind::Other(_) => {
                return Err(fail(format!("the transaction is {}", kind(tx))));
            }
        }
    }
    files.push(UnsignedFile { name: format!("{stem}HOWTO.txt"), contents: howto });
    Ok(files)
}

/// Returns the files of a hook, which is signed but never broadcast: the router gets it with the messages.
pub fn unsigned_hook(
    quote: &AcceptedQuote<'_>,
    hook: &OpHook,
    stem: &str,
    access: impl Fn(&ChainId) -> ChainAccess,
    names: &dyn Names,
) -> Result<Vec<UnsignedFile>, UnsignedError> {
    let recipient = quote.addresses.last().map_or("", String::as_str);
    let (hook, sentences, refusal) = match quote.compare_hook(hook) {
        Ok((exact, effects)) => {
            let sentences = hook_sentences(&exact.chain_id, recipient, &effects, names);
            (Cow::Owned(exact), sentences, None)
        }
        Err(refusal) if refusal.is_unknown() => {
            let exact = quote.hook_effects(hook).map(|(exact, _)| Cow::Owned(exact));
            (exact.unwrap_or(Cow::Borrowed(hook)), Vec::new(), Some(refusal))
        }
        Err(refusal) => return Err(UnsignedError::Differs(refusal)),
    };
    let messages: Vec<CosmosMessage> = hook
        .hook
        .iter()
        .map(|message| CosmosMessage { msg: message.msg.clone(), msg_type_url: message.msg_type_url.clone() })
        .collect();
    let fail = |why: String| UnsignedError::Form { tx: 1, why };
    let contents = cosmos_file(&messages, &FileFee { gas: 1, is_simulated: false, amount: None }).map_err(fail)?;
    let mut text = opening("How to sign the hook of this transfer without a browser", &sentences, refusal.as_ref());
    let starts_there = quote.route.source_asset_chain_id == hook.chain_id;
    let access = access(&hook.chain_id).for_signer(recipient);
    let program = access.program.unwrap_or("CHAIND");
    let (chain, node) = (shell(hook.chain_id.as_str()), access.node_words(&mut text, "RPC"));
    let (unsigned, signed) = (shell(&format!("{stem}hook.unsigned.json")), shell(&format!("{stem}hook.signed.json")));
    let base64 = shell(&format!("{stem}hook.base64"));
    let sequence = if starts_there {
        " Add --offline, --account-number and --sequence; add 2 to the sequence, as the transfer starts there."
    } else {
        ""
    };
    let _infallible = writeln!(
        text,
        "The hook runs on {}, signed by {}; it pays nothing and is never broadcast.{sequence}\n\
         \x20 {program} tx sign {unsigned} --from {KEY} --chain-id {chain} --node {node} --sign-mode amino-json \
         --output-document {signed}\n\
         \x20 {program} tx encode {signed} > {base64}\n\
         Then paste the text of {base64}, or name the file: rollscope msgs … --signed-op-hook {base64}",
        clean(hook.chain_id.as_str()),
        clean(recipient),
    );
    let document = hook_document(&hook, access.account, starts_there);
    if document.is_some() {
        let name = shell(&format!("{stem}hook.signdoc.json"));
        let numbers = match access.account {
            Some((number, sequence)) => format!(
                "The document has account {number} and sequence {}: it becomes invalid when the account signs \
                 anything else on this chain.",
                hook_sequence(sequence, starts_there)
            ),
            None => format!(
                "Replace {ACCOUNT_NUMBER} and {SEQUENCE} with the values of /cosmos/auth/v1beta1/account_info/{} \
                 on the chain{}.",
                clean(recipient),
                if starts_there { ", and add 2 to the sequence" } else { "" }
            ),
        };
        let _infallible = writeln!(
            text,
            "A wallet signs {name} instead, byte for byte and without a final newline: personal_sign of an \
             Ethereum wallet, signAmino of Keplr and similar wallets. {numbers}"
        );
    }
    let document = document.map(|contents| (format!("{stem}hook.signdoc.json"), contents));
    let files = [(format!("{stem}hook.unsigned.json"), contents), (format!("{stem}hook.HOWTO.txt"), text)];
    let files = files.into_iter().chain(document);
    Ok(files.map(|(name, contents)| UnsignedFile { name, contents }).collect())
}

/// Returns the document that a wallet signs for a hook, with placeholders for unknown account data. `None` if a message
/// cannot be encoded exactly.
fn hook_document(hook: &OpHook, account: Option<(u64, u64)>, starts_there: bool) -> Option<String> {
    let (number, sequence) = account.unwrap_or_default();
    let text = SignDocument::of_hook(hook, number, hook_sequence(sequence, starts_there)).ok()?.text();
    if account.is_some() {
        return Some(text);
    }
    let rest = text.strip_prefix("{\"account_number\":\"0\"")?;
    let (rest, _) = rest.rsplit_once("\"sequence\":")?;
    Some(format!("{{\"account_number\":\"{ACCOUNT_NUMBER}\"{rest}\"sequence\":\"{SEQUENCE}\"}}"))
}

/// Returns the files for claiming a proven withdrawal. `stem` begins each name.
pub fn unsigned_claim(claim: &ReadyTx, access: ChainAccess, stem: &str, names: &dyn Names) -> Vec<UnsignedFile> {
    let messages: Vec<String> = match &claim.form {
        ReadyForm::Cosmos(messages) => messages.iter().map(SignableMessage::proto_json).collect(),
        ReadyForm::Ethereum(_) => Vec::new(),
    };
    let access = access.for_signer(&claim.signer);
    let fee = FileFee::of(messages.len(), &access);
    let title = "How to sign and send this claim without a browser";
    let mut howto = opening(title, &signing_sentences(claim, names), None);
    howto.push_str("rollscope checked the proof against the L1 output.\n");
    let head = HowToHead { number: 1, of: 1, name: format!("{stem}claim") };
    head.cosmos(&mut howto, (&claim.chain_id, &claim.signer), &access, &fee);
    let files = [("claim.unsigned.json", tx_file(&messages, &fee)), ("HOWTO.txt", howto)];
    files.map(|(name, contents)| UnsignedFile { name: format!("{stem}{name}"), contents }).into()
}

fn kind(tx: &RouterTx) -> String {
    match &tx.kind {
        RouterTxKind::Other(kind) => format!("of kind {}", kind.quoted(80)),
        _ => "for Solana".to_owned(),
    }
}

/// Returns the story of the transaction, or that it is unknown.
fn opening(title: &str, sentences: &[Sentence], refusal: Option<&SigningRefusal>) -> String {
    let mut text = format!("{title}\n\n");
    match refusal {
        None => {
            text.push_str("Effects of the transaction, decoded from these messages and compared with the quote:\n");
            for sentence in sentences {
                let _infallible = writeln!(text, "  {}", clean(&text_of(&sentence.phrases, Style::Exact)));
            }
        }
        Some(refusal) => {
            let why = refusal.to_string();
            let _infallible = writeln!(text, "NOT CHECKED: {}. Sign only if you know the effects.", clean(&why));
        }
    }
    let _infallible = writeln!(text, "\nReplace {KEY} with the name of your key.");
    text
}

/// Fee in a file, for simulated or assumed gas.
struct FileFee {
    gas: u64,
    is_simulated: bool,
    amount: Option<Coin>,
}

impl FileFee {
    fn of(messages: usize, access: &ChainAccess) -> Self {
        let simulated = access.gas_used.and_then(SigningFee::limit);
        let gas = simulated.unwrap_or_else(|| GAS_PER_MESSAGE.saturating_mul(messages.max(1) as u64));
        let coin = |price: &GasPrice| -> Option<Coin> {
            let amount: Amount = price.cost(gas).filter(|cost| !cost.is_zero())?;
            let denom: Denom = price.denom().clone();
            Some(Coin { denom, amount })
        };
        Self { gas, is_simulated: simulated.is_some(), amount: access.price.as_ref().and_then(coin) }
    }
}

/// Returns a transaction as the chains' command lines read it.
fn cosmos_file(messages: &[CosmosMessage], fee: &FileFee) -> Result<String, String> {
    Ok(tx_file(&messages.iter().map(message_json).collect::<Result<Vec<_>, _>>()?, fee))
}

/// Returns a transaction of JSON messages that include their types.
fn tx_file(messages: &[String], fee: &FileFee) -> String {
    let coin = |coin: &Coin| serde_json::json!({ "denom": coin.denom, "amount": coin.amount.to_string() });
    let amount: Vec<Value> = fee.amount.iter().map(coin).collect();
    let amount = Value::from(amount);
    format!(
        "{{\"body\":{{\"messages\":[{}],\"memo\":\"\",\"timeout_height\":\"0\",\"extension_options\":[],\
         \"non_critical_extension_options\":[]}},\"auth_info\":{{\"signer_infos\":[],\"fee\":{{\"amount\":{amount},\
         \"gas_limit\":\"{}\",\"payer\":\"\",\"granter\":\"\"}}}},\"signatures\":[]}}\n",
        messages.join(","),
        fee.gas,
    )
}

/// Returns a message with its type; a message without an exact encoding stays as received.
fn message_json(message: &CosmosMessage) -> Result<String, String> {
    if let Ok(known) = SignableMessage::of_router(message) {
        return Ok(known.proto_json());
    }
    let fields: serde_json::Map<String, Value> = serde_json::from_str(message.msg.as_received())
        .map_err(|_| format!("a {} is not JSON", message.msg_type_url.clipped(160)))?;
    let mut whole = serde_json::Map::new();
    whole.insert("@type".to_owned(), Value::from(message.msg_type_url.as_received()));
    whole.extend(fields.into_iter().filter(|(name, _)| name != "@type"));
    Ok(Value::Object(whole).to_string())
}

/// Heading of a transaction's part of the commands.
struct HowToHead {
    number: usize,
    of: usize,
    name: String,
}

impl HowToHead {
    fn begin(&self, text: &mut String, (chain, signer): (&ChainId, &str)) {
        let (number, of) = (self.number, self.of);
        let _infallible =
            writeln!(text, "\nTransaction {number} of {of}, on {}, signed by {}", clean(chain.as_str()), clean(signer));
    }

    fn cosmos(&self, text: &mut String, whose: (&ChainId, &str), access: &ChainAccess, fee: &FileFee) {
        self.begin(text, whose);
        let gas = fee.gas;
        let words = match &fee.amount {
            Some(coin) if fee.is_simulated => {
                format!("The file offers {coin} for {gas} gas, 1.4 times what the chain's simulation used.")
            }
            Some(coin) => format!("The file offers {coin} for {gas} gas, an assumed limit without simulation."),
            None => format!(
                "The file offers no fee for {gas} gas, since the gas price is unknown: write one into \
                 auth_info.fee.amount."
            ),
        };
        let program = access.program.unwrap_or("CHAIND");
        if access.program.is_none() {
            text.push_str("  CHAIND is the chain's command line program.\n");
        }
        let chain = shell(whose.0.as_str());
        let node = access.node_words(text, "RPC");
        let (unsigned, signed) =
            (shell(&format!("{}.unsigned.json", self.name)), shell(&format!("{}.signed.json", self.name)));
        let _infallible = writeln!(
            text,
            "  {words}\n\
             \x20 {program} tx sign {unsigned} --from {KEY} --chain-id {chain} --node {node} --output-document {signed}\n\
             \x20 {program} tx broadcast {signed} --node {node}\n\
             \x20 rollscope track {chain} HASH{}",
            access.router_words()
        );
    }

    fn evm(&self, text: &mut String, whose: (&ChainId, &str), access: &ChainAccess, call: &EthereumCall) {
        self.begin(text, whose);
        let node = access.node_words(text, "JSON-RPC");
        for approval in &call.approvals {
            let (token, spender) = (approval.token.checksummed(), approval.spender.checksummed());
            let _infallible = writeln!(
                text,
                "  cast send {token} \"approve(address,uint256)\" {spender} {} --rpc-url {node} --account {KEY}",
                approval.amount
            );
        }
        let data = alloy_primitives::hex::encode_prefixed(&call.data);
        let _infallible = writeln!(
            text,
            "  cast send {} {data} --value {} --rpc-url {node} --account {KEY}\n  rollscope track {} HASH",
            call.to.checksummed(),
            call.value,
            shell(whose.0.as_str()),
        );
    }
}

/// Quotes any text as one shell word.
fn shell(text: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "._:/=@-".contains(sign);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        return text.to_owned();
    }
    // A cleaned word contains no line break.
    format!("'{}'", clean(text).replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_text_stays_one_word_of_the_shell() {
        assert_eq!(shell("https://rpc.example/a?b=c"), "'https://rpc.example/a?b=c'");
        assert_eq!(shell("interwoven-1"), "interwoven-1");
        assert_eq!(shell("x; rm -rf ~ 'y'"), r"'x; rm -rf ~ '\''y'\'''");
        assert_eq!((shell(""), shell("--output")), ("''".to_owned(), "'--output'".to_owned()));
        assert!(!shell("a\nb\u{1b}[2J").contains(['\n', '\u{1b}']));
    }
}
