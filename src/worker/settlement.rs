//! Asks where an optimistic withdrawal stands: its executor first, then the L1 about what that names.

use crate::{
    client::{ExecutorClient, HostClient},
    domain::Timestamp,
    signing::withdrawal_leaf,
    story::SettlementAnswers,
    wire::{ApiError, opinit::ExecutorWithdrawal},
};

/// Asks for what there is to know about a withdrawal of which the executor spoke. What the L1 does not answer stays open.
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

/// The withdrawal of a transaction among the newest ones to an account of the L1; `None` where it is not among them.
pub async fn withdrawal_of_tx(
    executor: &ExecutorClient,
    to: &str,
    tx_hash: &str,
) -> Result<Option<ExecutorWithdrawal>, ApiError> {
    let page = executor.withdrawals_to(to, None).await?;
    let is_it =
        |one: &ExecutorWithdrawal| one.tx_hash.as_deref().is_some_and(|hash| hash.eq_ignore_ascii_case(tx_hash));
    Ok(page.withdrawals.into_iter().find(is_it))
}
