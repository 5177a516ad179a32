//! Stage of a withdrawal, requested first from the rollup's executor and then from the L1.

use std::{collections::BTreeSet, sync::Arc};

use futures_util::{StreamExt as _, stream};

use crate::{
    client::{BaseUrlError, ClientOptions, ExecutorClient, HostClient, Observer},
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
/// Maximum withdrawals with concurrent queries to the L1.
const AT_ONCE: usize = 4;

/// Requests the L1's data on a withdrawal that the executor returned. A failed request leaves its data unknown.
pub async fn settle(withdrawal: ExecutorWithdrawal, l1: Option<&HostClient>) -> SettlementAnswers {
    let claimed = ask_claimed(withdrawal, l1).await;
    ask_output(claimed, l1).await
}

/// Requests whether the L1 has paid a withdrawal.
async fn ask_claimed(withdrawal: ExecutorWithdrawal, l1: Option<&HostClient>) -> SettlementAnswers {
    let is_claimed = match (l1, withdrawal_leaf(&withdrawal)) {
        (Some(l1), Ok(leaf)) => l1.is_claimed(withdrawal.bridge_id, &leaf).await.ok(),
        _ => None,
    };
    SettlementAnswers { bridge: None, output: None, is_claimed, at: Timestamp::now(), withdrawal }
}

/// Adds the bridge, and the output that the executor names.
async fn ask_output(mut answers: SettlementAnswers, l1: Option<&HostClient>) -> SettlementAnswers {
    let Some(l1) = l1 else { return answers };
    let ExecutorWithdrawal { bridge_id, output_index, .. } = answers.withdrawal;
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
        let asked = own.into_iter().filter(is_open).map(async |one| {
            let answers = ask_claimed(Arc::unwrap_or_clone(one), l1).await;
            if answers.is_claimed == Some(true) { answers } else { ask_output(answers, l1).await }
        });
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

pub async fn l1_tx(
    question: &L1Question,
    options: &ClientOptions,
    observer: Option<Arc<dyn Observer>>,
) -> Result<Tx, ApiError> {
    let client = HostClient::new(&question.rest, options.clone());
    client.map_err(|error| unusable(&question.rest, &error))?.observed(observer).tx(&question.tx).await
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
fn l1(rest: Option<&str>, options: &ClientOptions, observer: Option<Arc<dyn Observer>>) -> Option<HostClient> {
    Some(HostClient::new(rest?, options.clone()).ok()?.observed(observer))
}

/// Requests the unclaimed withdrawals to an account.
pub(super) async fn open(
    question: &OpenQuestion,
    options: &ClientOptions,
    observer: Option<Arc<dyn Observer>>,
) -> Result<OpenWithdrawals, ApiError> {
    let (executor, l1) = (executor(&question.executor, options)?, l1(question.l1_rest.as_deref(), options, observer));
    open_withdrawals(&executor, l1.as_ref(), question.account, &question.paid).await
}

/// Requests the settlement of a withdrawal.
pub async fn answer(
    question: &SettlementQuestion,
    options: &ClientOptions,
    observer: Option<Arc<dyn Observer>>,
) -> Result<SettlementAnswers, ApiError> {
    let (executor, l1) = (executor(&question.executor, options)?, l1(question.l1_rest.as_deref(), options, observer));
    Ok(settle(executor.withdrawal(question.sequence).await?, l1.as_ref()).await)
}
