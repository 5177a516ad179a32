//! Stage of a withdrawal, requested first from the rollup's executor and then from the L1.

use std::sync::Arc;

use crate::{
    client::{BaseUrlError, ClientOptions, ExecutorClient, HostClient},
    domain::{Address, Timestamp},
    msg::{L1Question, ListPage, PageRequest, SettlementQuestion},
    signing::withdrawal_leaf,
    wire::{
        ApiError, ErrorKind, Tx,
        opinit::{ExecutorWithdrawal, SettlementAnswers},
    },
};

/// Requests the L1's data on a withdrawal that the executor returned. A failed request leaves its data unknown.
pub async fn settle(withdrawal: ExecutorWithdrawal, l1: Option<&HostClient>) -> SettlementAnswers {
    let mut answers =
        SettlementAnswers { bridge: None, output: None, is_claimed: None, at: Timestamp::now(), withdrawal };
    let Some(l1) = l1 else { return answers };
    let ExecutorWithdrawal { bridge_id, output_index, .. } = answers.withdrawal;
    let output = async {
        match output_index {
            0 => None,
            index => Some(l1.output(bridge_id, index).await),
        }
    };
    let leaf = withdrawal_leaf(&answers.withdrawal).ok();
    let claimed = async {
        match &leaf {
            Some(leaf) => l1.is_claimed(bridge_id, leaf).await.ok(),
            None => None,
        }
    };
    let (bridge, output, is_claimed) = tokio::join!(l1.bridge(bridge_id), output, claimed);
    answers.bridge = bridge.ok();
    answers.output = output.and_then(|output| match output {
        Ok(output) => Some(Some(output)),
        Err(error) if error.is_not_found() => Some(None),
        Err(_) => None,
    });
    answers.is_claimed = is_claimed;
    answers.at = Timestamp::now();
    answers
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

pub async fn answer(question: &SettlementQuestion, options: &ClientOptions) -> Result<SettlementAnswers, ApiError> {
    let executor = executor(&question.executor, options)?;
    let l1 = question.l1_rest.as_ref().map(|rest| HostClient::new(rest, options.clone()));
    // Without the L1, the executor's response still counts.
    let l1 = l1.and_then(Result::ok);
    Ok(settle(executor.withdrawal(question.sequence).await?, l1.as_ref()).await)
}
