//! Files for the chains' own command lines; existing files are never overwritten.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use super::{super::CommandError, Router, find_sent, router_names::RouterNames, trust::ChosenNetwork};
use crate::{
    client::SendingClient,
    config::display_path,
    domain::{ChainId, Denom, Timestamp},
    signing::{AcceptedQuote, SignDocument, SignableMessage, SigningFee, SigningMode},
    story::{ChainAccess, ReportedUnits, UnsignedFile, unsigned_files, unsigned_hook},
    wire::router::{MsgsResponse, OpHook, RouterTxKind},
};

/// Compares the response with the quote and writes the files to sign; prints their paths on standard error.
pub(super) async fn write(
    folder: &Path,
    quote: &AcceptedQuote<'_>,
    body: &[u8],
    (router, chosen, reported): (&Router, &ChosenNetwork<'_>, &ReportedUnits),
) -> Result<(), CommandError> {
    let answer: MsgsResponse = serde_json::from_slice(body).map_err(CommandError::failed)?;
    let mut chains = quote.route.chain_ids.clone();
    chains.extend(quote.route.required_chain_addresses.iter().cloned());
    let names = RouterNames::fetch(router, &chains).await;
    let listed = |chain: &ChainId, denom: &Denom| names.listed_decimals(chain, denom);
    for tx in quote.compare(&answer).unwrap_or_default() {
        tx.check_decimals(quote.known, listed).map_err(CommandError::failed)?;
    }
    let used = simulated(&answer, &names, (router, chosen)).await;
    let access = |chain: &ChainId| {
        let own = router.node.as_ref().filter(|(known, _)| known == chain).map(|(_, node)| node.as_str());
        let listed = names.info(chain);
        let access = ChainAccess::of(chain, listed, (own, &chosen.trust(chain, listed, false).fees), &names);
        ChainAccess { gas_used: used.get(chain).copied(), router: router.named.clone(), ..access }
    };
    let mut files =
        unsigned_files(quote, &answer, "", access, &reported.before(&names)).map_err(CommandError::failed)?;
    if let Some(contents) = find_sent::made(&answer, Timestamp::now()).map_err(CommandError::failed)? {
        for howto in files.iter_mut().filter(|file| file.name.ends_with("HOWTO.txt")) {
            howto.contents.push_str(
                "\nTo find a transaction without its hash, run rollscope find-sent FOLDER with this folder and the \
                 network of the transaction's chain, or with a node of its EVM chain (--evm-node URL).\n",
            );
        }
        files.push(UnsignedFile { name: find_sent::MADE.to_owned(), contents });
    }
    written(folder, &files)
}

/// Returns the gas that each chain's simulation of its only transaction uses, as far as the chains answer.
async fn simulated(
    answer: &MsgsResponse,
    names: &RouterNames,
    (router, chosen): (&Router, &ChosenNetwork<'_>),
) -> BTreeMap<ChainId, u64> {
    let is_simulated = router.demo().await.is_some();
    let mut used = BTreeMap::new();
    for tx in &answer.txs {
        let RouterTxKind::Cosmos { chain_id, msgs, signer_address, .. } = &tx.kind else { continue };
        if answer.txs.iter().filter(|other| other.chain_id() == Some(chain_id)).count() > 1 {
            continue;
        }
        let listed = names.info(chain_id);
        let rest = chosen.trust(chain_id, listed, is_simulated).rest.or_else(|| listed.map(|info| info.rest.clone()));
        let Some(client) = rest.and_then(|rest| SendingClient::new(&rest, router.options.clone()).ok()) else {
            continue;
        };
        let messages = msgs.iter().map(|message| SignableMessage::of_router(message).ok()).collect::<Option<Vec<_>>>();
        let (Some(messages), Ok(Some(account))) = (messages, client.account(signer_address.as_received()).await) else {
            continue;
        };
        let nothing = SigningFee { amount: Vec::new(), gas: 0 };
        let document = SignDocument::new(chain_id.clone(), account.number, account.sequence, nothing, "", &messages);
        let gas = client.simulate(&document.simulation(SigningMode::Amino, None)).await;
        used.extend(gas.ok().map(|ran| ran.gas_used).filter(|gas| *gas > 0).map(|gas| (chain_id.clone(), gas)));
    }
    used
}

/// Writes a hook with its sign document; requests the recipient's account for the document.
pub(super) async fn write_hook(
    folder: &Path,
    quote: &AcceptedQuote<'_>,
    body: &[u8],
    (router, chosen): (&Router, &ChosenNetwork<'_>),
) -> Result<(), CommandError> {
    let hook: OpHook = serde_json::from_slice(body).map_err(CommandError::failed)?;
    let mut chains = quote.route.chain_ids.clone();
    chains.push(hook.chain_id.clone());
    let names = RouterNames::fetch(router, &chains).await;
    let recipient = quote.addresses.last().map_or("", String::as_str);
    let listed = names.info(&hook.chain_id);
    let trusted = chosen.trust(&hook.chain_id, listed, router.demo().await.is_some()).rest;
    let rest = trusted.or_else(|| listed.map(|info| info.rest.clone())).filter(|rest| !rest.is_empty());
    let client = rest.and_then(|rest| SendingClient::new(&rest, router.options.clone()).ok());
    let account = match &client {
        Some(client) => client.account(recipient).await.ok().flatten(),
        None => None,
    };
    let account = account.map(|account| (account.number, account.sequence));
    let access = |chain: &ChainId| {
        let own = router.node.as_ref().filter(|(known, _)| known == chain).map(|(_, node)| node.as_str());
        // A hook has no fee.
        ChainAccess { account, ..ChainAccess::of(chain, names.info(chain), (own, &[]), &names) }
    };
    let files = unsigned_hook(quote, &hook, "", access, &names).map_err(CommandError::failed)?;
    written(folder, &files)
}

/// Writes the files and prints their paths.
fn written(folder: &Path, files: &[UnsignedFile]) -> Result<(), CommandError> {
    let written = write_all(folder, files)
        .map_err(|(path, error)| CommandError::Failed(format!("cannot write {}: {error}", display_path(&path))))?;
    for path in written {
        eprintln!("wrote {}", display_path(&path));
    }
    Ok(())
}

/// Writes all files or no file; never overwrites a file.
pub(super) fn write_all(folder: &Path, files: &[UnsignedFile]) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let at_folder = |error| (folder.to_owned(), error);
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(at_folder)?;
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(&file.name)).collect();
    if let Some(taken) = paths.iter().find(|path| path.symlink_metadata().is_ok()) {
        return Err((taken.clone(), io::Error::new(io::ErrorKind::AlreadyExists, "the file already exists")));
    }
    for (path, file) in paths.iter().zip(files) {
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        let written = opened.and_then(|mut opened| opened.write_all(file.contents.as_bytes()));
        written.map_err(|error| (path.clone(), error))?;
    }
    Ok(paths)
}
