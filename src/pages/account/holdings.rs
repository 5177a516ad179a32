//! Ranks of an account in the rich lists of known denoms.

use std::{collections::BTreeSet, num::NonZeroU64, sync::Arc};

use super::lines::lines;
use crate::{
    domain::{Address, Balance, Denom},
    msg::{Ask, ListPage, PageRequest, ask},
    story::Glossary,
    widgets::document::Document,
    wire::{ApiError, Holder},
};

/// Number of largest holders of each denom to search: the server cannot filter a rich list by account.
pub(super) const LOOKED_THROUGH: u16 = 1000;
/// Maximum denoms searched for an account.
const MOST_DENOMS: usize = 24;

/// Search for an account in several rich lists, one after the other.
#[derive(Debug)]
pub(super) struct Holdings {
    /// One result per denom, in search order.
    places: Vec<Holding>,
    /// Known denoms beyond the most that are searched.
    left_out: BTreeSet<Denom>,
    pub(super) document: Document,
    /// Whether the lines are older than the results.
    is_stale: bool,
    names: Option<Arc<Glossary>>,
}

impl Default for Holdings {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            left_out: BTreeSet::new(),
            document: Document::new(Vec::new()),
            is_stale: true,
            names: None,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Holding {
    pub(super) denom: Denom,
    pub(super) place: HolderRank,
}

#[derive(Clone, Debug)]
pub(super) enum HolderRank {
    /// The search of this denom has not started.
    Waiting,
    Looking,
    Found {
        /// Position in the rich list; 1 is the largest holder.
        rank: NonZeroU64,
        amount: Balance,
    },
    /// Not among this many largest holders. `true` if the list has no further holders.
    Absent(usize, bool),
    Failed(ApiError),
}

impl Holdings {
    /// Adds denoms that the search does not have yet.
    pub(super) fn know(&mut self, denoms: impl IntoIterator<Item = Denom>) {
        for denom in denoms {
            if self.places.iter().any(|holding| holding.denom == denom) {
                continue;
            }
            if self.places.len() < MOST_DENOMS {
                self.places.push(Holding { denom, place: HolderRank::Waiting });
                self.is_stale = true;
            } else {
                self.is_stale |= self.left_out.insert(denom);
            }
        }
    }

    /// Whether the search waits for a rich list.
    pub(super) fn is_looking(&self) -> bool {
        self.places.iter().any(|holding| matches!(holding.place, HolderRank::Looking))
    }

    /// Returns the request for the next rich list unless one is pending.
    pub(super) fn next_request(&mut self) -> Option<Ask<ListPage<Arc<Holder>>>> {
        if self.is_looking() {
            return None;
        }
        let waiting = self.places.iter_mut().find(|holding| matches!(holding.place, HolderRank::Waiting))?;
        waiting.place = HolderRank::Looking;
        self.is_stale = true;
        let page = PageRequest { count_total: false, ..PageRequest::newest(LOOKED_THROUGH) };
        Some(ask::holders(waiting.denom.clone(), page))
    }

    /// Searches a received rich list for the account.
    pub(super) fn take(&mut self, result: Result<ListPage<Arc<Holder>>, ApiError>, address: Address) {
        self.is_stale = true;
        let Some(holding) = self.places.iter_mut().find(|holding| matches!(holding.place, HolderRank::Looking)) else {
            return;
        };
        holding.place = match result.and_then(ListPage::all_read) {
            Ok(page) => {
                let ranked = (1..).filter_map(NonZeroU64::new).zip(&page.items);
                let found = ranked.into_iter().find(|(_, holder)| holder.address() == Some(address));
                match found {
                    Some((rank, holder)) => HolderRank::Found { rank, amount: holder.amount },
                    None => HolderRank::Absent(page.items.len(), page.next.is_none()),
                }
            }
            Err(error) => HolderRank::Failed(error),
        };
    }

    /// Repeats the searches that failed because of the server.
    pub(super) fn retry(&mut self) {
        for holding in &mut self.places {
            if matches!(&holding.place, HolderRank::Failed(error) if error.is_transient()) {
                holding.place = HolderRank::Waiting;
                self.is_stale = true;
            }
        }
    }

    /// Repeats every failed search.
    pub(super) fn ask_again(&mut self) {
        self.is_stale = true;
        for holding in self.places.iter_mut().filter(|holding| !matches!(holding.place, HolderRank::Looking)) {
            holding.place = HolderRank::Waiting;
        }
    }

    pub(super) fn has_found(&self) -> bool {
        self.places.iter().any(|holding| matches!(holding.place, HolderRank::Found { .. }))
    }

    /// Returns the found ranks as records for a file; amounts are exact, in the smallest unit.
    pub(super) fn records(&self) -> impl Iterator<Item = serde_json::Value> {
        self.places.iter().filter_map(|holding| match &holding.place {
            HolderRank::Found { rank, amount } => Some(serde_json::json!({
                "denom": holding.denom.as_str(), "rank": rank, "amount": amount.to_string(),
            })),
            _ => None,
        })
    }

    /// Rebuilds the lines if they are outdated.
    pub(super) fn make_lines(&mut self, glossary: &Arc<Glossary>) {
        let has_names = self.names.as_ref().is_some_and(|names| Arc::ptr_eq(names, glossary));
        if std::mem::take(&mut self.is_stale) || !has_names {
            self.document.replace_lines(lines(&self.places, self.left_out.len(), glossary));
            self.names = Some(Arc::clone(glossary));
        }
    }
}
