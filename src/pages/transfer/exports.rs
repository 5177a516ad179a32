//! Files of a transfer: reminder, unsigned transactions, record, and a bundle of all facts for a support ticket.

use std::sync::Arc;

use super::claim;
use crate::{
    app::{
        Context,
        page::Export,
        transfers::{
            WatchedTransfer,
            record::{exported, file_name},
        },
    },
    transfers::{BundleFacts, claim_reminder, is_about},
    wire::Exchange,
};

/// Start of the paths of the routing API.
const ROUTER_PATH: &str = "/v2/";

pub(super) fn of(transfer: &WatchedTransfer, cx: &Context) -> Vec<Export> {
    let (record, view) = (&transfer.follower.record, &transfer.follower.view);
    let name = file_name(&record.id);
    let route = transfer.follower.route().map(AsRef::as_ref);
    let reminder = claim_reminder(record, view, route, &cx.directory, cx.now).ok();
    let reminder = reminder.map(|contents| Export::new(format!("claim-{name}.ics"), contents));
    let kept = Export::record(format!("transfer-{name}.json"), &exported(record));
    reminder.into_iter().chain(claim::unsigned(transfer, cx)).chain([bundle(transfer, cx), kept]).collect()
}

/// Exports all facts about a transfer, with this session's exchanges about it.
fn bundle(transfer: &WatchedTransfer, cx: &Context) -> Export {
    let follower = &transfer.follower;
    let (record, findings, view) = (&follower.record, follower.findings(), &follower.view);
    let facts = BundleFacts { record, findings, view, now: cx.now };
    let statuses = record.txs.iter().filter_map(|tx| tx.status.as_ref()).map(|(body, at)| (&**body, *at));
    // Router and indexer may be one server.
    let router = cx.network.router.as_deref();
    let is_of_router = move |url: &str| {
        router.and_then(|base| url.strip_prefix(base)).is_some_and(|path| path.starts_with(ROUTER_PATH))
    };
    let about = |of_router| {
        let is_its =
            move |exchange: &&Arc<Exchange>| is_of_router(&exchange.url) == of_router && is_about(exchange, &record.id);
        cx.exchanges.iter().rev().filter(is_its)
    };
    let bundle = facts.bundle(statuses, None, about(true), about(false));
    Export::record(format!("bundle-{}.json", file_name(&record.id)), &bundle)
}
