//! Stage of a withdrawal, requested first from the rollup's executor and then from the L1.

use std::{collections::BTreeSet, sync::Arc};

use futures_util::{StreamExt as _, stream};

use crate::{
    client::{BaseUrlError, ClientOptions, ExecutorClient, HostClient},
    domain::{Address, Timestamp},
    msg::{L1Question, ListPage, OpenQuestion, PageRequest, PageStart, SettlementQuestion},
    signing::withdrawal_leaf,
    wire::{
        ApiError, ErrorKind, Tx,
        opinit::{ExecutorWithdrawal, OpenWithdrawals, SettlementAnswers},
    },
};

/// Maximum withdrawals to look up for an account, newest first.
const MOST: usize = 200;
/// Withdrawals in a page of the executor's list.
const PAGE: u16 = 50;
/// Withdrawals that the L1 is asked about at once.
const AT_ONCE: usize = 4;

/// Requests the L1's data on a withdrawal that the executor returned. A failed request leaves its data unknown.
pub async fn settle(withdrawal: ExecutorWithdrawal, l1: Option<&HostClient>) -> SettlementAnswers {
    let mut answers =
        SettlementAnswers { bridge: None, output: None, is_claimed: None, at: Timestamp::now(), withdrawal };
    let Some(l1) = l1 else { return answers };
    let ExecutorWithdrawal { bridge_id, output_index, .. } = answers.withdrawal;
    if let Ok(leaf) = withdrawal_leaf(&answers.withdrawal) {
        answers.is_claimed = l1.is_claimed(bridge_id, &leaf).await.ok();
    }
    if answers.is_claimed != Some(true) {
        let output = async {
            match output_index {
                0 => None,
                index => Some(l1.output(bridge_id, index).await),
            }
        };
        let (bridge, output) = tokio::join!(l1.bridge(bridge_id), output);
        answers.bridge = bridge.ok();
        answers.output = output.and_then(|output| match output {
            Ok(output) => Some(Some(output)),
            Err(error) if error.is_not_found() => Some(None),
            Err(_) => None,
        });
    }
    answers.at = Timestamp::now();
    answers
}

/// Requests the withdrawals to an account that the L1 does not report as paid.
pub async fn open_withdrawals(
    executor: &ExecutorClient,
    l1: Option<&HostClient>,
    account: Address,
    paid: &BTreeSet<[u8; 32]>,
) -> Result<OpenWithdrawals, ApiError> {
    let (mut found, mut seen) = (OpenWithdrawals::default(), 0);
    let mut request = PageRequest { count_total: false, ..PageRequest::newest(PAGE) };
    loop {
        let page = executor.withdrawals(account, &request).await?;
        seen += page.items.len();
        let (own, others): (Vec<_>, Vec<_>) = page.items.into_iter().partition(|one| one.to.parse() == Ok(account));
        found.strangers += others.len();
        let is_open = |one: &Arc<_>| withdrawal_leaf(one).ok().is_none_or(|leaf| !paid.contains(&leaf));
        let asked = own.into_iter().filter(is_open).map(|one| settle(Arc::unwrap_or_clone(one), l1));
        let answers: Vec<SettlementAnswers> = stream::iter(asked).buffered(AT_ONCE).collect().await;
        let (claimed, open): (Vec<_>, Vec<_>) = answers.into_iter().partition(|one| one.is_claimed == Some(true));
        found.paid.extend(claimed.iter().filter_map(|one| withdrawal_leaf(&one.withdrawal).ok()));
        found.open.extend(open);
        let Some(next) = page.next else { return Ok(found) };
        if seen >= MOST {
            return Ok(OpenWithdrawals { is_cut: true, ..found });
        }
        request.cursor = PageStart::Key(next);
    }
}

fn unusable(url: &str, error: &BaseUrlError) -> ApiError {
    ApiError { kind: ErrorKind::Node(error.to_string()), url: url.into(), body: None }
}

pub async fn l1_tx(question: &L1Question, options: &ClientOptions) -> Result<Tx, ApiError> {
    let client = HostClient::new(&question.rest, options.clone());
    client.map_err(|error| unusable(&question.rest, &error))?.tx(&question.tx).await
}

fn executor(url: &str, options: &ClientOptions) -> Result<ExecutorClient, ApiError> {
    ExecutorClient::new(url, options.clone()).map_err(|error| unusable(url, &error))
}

pub(super) async fn withdrawals(
    url: &str,
    account: Address,
    page: &PageRequest,
    options: &ClientOptions,
) -> Result<ListPage<Arc<ExecutorWithdrawal>>, ApiError> {
    executor(url, options)?.withdrawals(account, page).await
}

/// Returns the L1's client. Without the L1, the executor's response still counts.
fn l1(rest: Option<&str>, options: &ClientOptions) -> Option<HostClient> {
    HostClient::new(rest?, options.clone()).ok()
}

/// Requests the unclaimed withdrawals to an account.
pub(super) async fn open(question: &OpenQuestion, options: &ClientOptions) -> Result<OpenWithdrawals, ApiError> {
    let (executor, l1) = (executor(&question.executor, options)?, l1(question.l1_rest.as_deref(), options));
    open_withdrawals(&executor, l1.as_ref(), question.account, &question.paid).await
}

/// Requests the settlement of a withdrawal.
pub async fn answer(question: &SettlementQuestion, options: &ClientOptions) -> Result<SettlementAnswers, ApiError> {
    let (executor, l1) = (executor(&question.executor, options)?, l1(question.l1_rest.as_deref(), options));
    Ok(settle(executor.withdrawal(question.sequence).await?, l1.as_ref()).await)
}
