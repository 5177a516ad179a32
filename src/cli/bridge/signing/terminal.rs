use std::{
    io::{self, IsTerminal as _},
    sync::Arc,
};

use super::{
    super::{super::CommandError, Router},
    CommandSigning,
};
use crate::{
    domain::{AcceptedContract, Coin, Timestamp, TransferRecord},
    signing::{BroadcastTx, OfferLine, OfferWords, RecordDraft, SentStage, SigningQuestion},
    store::{Store, StoreScope},
    worker::SigningTerminal,
};

/// Prints the signing request on standard error.
pub(in crate::cli::bridge) fn show(words: &OfferWords) {
    if let Some(note) = &words.note {
        eprintln!("{note}");
    }
    eprintln!("{}", words.title);
    show_lines(&words.lines);
    if let Some(letters) = words.letters() {
        eprintln!("  {:<9} {letters}", "LETTERS");
    }
}

pub(super) fn show_lines(lines: &[OfferLine]) {
    for OfferLine { name, text, .. } in lines {
        eprintln!("  {name:<9} {text}");
    }
}

/// Asks the user for a second confirmation on the terminal; returns false without a terminal. A fee within `accepted`
/// is confirmed already.
pub(in crate::cli::bridge) async fn allow(question: &SigningQuestion, accepted: &[Coin]) -> bool {
    let why = question.why();
    let flag = match question {
        SigningQuestion::Fee { fee, .. } if fee.iter().all(|coin| is_accepted(coin, accepted)) => return true,
        SigningQuestion::Fee { fee, .. } => {
            fee.iter().map(|coin| format!(", or add --accept-fee {coin}")).collect::<Vec<_>>().concat()
        }
        // The command asked before it opened the page.
        SigningQuestion::Doubt { .. } => return true,
        SigningQuestion::Contract { .. } => String::new(),
    };
    if !io::stdin().is_terminal() {
        eprintln!("{why}: confirm at a terminal{flag}");
        return false;
    }
    eprintln!("{why}: type yes to continue");
    let read = || io::stdin().lines().next().and_then(Result::ok).unwrap_or_default();
    tokio::task::spawn_blocking(read).await.is_ok_and(|line| line.trim() == "yes")
}

fn is_accepted(fee: &Coin, accepted: &[Coin]) -> bool {
    accepted.iter().any(|limit| limit.denom.is_same(&fee.denom) && limit.amount >= fee.amount)
}

/// Terminal for a hook, which needs no record because it is not broadcast.
pub(super) struct HookTerminal {
    /// Contracts that the user accepted before.
    accepted: Vec<AcceptedContract>,
}

impl HookTerminal {
    pub(super) fn open(router: &Router) -> Self {
        let stored = stored(router).ok();
        Self { accepted: stored.map(|(store, scope)| accepted_in(&store, &scope)).unwrap_or_default() }
    }
}

impl SigningTerminal for HookTerminal {
    async fn show(&mut self, words: &OfferWords) {
        show(words);
    }

    async fn allow(&mut self, question: &SigningQuestion) -> bool {
        // The command asked before it opened the page.
        matches!(question, SigningQuestion::Doubt { .. })
    }

    async fn accepted(&mut self) -> Vec<AcceptedContract> {
        self.accepted.clone()
    }

    async fn keep(&mut self, sent: &BroadcastTx) -> Result<(), String> {
        Err(format!("{} belongs to no transfer", sent.hash))
    }
}

fn stored(router: &Router) -> Result<(Store, StoreScope), CommandError> {
    let place = router
        .records
        .as_ref()
        .ok_or_else(|| CommandError::Failed("no home folder to save the hash in: set HOME".to_owned()))?;
    let (store, _) = Store::open_or_renew(&place.file, Timestamp::now()).map_err(CommandError::failed)?;
    Ok((store, StoreScope::new(&place.network)))
}

fn accepted_in(store: &Store, scope: &StoreScope) -> Vec<AcceptedContract> {
    store.accepted_contracts(scope).unwrap_or_else(|error| {
        eprintln!("cannot read the contracts that you accepted: {error}");
        Vec::new()
    })
}

/// Returns the stored transfer with this route whose next transaction has this index.
fn begun(
    store: &Store,
    scope: &StoreScope,
    draft: &RecordDraft,
    further: usize,
) -> Result<Option<TransferRecord>, CommandError> {
    let is_it = |record: &TransferRecord| {
        record.route.as_ref() == Some(&draft.route)
            && record.addresses == draft.addresses
            && record.txs.len() == further
            && !record.is_over
    };
    Ok(store.transfers(scope).map_err(CommandError::failed)?.into_iter().find(is_it))
}

/// Signing terminal of commands: prints on standard error, stores records in the state file.
pub(super) struct CommandTerminal {
    store: Store,
    scope: StoreScope,
    accepted_fees: Vec<Coin>,
    pub(super) draft: RecordDraft,
}

impl CommandTerminal {
    pub(super) fn open(router: &Router, order: &CommandSigning<'_>) -> Result<Self, CommandError> {
        let (store, scope) = stored(router)?;
        let (route, addresses) = (Arc::from(order.route.get()), order.quote.addresses.to_vec());
        let mut draft = RecordDraft { route, addresses, kept: None };
        if let Some(further) = order.only.filter(|only| *only > 0) {
            draft.kept = begun(&store, &scope, &draft, further as usize)?;
        }
        Ok(Self { store, scope, accepted_fees: order.accepted_fees.to_vec(), draft })
    }

    fn write(&mut self, sent: &BroadcastTx) -> Result<(), String> {
        let noted = self.draft.note(sent, Timestamp::now());
        self.store.save_noted(&self.scope, &noted.record, noted.parted.as_deref()).map_err(|error| error.to_string())
    }
}

impl SigningTerminal for CommandTerminal {
    async fn show(&mut self, words: &OfferWords) {
        show(words);
    }

    async fn allow(&mut self, question: &SigningQuestion) -> bool {
        allow(question, &self.accepted_fees).await
    }

    async fn accepted(&mut self) -> Vec<AcceptedContract> {
        accepted_in(&self.store, &self.scope)
    }

    async fn accept(&mut self, accepted: AcceptedContract) {
        if let Err(error) = self.store.accept_contract(&self.scope, &accepted) {
            eprintln!("cannot save that you accept contract {}: {error}", accepted.address.checksummed());
        }
    }

    async fn keep(&mut self, sent: &BroadcastTx) -> Result<(), String> {
        let kept = self.write(sent);
        match (&kept, &sent.stage) {
            (Err(why), _) => eprintln!("cannot save {} on {}: {why}", sent.hash, sent.chain_id),
            (Ok(()), SentStage::Signed) => eprintln!("signed {}; broadcasting", sent.hash),
            (Ok(()), SentStage::SentLate) => eprintln!("the wallet sent {} after the timeout", sent.hash),
            (Ok(()), SentStage::Sent | SentStage::Refused { .. }) => {}
        }
        kept
    }
}
