//! Command `transfer` for one or more transactions: prints each status once, the most urgent first, or follows them.

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
    following::{FollowGroup, FollowedTransfer},
    print::OutputStyle,
    transfer::{self, end, zone_of},
    watch,
};
use crate::{
    domain::{ChainId, ListedTransfer, Timestamp, TransferId, first_listed_transfers, text::clean},
    story::Names as _,
    transfers::{Phase, TransferStatusView, Urgency, phase_word},
    wire::{ApiError, ErrorKind},
};

/// Maximum transfers that are queried concurrently.
const AT_ONCE: usize = 4;
/// Maximum bytes of a list.
const LONGEST: u64 = 1 << 20;
/// Maximum transactions of a list.
const MOST: usize = 1000;

/// Prints the status of the named transfers, or follows them.
pub(super) async fn run(
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let txs = transactions(arguments)?;
    if let [only] = txs.as_slice() {
        return if arguments.watch {
            watch::run(&txs, arguments, router, output).await
        } else {
            transfer::run(only, arguments, router, output).await
        };
    }
    refuse_of_several(arguments, txs.len())?;
    let ids: Vec<TransferId> =
        txs.iter().map(|tx| TransferId { chain_id: tx.chain.clone(), hash: tx.hash.clone() }).collect();
    bundle::prepare(arguments, &ids)?;
    if arguments.watch {
        return watch::run(&txs, arguments, router, output).await;
    }
    look(&txs, arguments, router, output).await
}

/// Rejects options that apply only to a single transfer.
fn refuse_of_several(arguments: &TransferArguments, count: usize) -> Result<(), CommandError> {
    let of_one = [
        (arguments.route.is_some(), "--route", "the plan of one transfer"),
        (arguments.msgs.is_some(), "--msgs", "the signed data of one transfer"),
        (arguments.ics.is_some(), "--ics", "the reminder of one transfer"),
    ];
    match of_one.iter().find(|(is_given, ..)| *is_given) {
        Some((_, name, what)) => {
            Err(CommandError::Usage(format!("{name} is {what}, but you named {count}: use one command per transfer")))
        }
        None => Ok(()),
    }
}

/// Returns the named transactions without duplicates.
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
                return Err(usage("with - as the chain, standard input gives chains and hashes: omit HASH".to_owned()));
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
    read.map_err(|error| CommandError::Usage(format!("cannot read standard input: {error}")))?;
    let listed = first_listed_transfers(&text, MOST + 1);
    if listed.len() > MOST || text.len() as u64 > LONGEST {
        return Err(CommandError::Usage(format!("standard input names more than {MOST} transactions: split it")));
    }
    Ok(listed)
}

struct LookedAt {
    followed: FollowedTransfer,
    view: TransferStatusView,
    /// Error of the router's response; `None` if it succeeded.
    failure: Option<ApiError>,
}

async fn look(
    txs: &[TxArguments],
    arguments: &TransferArguments,
    router: &Router,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let transfers = txs.iter().map(|tx| FollowedTransfer::new(tx, None, router)).collect::<Result<Vec<_>, _>>()?;
    let group = FollowGroup::open(router, transfers, false).await?;
    let ask = async |place| match group.drive(place) {
        Some(mut drive) => drive.look().await,
        None => None,
    };
    let failures: Vec<Option<ApiError>> = stream::iter(0..txs.len()).map(ask).buffered(AT_ONCE).collect().await;
    let now = Timestamp::now();
    let with_view = |(mut followed, failure): (FollowedTransfer, Option<ApiError>)| {
        let failure = failure.filter(|_| !followed.is_known());
        LookedAt { view: followed.review(now), followed, failure }
    };
    let mut all: Vec<LookedAt> = group.into_transfers().into_iter().zip(failures).map(with_view).collect();
    // The sort is stable: equally urgent transfers keep the order of the arguments.
    all.sort_by_key(|one| Urgency::of(&one.view, now));
    write(&all, now, output)?;
    output.flush()?;
    for one in &all {
        bundle::write(arguments, BundlePlace::Folder, &one.followed, router)?;
    }
    worst(all.into_iter().map(|one| verdict(one, router)).collect())
}

const COLUMNS: &[Heading] =
    &[("", Align::Left), ("Chain", Align::Left), ("Transaction", Align::Left), ("Where the funds are", Align::Left)];

const CSV: &[&str] = &["urgency", "phase", "chain_id", "tx_hash", "headline", "source", "expected"];

fn write(all: &[LookedAt], now: Timestamp, output: &mut CommandOutput) -> Result<(), CommandError> {
    match output.format {
        Format::Json => {
            let lines: Vec<String> = all.iter().map(|one| one.followed.follower.line(&one.view, now)).collect();
            output.json(&format!("[{}]", lines.join(",")))?;
            output.line("")?;
        }
        Format::Jsonl => {
            for one in all {
                output.json(&one.followed.follower.line(&one.view, now))?;
                output.line("")?;
            }
        }
        Format::Csv => {
            output.csv(CSV.iter().copied())?;
            for LookedAt { followed, view, .. } in all {
                output.csv([
                    Urgency::of(view, now).to_string(),
                    phase_word(&view.phase).to_owned(),
                    followed.id().chain_id.to_string(),
                    followed.id().hash.to_string(),
                    view.headline.to_string(),
                    view.headline.source.witness.word().to_owned(),
                    view.expected.map(|at| at.to_string()).unwrap_or_default(),
                ])?;
            }
        }
        Format::Table => {
            let zone = zone_of(output);
            let row = |one: &LookedAt| {
                let id = one.followed.id();
                vec![
                    TableCell::new(Urgency::of(&one.view, now).to_string()),
                    TableCell::new(one.followed.names.chain(&id.chain_id)),
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

/// Returns the exit status of the command: the worst status of all transfers.
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
        return Err(CommandError::Abandoned(format!("the router abandoned {abandoned} of {of} transfers")));
    }
    if unstated > 0 {
        return Err(CommandError::Unstated(format!("the router reports no state for {unstated} of {of} transfers")));
    }
    if untracked > 0 {
        let words =
            format!("the router does not know {untracked} of {of} transactions; register each with rollscope track");
        return Err(CommandError::NotFound(words));
    }
    Ok(())
}
