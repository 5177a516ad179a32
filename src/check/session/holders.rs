//! Comparison of holders with the bank at the rich list's height.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt as _, stream};
use serde::Deserialize;
use serde_json::Value;

use super::{CheckSession, RECORDS_AT_ONCE, listing};
use crate::{
    check::{CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference},
    client::{HoldersQuery, NodeError},
    domain::{Address, Amount, Denom, Height},
    msg::PageRequest,
    wire::{ApiError, WireCoin, node::BalancesAnswer},
};

/// Maximum number of denoms, and of holders per denom, largest first.
const DENOMS: usize = 50;
const HOLDERS: u16 = 100;

/// Denoms per page of an account's balances.
const BALANCES: usize = 1_000;

struct RichList {
    denom: Denom,
    rows: Vec<(String, Option<Address>, String)>,
    is_whole: bool,
    total: Option<u64>,
}

type BankHoldings = BTreeMap<Address, BTreeMap<Denom, Amount>>;

#[derive(Deserialize)]
struct SupplyAnswer {
    #[serde(default)]
    supply: Vec<WireCoin>,
}

impl CheckSession {
    /// Compares the largest holders of each denom, and the balances of these accounts.
    pub(super) async fn check_holders(&self, touched: &BTreeSet<Address>) -> Findings {
        let mut findings = Findings::default();
        if let Err(cause) = self.compare_holders(touched, &mut findings).await {
            findings.not_asked(CheckedPart::Holders, CheckedRecord::Chain, cause);
        }
        findings
    }

    async fn compare_holders(&self, touched: &BTreeSet<Address>, findings: &mut Findings) -> Result<(), String> {
        let of_indexer = |error| format!("the indexer: {error}");
        let status = self.indexer.status().await.map_err(of_indexer)?;
        let Some(height) = status.rich_list_height.and_then(Height::new) else { return Ok(()) };
        let path = format!("/cosmos/bank/v1beta1/supply?pagination.limit={DENOMS}");
        let supply: SupplyAnswer = self.node.rest(&path, None).await.map_err(|error| format!("the node: {error}"))?;
        let held = supply.supply.iter().filter(|coin| !coin.amount.is_zero());
        let denoms: Vec<Denom> = held.map(|coin| Denom::new(&*coin.denom)).collect();
        let asked = stream::iter(&denoms).map(|denom| self.rich_list(denom)).buffered(RECORDS_AT_ONCE);
        let asked: Vec<Result<RichList, ApiError>> = asked.collect().await;
        let mut lists = Vec::new();
        for (list, denom) in asked.into_iter().zip(denoms) {
            match list {
                Ok(list) => lists.push(list),
                // The bank counts a supply, so somebody holds it.
                Err(error) if error.is_not_found() => {
                    let difference = SideDifference::Missing { node: denom.as_str().into() };
                    findings.differs(CheckedPart::Holders, CheckedRecord::RichList(denom), difference);
                }
                Err(error) => {
                    let cause = format!("the indexer: {error}");
                    findings.not_asked(CheckedPart::Holders, CheckedRecord::RichList(denom), cause);
                }
            }
        }
        let listed = lists.iter().flat_map(|list| &list.rows).filter_map(|(_, account, _)| *account);
        let accounts: BTreeSet<Address> = listed.chain(touched.iter().copied()).collect();
        let then = self.holdings(&accounts, Some(height)).await?;
        let modules = self.modules().await?;
        for list in &lists {
            self.compare_list(list, &then, &modules, findings).await?;
        }
        Ok(())
    }

    async fn rich_list(&self, denom: &Denom) -> Result<RichList, ApiError> {
        let query = HoldersQuery(denom.clone());
        let page = PageRequest::newest(HOLDERS);
        let (page, body) = self.indexer.list_and_body(&query, &page).await?;
        let (rows, next) = listing::taken(page);
        let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let rows = rows.iter().map(|row| {
            let account = text(row, "account");
            let address = account.parse().ok();
            (account, address, text(row, "amount"))
        });
        let rows: Vec<_> = rows.collect();
        let total = body.as_deref().and_then(listing::total_of);
        Ok(RichList {
            denom: denom.clone(),
            is_whole: next.is_none() && rows.len() < usize::from(HOLDERS),
            rows,
            total,
        })
    }

    async fn compare_list(
        &self,
        list: &RichList,
        then: &BankHoldings,
        modules: &BTreeSet<Address>,
        findings: &mut Findings,
    ) -> Result<(), String> {
        let denom = &list.denom;
        let record = |account: &str| CheckedRecord::Holder { denom: denom.clone(), account: account.to_owned() };
        let held = |holdings: &BankHoldings, account: &Address| {
            holdings.get(account).and_then(|coins| coins.get(denom)).copied().unwrap_or_default()
        };
        findings.compared(CheckedPart::Holders, list.rows.len());
        if list.is_whole
            && let Some(total) = list.total
        {
            findings.compared(CheckedPart::Totals, 1);
            if total != list.rows.len() as u64 {
                let difference = SideDifference::Total { node: list.rows.len() as u64, indexer: total };
                findings.differs(CheckedPart::Totals, CheckedRecord::RichList(denom.clone()), difference);
            }
        }
        let mut seen = BTreeSet::new();
        let mut amounts: Vec<Amount> = Vec::new();
        for (account, address, text) in &list.rows {
            let Some(address) = address.filter(|address| seen.insert(*address)) else {
                let difference = SideDifference::Unfounded { indexer: account.clone().into() };
                findings.differs(CheckedPart::Holders, record(account), difference);
                continue;
            };
            let amount: Option<Amount> = text.parse().ok();
            amounts.extend(amount);
            let expected = held(then, &address);
            if amount == Some(expected) {
                if expected.is_zero() {
                    findings.known(KnownWay::HolderOfNothing, record(account));
                }
                continue;
            }
            // The balance may be of a newer height than the list's lowest height.
            let now = self.holdings(&BTreeSet::from([address]), None).await?;
            if amount == Some(held(&now, &address)) {
                continue;
            }
            if modules.contains(&address) {
                findings.known(KnownWay::ModuleHolder, record(account));
            } else {
                let difference = SideDifference::value("amount", expected.to_string(), text.as_str());
                findings.differs(CheckedPart::Holders, record(account), difference);
            }
        }
        if !amounts.is_sorted_by(|one, next| one >= next) {
            let texts = |amounts: &[Amount]| amounts.iter().map(ToString::to_string).collect();
            let mut sorted = amounts.clone();
            sorted.sort_by(|one, other| other.cmp(one));
            let order =
                SideDifference::Order { field: "amount".to_owned(), node: texts(&sorted), indexer: texts(&amounts) };
            findings.differs(CheckedPart::Holders, CheckedRecord::RichList(denom.clone()), order);
        }
        let least = amounts.iter().min().copied().filter(|_| !list.is_whole).unwrap_or_default();
        for (address, amount) in then.keys().map(|address| (address, held(then, address))) {
            if amount <= least || seen.contains(address) {
                continue;
            }
            let now = self.holdings(&BTreeSet::from([*address]), None).await?;
            if held(&now, address) <= least {
                continue;
            }
            let record = record(&address.bech32());
            if modules.contains(address) {
                findings.known(KnownWay::ModuleHolder, record);
            } else {
                let difference = SideDifference::Missing { node: amount.to_string().into() };
                findings.differs(CheckedPart::Holders, record, difference);
            }
        }
        Ok(())
    }

    async fn holdings(&self, accounts: &BTreeSet<Address>, at: Option<Height>) -> Result<BankHoldings, String> {
        let mut found = BankHoldings::new();
        let asked = stream::iter(accounts).map(|account| async move { (*account, self.balances(*account, at).await) });
        let mut asked = asked.buffered(RECORDS_AT_ONCE);
        while let Some((account, balances)) = asked.next().await {
            let balances = balances.map_err(|error| match at {
                Some(height) => format!("the node's balances at block {height}: {error}"),
                None => format!("the node: {error}"),
            })?;
            found.insert(account, balances);
        }
        Ok(found)
    }

    async fn balances(&self, account: Address, at: Option<Height>) -> Result<BTreeMap<Denom, Amount>, NodeError> {
        let path = format!("/cosmos/bank/v1beta1/balances/{}?pagination.limit={BALANCES}", account.bech32());
        let answer: BalancesAnswer = self.node.rest(&path, at).await?;
        Ok(answer.balances.into_iter().map(|coin| (Denom::new(&*coin.denom), coin.amount)).collect())
    }

    async fn modules(&self) -> Result<BTreeSet<Address>, String> {
        let answer: Value = self
            .node
            .rest("/cosmos/auth/v1beta1/module_accounts", None)
            .await
            .map_err(|error| format!("the node: {error}"))?;
        let accounts = answer.get("accounts").and_then(Value::as_array).into_iter().flatten();
        Ok(accounts.filter_map(|account| account.pointer("/base_account/address")?.as_str()?.parse().ok()).collect())
    }
}
