//! `msgs --sign`: a transaction signed by the wallet in the person's browser, kept, sent and watched.

use std::{env, path::PathBuf};

use serde_json::json;
use tokio::sync::mpsc;

use super::{
    super::{CommandError, arguments::TxArguments, output::CommandOutput},
    Router,
    print::print,
    register,
    router_names::RouterNames,
    trust,
};
use crate::{
    domain::{ChainId, Timestamp, TransferRecord, text::clean},
    signing::{AcceptedQuote, GasPrice, ReadyTx, SigningFee},
    store::{Store, StoreScope},
    story::{Style, signing_sentences, text_of, transfer::Names as _},
    wire::{
        RawJson,
        router::{Broadcast, MsgsResponse},
    },
    worker::{
        BroadcastTx, OfferWords, PageEvent, PageTimes, SendingAccess, SentStage, SigningPage, WalletTx, sign_and_send,
    },
};

/// How often the router is asked to watch what was sent.
const TRIES: u32 = 31;

/// Where transfers are kept: the state file, and the name of the network there.
#[derive(Clone, Debug)]
pub(in crate::cli) struct RecordsPlace {
    pub(in crate::cli) file: PathBuf,
    pub(in crate::cli) network: String,
}

/// What is signed, and of which quote.
pub(super) struct SigningOrder<'a> {
    pub(super) quote: AcceptedQuote<'a>,
    /// The whole route as the router gave it.
    pub(super) route: &'a RawJson,
    /// The router's answer.
    pub(super) messages: &'a [u8],
    /// Which of its transactions, from 0.
    pub(super) place: u32,
}

impl SigningOrder<'_> {
    /// Compares, has it signed, sends it, and has it watched. Prints chain and hash.
    pub(super) async fn run(&self, router: &Router, output: &mut CommandOutput) -> Result<(), CommandError> {
        let planned = self.planned(router).await?;
        let mut record = TransferWriter::open(router, self)?;
        let (page, events) = SigningPage::open(PageTimes::default()).await.map_err(CommandError::failed)?;
        announce(&page);
        let told = tokio::spawn(tell(events));
        let names = RouterNames::fetch(router, std::slice::from_ref(&planned.tx.chain_id)).await;
        let mut show = |words: &OfferWords, fee: Option<&SigningFee>| shown(words, fee, &planned.tx.chain_id, &names);
        let mut keep = |sent: &BroadcastTx| record.keep(sent);
        let outcome = sign_and_send(&page, &planned, router.options.clone(), &mut show, &mut keep).await;
        match &outcome {
            Ok(sent) => page.close(&format!("Sent: {}. The terminal follows it.", sent.hash), true).await,
            Err(failure) => page.close(&format!("It ended without success: {failure}."), false).await,
        }
        told.abort();
        let sent = outcome.map_err(CommandError::failed)?;
        let body = json!({"chain_id": sent.chain_id, "tx_hash": sent.hash.as_str()}).to_string();
        print::<Broadcast>(body.as_bytes(), router, output).await?;
        let tx = TxArguments { chain: sent.chain_id.clone(), hash: sent.hash.clone(), tries: TRIES };
        match register::register(router, &tx).await {
            Ok(_) => eprintln!("the router watches it: rollscope transfer {} {} --watch", sent.chain_id, sent.hash),
            Err(error) => eprintln!("it was sent, but the router does not watch it yet: {}", error.brief()),
        }
        Ok(())
    }

    /// The transaction, once every part of the answer is what was accepted.
    async fn planned(&self, router: &Router) -> Result<WalletTx, CommandError> {
        let answer: MsgsResponse = serde_json::from_slice(self.messages).map_err(CommandError::failed)?;
        let differs = |refusal| {
            CommandError::Failed(format!("nothing is signed, since the messages are not those of the quote: {refusal}"))
        };
        let ready = self.quote.compare(&answer).map_err(differs)?;
        let count = ready.len();
        let missing = || CommandError::Usage(format!("--tx {} is not there: the messages are of {count}", self.place));
        let mut tx = ready.into_iter().nth(self.place as usize).ok_or_else(missing)?;
        trust::second_yes(&mut tx)?;
        let mut chains = self.quote.route.chain_ids.clone();
        chains.push(tx.chain_id.clone());
        let names = RouterNames::fetch(router, &chains).await;
        let words = words(&tx, (self.place, count), &names);
        let listed = names.info(&tx.chain_id);
        let access = SendingAccess {
            rest: listed.map(|info| info.rest.clone()).unwrap_or_default(),
            price: listed.and_then(|info| {
                info.fee_assets
                    .iter()
                    .find_map(|asset| GasPrice::new(asset.denom.clone(), &asset.gas_price.as_ref()?.average).ok())
            }),
            takes_personal: listed.is_some_and(|info| info.bech32_prefix == "init"),
        };
        Ok(WalletTx { tx, words, access })
    }
}

/// What it does, for terminal and page alike.
pub(super) fn words(tx: &ReadyTx, (place, count): (u32, usize), names: &RouterNames) -> OfferWords {
    let sentences = signing_sentences(tx, names);
    let text = |sentence: &crate::story::Sentence| clean(&text_of(&sentence.phrases, Style::Exact)).into_owned();
    let is_unknown = tx.contracts.iter().any(crate::signing::ContractUse::is_unknown);
    let does = sentences.iter().map(|sentence| ("Does".to_owned(), text(sentence)));
    let head = [
        ("Chain".to_owned(), names.full_chain(&tx.chain_id)),
        ("Signs".to_owned(), clean(&tx.signer).into_owned()),
        ("Receives".to_owned(), clean(&tx.receiver).into_owned()),
    ];
    let contracts = tx.contracts.iter().map(trust::contract_line);
    let title = format!("Transaction {} of {count}", place + 1);
    OfferWords {
        title: if is_unknown { format!("NOT KNOWN whom it gives funds to: {title}") } else { title },
        lines: head.into_iter().chain(contracts).chain(does).collect(),
        note: is_unknown
            .then(|| "A contract in it is not known: read below which, and go on only if you know it.".to_owned()),
    }
}

/// Shows it on the terminal at the moment at which the page shows it.
pub(super) fn shown(words: &OfferWords, fee: Option<&SigningFee>, chain: &ChainId, names: &RouterNames) -> OfferWords {
    let mut words = words.clone();
    if let Some(fee) = fee {
        let coins = fee.amount.iter().map(|coin| names.amount(chain, &coin.denom, coin.amount));
        let coins: Vec<String> = coins.collect();
        let offered = if coins.is_empty() { "nothing".to_owned() } else { coins.join(", ") };
        words.lines.push(("Fee".to_owned(), format!("{offered} for at most {} gas", fee.gas)));
    }
    eprintln!("{}", words.title);
    for (name, value) in &words.lines {
        eprintln!("  {name:<9} {value}");
    }
    words
}

/// Says where the page is, and opens it where a browser can be started beside this terminal.
pub(super) fn announce(page: &SigningPage) {
    eprintln!("sign in your browser, at this address, which works once: {}", page.address());
    if let Some(connection) = env::var_os("SSH_CONNECTION") {
        let connection = connection.to_string_lossy().into_owned();
        let host = connection.split(' ').nth(2).filter(|host| !host.is_empty()).unwrap_or("HOST");
        let port = page.port();
        eprintln!(
            "this is another machine: first run there, beside the browser: ssh -L {port}:127.0.0.1:{port} {host}"
        );
        return;
    }
    let has_display = cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()));
    if has_display && let Err(error) = open::that_detached(page.address()) {
        eprintln!("no browser can be started here: {error}");
    }
}

/// What the page tells meanwhile.
pub(super) async fn tell(mut events: mpsc::Receiver<PageEvent>) {
    while let Some(event) = events.recv().await {
        match event {
            PageEvent::Opened => eprintln!("the page is open"),
            PageEvent::Connected { wallet, account } => eprintln!("{wallet} signs as {account}"),
            PageEvent::ApprovalSent(hash) => {
                eprintln!("approval sent: {}", alloy_primitives::hex::encode_prefixed(hash));
            }
            PageEvent::LateHash(hash) => {
                let hash = alloy_primitives::hex::encode_prefixed(hash);
                eprintln!("the wallet sent {hash} after its time: follow it with rollscope transfer CHAIN {hash}");
            }
        }
    }
}

/// Writes what is known of the transfer into the state file.
struct TransferWriter {
    store: Store,
    scope: StoreScope,
    route: std::sync::Arc<str>,
    addresses: Vec<String>,
    record: Option<TransferRecord>,
}

impl TransferWriter {
    fn open(router: &Router, order: &SigningOrder<'_>) -> Result<Self, CommandError> {
        let place = router.records.as_ref().ok_or_else(|| {
            CommandError::Failed("there is no home folder to keep the hash in, so nothing is signed".to_owned())
        })?;
        let (store, _) = Store::open_or_renew(&place.file, Timestamp::now()).map_err(CommandError::failed)?;
        Ok(Self {
            store,
            scope: StoreScope::of(&place.network),
            route: order.route.get().into(),
            addresses: order.quote.addresses.to_vec(),
            record: None,
        })
    }

    fn keep(&mut self, sent: &BroadcastTx) -> Result<(), String> {
        let now = Timestamp::now();
        let mut record = self.record.take().unwrap_or_else(|| TransferRecord {
            route: Some(std::sync::Arc::clone(&self.route)),
            addresses: self.addresses.clone(),
            ..TransferRecord::of_hash(sent.chain_id.clone(), &sent.hash, now)
        });
        match &sent.stage {
            SentStage::Signed => {
                eprintln!("signed as {}; it is sent now", sent.hash);
                record.note(now, "signed in the browser's wallet; about to be sent");
            }
            SentStage::Sent => record.note(now, "sent"),
            SentStage::Refused { code, log } => {
                record.note(now, &format!("refused by the node (code {code}): {log}; nothing was spent"));
                record.is_over = true;
            }
        }
        let kept = self.store.save(&self.scope, &record).map_err(|error| error.to_string());
        self.record = Some(record);
        if let Err(why) = &kept {
            eprintln!("{} on {} cannot be kept: {why}", sent.hash, sent.chain_id);
        }
        kept
    }
}
