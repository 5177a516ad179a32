//! A transfer to be signed without a browser: files for the chains' own command lines, and the commands in order.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Sentence, Style, hook_sentences, signing_sentences, text_of, transfer::Names};
use crate::{
    domain::{Amount, ChainId, Coin, Denom, text::clean},
    signing::{
        AcceptedQuote, EthereumCall, GasPrice, ReadyForm, ReadyTx, SignDocument, SignableMessage, SigningRefusal,
        hook_sequence,
    },
    wire::router::{ChainInfo, CosmosMessage, MsgsResponse, OpHook, RouterTx, RouterTxKind},
};

/// Gas for each message, since nothing is simulated here: more than any message of a router was seen to use.
const GAS_PER_MESSAGE: u64 = 500_000;
/// What stands for the name of the person's key.
const KEY: &str = "KEY";
/// What stands for what is not known of the account in a sign document.
const ACCOUNT_NUMBER: &str = "ACCOUNT_NUMBER";
const SEQUENCE: &str = "SEQUENCE";

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsignedFile {
    /// Without a folder.
    pub name: String,
    /// What it holds.
    pub contents: String,
}

/// How a chain is reached by its own command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainAccess {
    /// The name of that program.
    pub program: Option<&'static str>,
    /// A node of the chain: the RPC of a Cosmos chain, the JSON-RPC of an EVM chain.
    pub node: Option<String>,
    /// What gas costs there.
    pub price: Option<GasPrice>,
    /// Number and sequence of the signer's account there, where it was asked for.
    pub account: Option<(u64, u64)>,
}

/// Why no files are made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsignedError {
    /// The router's messages are not what was accepted.
    #[error("nothing was written, since the messages are not those of the quote: {0}")]
    Differs(SigningRefusal),
    /// A transaction that no command line signs.
    #[error("nothing was written: transaction {tx} cannot be put into a file: {why}")]
    Form {
        /// Which, from 1.
        tx: usize,
        /// Why.
        why: String,
    },
}

impl ChainAccess {
    /// What a router's list says of a chain. A node that the person chose comes before that of the list.
    pub fn of(chain: &ChainId, listed: Option<&ChainInfo>, own_node: Option<&str>, names: &dyn Names) -> Self {
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
        Self { program, node: node.map(str::to_owned), price: prices.into_iter().next(), account: None }
    }

    /// The same, where the form of the signer's address tells that the chain is one of Initia's rollups.
    fn for_signer(self, signer: &str) -> Self {
        let of_rollup = signer.starts_with("init1").then_some("minitiad");
        Self { program: self.program.or(of_rollup), ..self }
    }

    /// The node's address for a command; where none is known a name that is explained.
    fn node_words(&self, text: &mut String, interface: &str) -> String {
        if self.node.is_none() {
            let _infallible =
                writeln!(text, "  NODE is the {interface} address of a node of that chain; none is known here.");
        }
        self.node.as_deref().map_or_else(|| "NODE".to_owned(), shell)
    }
}

/// The files for a router's answer: each Cosmos transaction, and `HOWTO.txt` with the commands in order. The answer is
/// compared with the accepted quote first: what differs makes no file; what only cannot be decoded is written, and the
/// commands say that nobody here checked it. `stem` begins each name.
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
        "Put the hash that a command prints in the place of HASH. Send each transaction when the one before it has \
         arrived.\n",
    );
    for (place, tx) in answer.txs.iter().enumerate() {
        let head = HowToHead { number: place + 1, of: answer.txs.len(), name: format!("{stem}tx-{}", place + 1) };
        let fail = |why: String| UnsignedError::Form { tx: head.number, why };
        match &tx.kind {
            RouterTxKind::Cosmos { chain_id, msgs, signer_address, .. } => {
                let access = access(chain_id).for_signer(signer_address);
                let fee = AssumedFee::of(msgs.len(), access.price.as_ref());
                let contents = cosmos_file(msgs, &fee).map_err(fail)?;
                files.push(UnsignedFile { name: format!("{}.unsigned.json", head.name), contents });
                head.cosmos(&mut howto, (chain_id, signer_address), &access, &fee);
            }
            RouterTxKind::Evm { chain_id, signer_address, .. } => {
                let call = EthereumCall::of_router(&tx.kind).map_err(|error| fail(error.to_string()))?;
                head.evm(&mut howto, (chain_id, signer_address), &access(chain_id), &call);
            }
            RouterTxKind::Svm { .. } | RouterTxKind::Other(_) => return Err(fail(format!("it is {}", kind(tx)))),
        }
    }
    files.push(UnsignedFile { name: format!("{stem}HOWTO.txt"), contents: howto });
    Ok(files)
}

/// The same of a hook, which is signed and never sent by itself: the router is given it with the messages.
pub fn unsigned_hook(
    quote: &AcceptedQuote<'_>,
    hook: &OpHook,
    stem: &str,
    access: impl Fn(&ChainId) -> ChainAccess,
    names: &dyn Names,
) -> Result<Vec<UnsignedFile>, UnsignedError> {
    let recipient = quote.addresses.last().map_or("", String::as_str);
    let (sentences, refusal) = match quote.compare_hook(hook) {
        Ok((_, effects)) => (hook_sentences(&hook.chain_id, recipient, &effects, names), None),
        Err(refusal) if refusal.is_unknown() => (Vec::new(), Some(refusal)),
        Err(refusal) => return Err(UnsignedError::Differs(refusal)),
    };
    let messages: Vec<CosmosMessage> = hook
        .hook
        .iter()
        .map(|message| CosmosMessage { msg: message.msg.clone(), msg_type_url: message.msg_type_url.clone() })
        .collect();
    let fail = |why: String| UnsignedError::Form { tx: 1, why };
    let contents = cosmos_file(&messages, &AssumedFee { gas: 1, amount: None }).map_err(fail)?;
    let mut text = opening("How to sign the hook of this transfer without a browser", &sentences, refusal.as_ref());
    let starts_there = quote.route.source_asset_chain_id == hook.chain_id;
    let access = access(&hook.chain_id).for_signer(recipient);
    let program = access.program.unwrap_or("CHAIND");
    let (chain, node) = (shell(hook.chain_id.as_str()), access.node_words(&mut text, "RPC"));
    let (unsigned, signed) = (shell(&format!("{stem}hook.unsigned.json")), shell(&format!("{stem}hook.signed.json")));
    let base64 = shell(&format!("{stem}hook.base64"));
    let sequence = if starts_there {
        " Add --offline --account-number and --sequence with two more than the account has: the transfer starts there."
    } else {
        ""
    };
    let _infallible = writeln!(
        text,
        "The hook runs on {}, signed by {}; it pays nothing and is never broadcast.{sequence}\n\
         \x20 {program} tx sign {unsigned} --from {KEY} --chain-id {chain} --node {node} --sign-mode amino-json \
         --output-document {signed}\n\
         \x20 {program} tx encode {signed} > {base64}\n\
         Then paste what {base64} holds, or name it: rollscope msgs … --signed-op-hook {base64}",
        clean(hook.chain_id.as_str()),
        clean(recipient),
    );
    let document = hook_document(hook, access.account, starts_there);
    if document.is_some() {
        let name = shell(&format!("{stem}hook.signdoc.json"));
        let numbers = match access.account {
            Some((number, sequence)) => format!(
                "It is made for account {number} and sequence {}: it goes stale when the account signs anything else \
                 there.",
                hook_sequence(sequence, starts_there)
            ),
            None => format!(
                "Put in {ACCOUNT_NUMBER} and {SEQUENCE} what /cosmos/auth/v1beta1/account_info/{} of the chain says{}.",
                clean(recipient),
                if starts_there { ", and two more for the sequence" } else { "" }
            ),
        };
        let _infallible = writeln!(
            text,
            "A wallet signs {name} instead, to the byte and without a line's end: personal_sign of an Ethereum wallet, \
             signAmino of Keplr and its kin. {numbers}"
        );
    }
    let document = document.map(|contents| (format!("{stem}hook.signdoc.json"), contents));
    let files = [(format!("{stem}hook.unsigned.json"), contents), (format!("{stem}hook.HOWTO.txt"), text)];
    let files = files.into_iter().chain(document);
    Ok(files.map(|(name, contents)| UnsignedFile { name, contents }).collect())
}

/// The document that a wallet signs for a hook; with words in the place of what is not known of the account. `None` of a
/// message that cannot be written here byte for byte.
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

/// The same of a claim of what was withdrawn, which is proven already. `stem` begins each name.
pub fn unsigned_claim(claim: &ReadyTx, access: ChainAccess, stem: &str, names: &dyn Names) -> Vec<UnsignedFile> {
    let messages: Vec<String> = match &claim.form {
        ReadyForm::Cosmos(messages) => messages.iter().map(SignableMessage::proto_json).collect(),
        ReadyForm::Ethereum(_) => Vec::new(),
    };
    let access = access.for_signer(&claim.signer);
    let fee = AssumedFee::of(messages.len(), access.price.as_ref());
    let title = "How to sign and send this claim without a browser";
    let mut howto = opening(title, &signing_sentences(claim, names), None);
    howto.push_str("The proof in it was held against the output that the L1 has.\n");
    let head = HowToHead { number: 1, of: 1, name: format!("{stem}claim") };
    head.cosmos(&mut howto, (&claim.chain_id, &claim.signer), &access, &fee);
    let files = [("claim.unsigned.json", tx_file(&messages, &fee)), ("HOWTO.txt", howto)];
    files.map(|(name, contents)| UnsignedFile { name: format!("{stem}{name}"), contents }).into()
}

fn kind(tx: &RouterTx) -> String {
    match &tx.kind {
        RouterTxKind::Other(kind) => format!("of the kind “{}”", clean(kind)),
        _ => "for Solana".to_owned(),
    }
}

/// What is done, in the words of the story; or that nobody knows.
fn opening(title: &str, sentences: &[Sentence], refusal: Option<&SigningRefusal>) -> String {
    let mut text = format!("{title}\n\n");
    match refusal {
        None => {
            text.push_str("What it does, decoded from these very messages and compared with the quote:\n");
            for sentence in sentences {
                let _infallible = writeln!(text, "  {}", clean(&text_of(&sentence.phrases, Style::Exact)));
            }
        }
        Some(refusal) => {
            let why = refusal.to_string();
            let _infallible = writeln!(text, "NOT CHECKED: {}. Sign it only if you know what it does.", clean(&why));
        }
    }
    let _infallible = writeln!(text, "\nPut the name of your key in the place of {KEY}.");
    text
}

/// The fee that is written into a file, of gas that is assumed.
struct AssumedFee {
    gas: u64,
    amount: Option<Coin>,
}

impl AssumedFee {
    fn of(messages: usize, price: Option<&GasPrice>) -> Self {
        let gas = GAS_PER_MESSAGE.saturating_mul(messages.max(1) as u64);
        let coin = |price: &GasPrice| -> Option<Coin> {
            let amount: Amount = price.cost(gas).filter(|cost| !cost.is_zero())?;
            let denom: Denom = price.denom().clone();
            Some(Coin { denom, amount })
        };
        Self { gas, amount: price.and_then(coin) }
    }
}

/// A transaction as the chains' own command lines read it.
fn cosmos_file(messages: &[CosmosMessage], fee: &AssumedFee) -> Result<String, String> {
    Ok(tx_file(&messages.iter().map(message_json).collect::<Result<Vec<_>, _>>()?, fee))
}

/// The same of messages that are JSON with their types.
fn tx_file(messages: &[String], fee: &AssumedFee) -> String {
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

/// A message with its type; one that cannot be written here byte for byte stays as the router gave it.
fn message_json(message: &CosmosMessage) -> Result<String, String> {
    if let Ok(known) = SignableMessage::of_router(message) {
        return Ok(known.proto_json());
    }
    let fields: serde_json::Map<String, Value> =
        serde_json::from_str(&message.msg).map_err(|_| format!("a {} is no JSON", clean(&message.msg_type_url)))?;
    let mut whole = serde_json::Map::new();
    whole.insert("@type".to_owned(), Value::from(message.msg_type_url.as_str()));
    whole.extend(fields.into_iter().filter(|(name, _)| name != "@type"));
    Ok(Value::Object(whole).to_string())
}

/// What each transaction's part of the commands begins with.
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

    fn cosmos(&self, text: &mut String, whose: (&ChainId, &str), access: &ChainAccess, fee: &AssumedFee) {
        self.begin(text, whose);
        let gas = fee.gas;
        let words = match &fee.amount {
            Some(coin) => format!("The file offers {coin} for {gas} gas, which is assumed and not simulated."),
            None => format!(
                "The file offers no fee for {gas} gas, since nobody says what gas costs there: write one into \
                 auth_info.fee.amount."
            ),
        };
        let program = access.program.unwrap_or("CHAIND");
        if access.program.is_none() {
            text.push_str("  CHAIND is the chain's own command line.\n");
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
             \x20 rollscope track {chain} HASH"
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

/// A text as one word of a shell, whoever wrote it.
fn shell(text: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "._:/=@-".contains(sign);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        return text.to_owned();
    }
    // No line can end within a word that was cleaned.
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
