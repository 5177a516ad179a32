//! An account's places in the rich lists of the denoms that are known.

use std::{num::NonZeroU64, sync::Arc};

use super::lines::lines;
use crate::{
    domain::{Address, Balance, Denom},
    msg::{Answer, PageRequest, Request},
    story::Glossary,
    widgets::document::Document,
    wire::ApiError,
};

/// Holders of each denom that are looked through: the account's place is not asked of the server by name.
pub(super) const LOOKED_THROUGH: u16 = 1000;
/// Denoms looked at for an account.
const MOST_DENOMS: usize = 24;

/// Where an account is in rich lists, one looked through after the other.
#[derive(Debug)]
pub(super) struct Holdings {
    /// In the order in which they are looked for.
    places: Vec<Holding>,
    /// The same in lines.
    pub(super) document: Document,
    /// What the lines were made of is not what there is any more.
    is_stale: bool,
    /// The names that the lines were made with.
    names: Option<Arc<Glossary>>,
}

impl Default for Holdings {
    fn default() -> Self {
        Self { places: Vec::new(), document: Document::new(Vec::new()), is_stale: true, names: None }
    }
}

/// What the rich list of a denom says of an account.
#[derive(Clone, Debug)]
pub(super) struct Holding {
    pub(super) denom: Denom,
    pub(super) place: HolderRank,
}

/// Where an account is in a rich list.
#[derive(Clone, Debug)]
pub(super) enum HolderRank {
    /// Not looked for yet.
    Waiting,
    Looking,
    Found {
        /// 1 is the largest.
        rank: NonZeroU64,
        /// What it holds.
        amount: Balance,
    },
    /// Not among so many of the largest; `true` where that is all of them.
    Absent(usize, bool),
    /// It could not be found out.
    Failed(ApiError),
}

impl Holdings {
    /// Adds denoms that were not known before.
    pub(super) fn know(&mut self, denoms: impl IntoIterator<Item = Denom>) {
        for denom in denoms {
            if self.places.len() < MOST_DENOMS && !self.places.iter().any(|holding| holding.denom == denom) {
                self.places.push(Holding { denom, place: HolderRank::Waiting });
                self.is_stale = true;
            }
        }
    }

    /// Whether a rich list is being looked through.
    pub(super) fn is_looking(&self) -> bool {
        self.places.iter().any(|holding| matches!(holding.place, HolderRank::Looking))
    }

    /// The next rich list to look through, once the one before came.
    pub(super) fn next_request(&mut self) -> Option<Request> {
        if self.is_looking() {
            return None;
        }
        let waiting = self.places.iter_mut().find(|holding| matches!(holding.place, HolderRank::Waiting))?;
        waiting.place = HolderRank::Looking;
        self.is_stale = true;
        let page = PageRequest { count_total: false, ..PageRequest::newest(LOOKED_THROUGH) };
        Some(Request::Holders(waiting.denom.clone(), page))
    }

    /// A rich list came, in which this account is looked for.
    pub(super) fn take(&mut self, result: Result<Answer, ApiError>, address: Address) {
        self.is_stale = true;
        let Some(holding) = self.places.iter_mut().find(|holding| matches!(holding.place, HolderRank::Looking)) else {
            return;
        };
        let all_read = |answer| match answer {
            Answer::Holders(page) => page.all_read().map(Answer::Holders),
            other => Ok(other),
        };
        holding.place = match result.and_then(all_read) {
            Ok(Answer::Holders(page)) => {
                let ranked = (1..).filter_map(NonZeroU64::new).zip(&page.items);
                let found = ranked.into_iter().find(|(_, holder)| holder.address() == Some(address));
                match found {
                    Some((rank, holder)) => HolderRank::Found { rank, amount: holder.amount },
                    None => HolderRank::Absent(page.items.len(), page.next.is_none()),
                }
            }
            Ok(_) => return,
            Err(error) => HolderRank::Failed(error),
        };
    }

    /// Looks once more for what a failing server kept back.
    pub(super) fn retry(&mut self) {
        for holding in &mut self.places {
            if matches!(&holding.place, HolderRank::Failed(error) if error.is_transient()) {
                holding.place = HolderRank::Waiting;
                self.is_stale = true;
            }
        }
    }

    /// Looks for everything that could not be found out once more.
    pub(super) fn ask_again(&mut self) {
        self.is_stale = true;
        for holding in self.places.iter_mut().filter(|holding| !matches!(holding.place, HolderRank::Looking)) {
            holding.place = HolderRank::Waiting;
        }
    }

    pub(super) fn has_found(&self) -> bool {
        self.places.iter().any(|holding| matches!(holding.place, HolderRank::Found { .. }))
    }

    /// The places found, for a file; amounts are exact, in the smallest unit.
    pub(super) fn records(&self) -> impl Iterator<Item = serde_json::Value> {
        self.places.iter().filter_map(|holding| match &holding.place {
            HolderRank::Found { rank, amount } => Some(serde_json::json!({
                "denom": holding.denom.as_str(), "rank": rank, "amount": amount.to_string(),
            })),
            _ => None,
        })
    }

    /// Makes the lines where they changed.
    pub(super) fn make_lines(&mut self, glossary: &Arc<Glossary>) {
        let has_names = self.names.as_ref().is_some_and(|names| Arc::ptr_eq(names, glossary));
        if std::mem::take(&mut self.is_stale) || !has_names {
            self.document.replace_lines(lines(&self.places, glossary));
            self.names = Some(Arc::clone(glossary));
        }
    }
}
