//! Unclaimed withdrawals of the user's accounts, from the executor and the L1. They need no hash.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use crate::{
    config::Meaning,
    domain::{Address, Timestamp, text},
    msg::Remote,
    story::WithdrawalStage,
    wire::{
        ApiError,
        opinit::{OpenWithdrawals, SettlementAnswers},
    },
};

/// Interval between lookups while a screen shows the withdrawals.
pub(super) const PACE: Duration = Duration::from_secs(60);

/// Withdrawal that the L1 does not report as paid.
#[derive(Clone, Debug)]
pub(crate) struct OpenClaim {
    pub(crate) answers: SettlementAnswers,
    pub(crate) stage: WithdrawalStage,
}

#[derive(Debug, Default)]
pub(super) struct AccountClaims {
    pub(super) claims: Remote<Vec<OpenClaim>>,
    /// Merkle leaves that the L1 reported as paid, which is final.
    pub(super) paid: BTreeSet<[u8; 32]>,
    pub(super) asked: Option<Timestamp>,
}

/// Unclaimed withdrawals of the user's accounts.
#[derive(Debug, Default)]
pub(crate) struct OpenClaims {
    pub(super) by_account: BTreeMap<Address, AccountClaims>,
    /// Whether only the router names the L1's REST.
    pub(super) is_l1_of_router: bool,
}

/// Summary of the unclaimed withdrawals.
#[derive(Debug)]
pub(crate) struct ClaimsSummary {
    /// Number of withdrawals that are claimable now.
    ready: usize,
    /// Time until the next withdrawal is claimable.
    left: Option<String>,
    failed: Option<FailedLookups>,
    source: String,
}

/// Accounts whose withdrawals could not be looked up the last time.
#[derive(Debug)]
struct FailedLookups {
    accounts: usize,
    /// Number of all accounts.
    of: usize,
    /// Why the first lookup failed.
    why: String,
}

impl FailedLookups {
    /// Formats the accounts, as in `2 of 3 accounts not looked up`.
    fn brief(&self) -> String {
        let of = if self.accounts < self.of { format!(" of {}", self.of) } else { String::new() };
        let accounts = if self.of == 1 { "account" } else { "accounts" };
        format!("{}{of} {accounts} not looked up", self.accounts)
    }
}

impl ClaimsSummary {
    pub(crate) fn words(&self) -> (Meaning, String) {
        let Self { ready, left, failed, source } = self;
        let doubt = failed.as_ref().map_or_else(String::new, |failed| format!("; {}: {}", failed.brief(), failed.why));
        match (ready, left, failed) {
            (1.., ..) => (Meaning::Warning, format!("{} to claim, {source}{doubt}", text::count(*ready, "withdrawal"))),
            (0, None, Some(failed)) if failed.accounts == failed.of => {
                (Meaning::Muted, format!("withdrawals not looked up: {}", failed.why))
            }
            (0, None, _) => (Meaning::Muted, format!("no withdrawal claimable, {source}{doubt}")),
            (0, Some(left), _) => (Meaning::Muted, format!("next withdrawal claimable in {left}, {source}{doubt}")),
        }
    }

    /// Returns short forms beside the key that shows the withdrawals, the longest first.
    pub(crate) fn short(&self, key: &str) -> Vec<String> {
        if self.ready == 0 {
            return vec![self.words().1];
        }
        let doubt = self.failed.as_ref().map_or_else(String::new, |failed| format!(", {}", failed.brief()));
        let ready = format!("{} to claim{doubt}", self.ready);
        vec![format!("{ready} · {key} · {}", self.source), format!("{ready} · {key}"), ready]
    }
}

impl OpenClaims {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &OpenClaim> {
        self.by_account.values().flat_map(|of| of.claims.value().into_iter().flatten())
    }

    /// Returns the number of withdrawals to this account that are claimable now.
    pub(crate) fn ready_of(&self, account: Address, now: Timestamp) -> usize {
        let claims = self.by_account.get(&account).and_then(|of| of.claims.value());
        claims.into_iter().flatten().filter(|claim| claim.stage.is_ready(now)).count()
    }

    /// Summarises the claimable withdrawals, or the next claimable one; `None` if no open withdrawal is known.
    pub(crate) fn summary(&self, now: Timestamp) -> Option<ClaimsSummary> {
        let ready = self.iter().filter(|claim| claim.stage.is_ready(now)).count();
        let next = self.iter().filter_map(|claim| claim.stage.claimable()).filter(|at| *at > now).min();
        let mut errors = self.by_account.values().filter_map(|of| of.claims.error());
        let failed = errors.next().map(ApiError::brief).map(|why| FailedLookups {
            accounts: 1 + errors.count(),
            of: self.by_account.len(),
            why,
        });
        let oldest = self.by_account.values().filter_map(|of| of.claims.at()).min();
        let by = if self.is_l1_of_router { "executor and the router's L1" } else { "executor and L1" };
        let age = oldest.map(|at| text::age(now.since(at))).unwrap_or_default();
        let source = format!("per {by} {age} ago");
        let is_known = ready > 0 || next.is_some() || failed.is_some();
        let left = next.map(|at| text::span(at.since(now).as_secs()));
        is_known.then_some(ClaimsSummary { ready, left, failed, source })
    }

    pub(super) fn next(&self) -> Option<Timestamp> {
        self.by_account.values().filter_map(|of| of.asked).map(|at| at.after(PACE)).min()
    }

    pub(super) fn settle(&mut self, account: Address, result: Result<Arc<OpenWithdrawals>, ApiError>, now: Timestamp) {
        let of = self.by_account.entry(account).or_default();
        let claims = result.map(|found| {
            of.paid.extend(&found.paid);
            let claim = |answers: SettlementAnswers| OpenClaim { stage: WithdrawalStage::of(&answers), answers };
            Arc::unwrap_or_clone(found).open.into_iter().map(claim).collect()
        });
        of.claims.settle(claims, now);
    }
}
