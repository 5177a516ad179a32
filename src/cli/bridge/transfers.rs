//! `transfer` of one transaction; or of many, looked at once, of which those come first that need somebody, or followed.

use std::io::Read as _;

use futures_util::{StreamExt as _, stream};

use super::{
    super::{
        CommandError, TransferArguments,
        arguments::{Format, HashArgument, TxArguments},
        output::CommandOutput,
        table::{Align, Heading, TableCell},
    },
    Router,
    bundle::{self, BundlePlace},
    print::OutputStyle,
    register::request,
    router_names::RouterNames,
    source_check::SourceCheck,
    transfer::{self, FollowedTransfer, end, line, zone_of},
    watch,
};
use crate::{
    domain::{ChainId, ListedTransfer, Timestamp, TransferId, first_listed_transfers, text::clean},
    story::transfer::{Names as _, Phase, TransferStatusView, Urgency, phase_word},
    wire::{ApiError, ErrorKind},
};

/// Transfers asked about at once.
const AT_ONCE: usize = 4;
/// Bytes of a list at the most.
const LONGEST: u64 = 1 << 20;
/// Transactions of a list at the most.
const MOST: usize = 1000;

/// Looks at what the command names, or follows it to its end.
pub(super) async fn run(
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let txs = transactions(arguments)?;
    if let [only] = txs.as_slice() {
        return if arguments.watch {
            watch::run(only, arguments, router, output).await
        } else {
            transfer::run(only, arguments, router, output).await
        };
    }
    refuse_of_several(arguments, txs.len())?;
    let ids: Vec<TransferId> =
        txs.iter().map(|tx| TransferId { chain_id: tx.chain.clone(), hash: tx.hash.clone() }).collect();
    bundle::prepare(arguments, &ids)?;
    if arguments.watch {
        return watch::run_all(&txs, arguments, router, output).await;
    }
    look(&txs, arguments, router, output).await
}

/// What makes sense of one transfer only.
fn refuse_of_several(arguments: &TransferArguments, count: usize) -> Result<(), CommandError> {
    let of_one = [
        (arguments.route.is_some(), "--route", "the plan of one transfer"),
        (arguments.msgs.is_some(), "--msgs", "what was signed for one transfer"),
        (arguments.ics.is_some(), "--ics", "the reminder of one transfer"),
    ];
    match of_one.iter().find(|(is_given, ..)| *is_given) {
        Some((_, name, what)) => {
            Err(CommandError::Usage(format!("{name} is {what}, and {count} are named: give each a command of its own")))
        }
        None => Ok(()),
    }
}

/// The transactions that are named, each once.
fn transactions(arguments: &TransferArguments) -> Result<Vec<TxArguments>, CommandError> {
    let usage = |words: String| CommandError::Usage(words);
    let has_no_chain = arguments.chain.as_str() == "-";
    let mut listed: Vec<ListedTransfer> = Vec::new();
    for hash in &arguments.hashes {
        match hash {
            HashArgument::Hash(hash) if !has_no_chain => {
                listed.push(ListedTransfer { hash: hash.clone(), chain: None });
            }
            HashArgument::Hash(_) => {
                return Err(usage("with - for the chain the list names hashes and chains".to_owned()));
            }
            HashArgument::StandardInput => listed.extend(read_list()?),
        }
    }
    if has_no_chain && arguments.hashes.is_empty() {
        listed = read_list()?;
    }
    let mut txs: Vec<TxArguments> = Vec::new();
    for ListedTransfer { hash, chain } in listed {
        let chain = match chain {
            Some(chain) => ChainId::new(chain),
            None if has_no_chain => return Err(usage(format!("{hash} has no chain: write CHAIN HASH in each line"))),
            None => arguments.chain.clone(),
        };
        let hash = hash.for_chain(&chain);
        if !txs.iter().any(|known| known.chain == chain && known.hash == hash) {
            txs.push(TxArguments { chain, hash, tries: arguments.tries });
        }
    }
    if txs.is_empty() {
        return Err(usage("standard input has no transaction hash".to_owned()));
    }
    Ok(txs)
}

fn read_list() -> Result<Vec<ListedTransfer>, CommandError> {
    let mut text = String::new();
    let read = std::io::stdin().take(LONGEST + 1).read_to_string(&mut text);
    read.map_err(|error| CommandError::Usage(format!("standard input cannot be read: {error}")))?;
    let listed = first_listed_transfers(&text, MOST + 1);
    if listed.len() > MOST || text.len() as u64 > LONGEST {
        return Err(CommandError::Usage(format!(
            "standard input names more than {MOST} transactions: give it in parts"
        )));
    }
    Ok(listed)
}

/// One of many transfers, as it stands.
struct LookedAt {
    follow: FollowedTransfer,
    view: TransferStatusView,
    /// Why the router could not be asked about it.
    failure: Option<ApiError>,
}

async fn look(
    txs: &[TxArguments],
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let answers = stream::iter(txs).map(|tx| ask(tx, router)).buffered(AT_ONCE);
    let answers: Vec<Result<(FollowedTransfer, Option<ApiError>), CommandError>> = answers.collect().await;
    let followed = answers.into_iter().collect::<Result<Vec<_>, _>>()?;
    let chains: Vec<ChainId> = followed.iter().flat_map(|(follow, _)| follow.chains()).collect();
    let names = RouterNames::fetch(router, &chains).await;
    let now = Timestamp::now();
    let with_view = |(follow, failure): (FollowedTransfer, Option<ApiError>)| {
        let view = follow.status_view(&names, now);
        LookedAt { follow, view, failure }
    };
    let mut all: Vec<LookedAt> = followed.into_iter().map(with_view).collect();
    // The sort is stable: among equals they stand as they were named.
    all.sort_by_key(|one| Urgency::of(&one.view, now));
    write(&all, &names, now, output)?;
    output.flush()?;
    for one in &all {
        bundle::write(arguments, BundlePlace::Folder, &one.follow, &names, router)?;
    }
    worst(all.into_iter().map(|one| verdict(one, router)).collect())
}

/// Asks the index of the chain where it starts, and the router.
async fn ask(tx: &TxArguments, router: &Router) -> Result<(FollowedTransfer, Option<ApiError>), CommandError> {
    let mut follow = FollowedTransfer::new(tx, None)?;
    SourceCheck::new(router.indexer.clone()).ask_once(&mut follow).await;
    match router.client.status(&request(tx)).await {
        Ok(status) => {
            follow.take(&status, Timestamp::now());
            Ok((follow, None))
        }
        Err(error) => {
            follow.miss(&error, Timestamp::now());
            let is_known = follow.is_indexed();
            Ok((follow, Some(error).filter(|_| !is_known)))
        }
    }
}

const COLUMNS: &[Heading] =
    &[("", Align::Left), ("Chain", Align::Left), ("Transaction", Align::Left), ("Where the funds are", Align::Left)];

const CSV: &[&str] = &["urgency", "phase", "chain_id", "tx_hash", "headline", "source", "expected"];

fn write(
    all: &[LookedAt],
    names: &RouterNames,
    now: Timestamp,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    match output.format {
        Format::Json => {
            let lines: Vec<String> = all.iter().map(|one| line(&one.follow, &one.view, now)).collect();
            output.json(&format!("[{}]", lines.join(",")))?;
            output.line("")?;
        }
        Format::Jsonl => {
            for one in all {
                output.json(&line(&one.follow, &one.view, now))?;
                output.line("")?;
            }
        }
        Format::Csv => {
            output.csv(CSV.iter().copied())?;
            for LookedAt { follow, view, .. } in all {
                output.csv([
                    Urgency::of(view, now).to_string(),
                    phase_word(&view.phase).to_owned(),
                    follow.id().chain_id.to_string(),
                    follow.id().hash.to_string(),
                    view.headline.to_string(),
                    view.headline.source.witness.word().to_owned(),
                    view.expected.map(|at| at.to_string()).unwrap_or_default(),
                ])?;
            }
        }
        Format::Table => {
            let zone = zone_of(output);
            let row = |one: &LookedAt| {
                let id = one.follow.id();
                vec![
                    TableCell::new(Urgency::of(&one.view, now).to_string()),
                    TableCell::new(names.chain(&id.chain_id)),
                    TableCell::new(id.hash.to_string()),
                    TableCell::new(clean(&one.view.headline.first_line_in(&zone, now))),
                ]
            };
            let rows: Vec<Vec<TableCell>> = all.iter().map(row).collect();
            output.text(&OutputStyle::of(output).rows(COLUMNS, &rows))?;
        }
    }
    Ok(())
}

/// What a script is told of one of them.
fn verdict(one: LookedAt, router: &Router) -> Result<(), CommandError> {
    end(&one.view)?;
    match one.failure {
        Some(error) if matches!(error.kind, ErrorKind::Untracked(_)) => match one.view.phase {
            Phase::NotKnown => Err(CommandError::NotFound(error.to_string())),
            _ => Ok(()),
        },
        Some(error) => Err(router.failure(error)),
        None => Ok(()),
    }
}

/// What a script is told of all of them: the worst.
pub(super) fn worst(ends: Vec<Result<(), CommandError>>) -> Result<(), CommandError> {
    let of = ends.len();
    let errors: Vec<CommandError> = ends.into_iter().filter_map(Result::err).collect();
    let count = |is_it: fn(&CommandError) -> bool| errors.iter().filter(|error| is_it(error)).count();
    let failed = count(|error| matches!(error, CommandError::TransferFailed(_)));
    let abandoned = count(|error| matches!(error, CommandError::Abandoned(_)));
    let unstated = count(|error| matches!(error, CommandError::Unstated(_)));
    let untracked = count(|error| matches!(error, CommandError::NotFound(_)));
    if failed > 0 {
        return Err(CommandError::TransferFailed(format!("{failed} of {of} transfers ended in failure")));
    }
    if failed + abandoned + unstated + untracked < errors.len() {
        let is_other = |error: &CommandError| {
            !matches!(error, CommandError::Abandoned(_) | CommandError::Unstated(_) | CommandError::NotFound(_))
        };
        return errors.into_iter().find(is_other).map_or(Ok(()), Err);
    }
    if abandoned > 0 {
        return Err(CommandError::Abandoned(format!("the router gave up {abandoned} of {of} transfers")));
    }
    if unstated > 0 {
        return Err(CommandError::Unstated(format!("the router does not say how {unstated} of {of} transfers stand")));
    }
    if untracked > 0 {
        let words =
            format!("the router does not know {untracked} of {of} transactions; rollscope track has one watched");
        return Err(CommandError::NotFound(words));
    }
    Ok(())
}
