use std::{num::NonZeroU64, sync::Arc};

use crate::{
    columns::{Blocks, CollectionFields, Collections, HolderFields, Holders, Resource as _, Tokens, TxFields, Txs},
    domain::{Address, AddressStyle, Height, RowSortKey, Target, TxHash},
    story::{AccountPart, Direction, Glossary, MessageSummary, RowWords, Style, effect_words, row_words},
    widgets::list::ListRow,
    wire,
};

#[derive(Clone, Debug)]
pub(crate) struct BlockRow(pub(crate) Arc<wire::Block>);

impl ListRow for BlockRow {
    type Key = Height;

    fn key(&self) -> Height {
        self.0.height
    }

    fn sort_key(&self, column: &str) -> Option<RowSortKey> {
        Blocks::sort_key(column, &&*self.0)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct TxRow {
    pub(crate) tx: Arc<wire::Tx>,
    pub(crate) headline: MessageSummary,
    /// Part of the account whose history lists the row.
    part: Option<AccountPart>,
    /// Sentence; `None` until the row is visible.
    words: Option<RowSummary>,
}

/// Sentence of a row, and the context in which the client computed it.
#[derive(Clone, Debug)]
struct RowSummary {
    words: RowWords,
    style: AddressStyle,
    glossary: Arc<Glossary>,
}

/// Names and account that the sentences of rows depend on.
#[derive(Clone, Debug)]
pub(crate) struct SummaryContext {
    pub(crate) style: AddressStyle,
    pub(crate) glossary: Arc<Glossary>,
    /// Account whose history lists the row. The sentence then describes the effect on the account.
    pub(crate) account: Option<Address>,
}

impl TxRow {
    pub(crate) fn new(tx: Arc<wire::Tx>) -> Self {
        let headline = MessageSummary::of(&tx);
        Self { tx, headline, part: None, words: None }
    }

    /// Returns the direction for the account whose history lists the row. Before the sentence is computed, only
    /// transfers count.
    pub(crate) fn direction(&self) -> Option<Direction> {
        match self.part.as_ref()?.direction {
            direction @ (Direction::Signed | Direction::Mentioned) => {
                self.words().and_then(|words| words.direction).or(Some(direction))
            }
            direction => Some(direction),
        }
    }

    /// Returns the sentence, once computed.
    pub(crate) fn words(&self) -> Option<&RowWords> {
        self.words.as_ref().map(|summary| &summary.words)
    }

    /// Whether the sentence was computed in this context.
    pub(crate) fn has_summary(&self, context: &SummaryContext) -> bool {
        self.words
            .as_ref()
            .is_some_and(|summary| summary.style == context.style && Arc::ptr_eq(&summary.glossary, &context.glossary))
    }

    /// Computes the sentence.
    pub(crate) fn summarize(&mut self, context: &SummaryContext) {
        let style = Style::Screen(&context.style);
        let words = match context.account {
            Some(account) => effect_words(&self.tx, account, &context.glossary, style),
            None => row_words(&self.tx, &self.headline, &context.glossary, style),
        };
        let (style, glossary) = (context.style.clone(), Arc::clone(&context.glossary));
        self.words = Some(RowSummary { words, style, glossary });
    }

    /// Returns how many bytes the sentence needs to read, to budget the work.
    pub(crate) fn weight(&self) -> usize {
        self.tx.events.get().len() + self.tx.tx.get().len() + self.tx.raw_log.as_received().len()
    }

    /// Computes the part of an account.
    pub(crate) fn attribute(&mut self, account: Address) {
        self.part = Some(AccountPart::of(&self.tx, account));
    }

    /// Returns the part of the account whose history lists the row.
    pub(crate) fn part(&self) -> Option<&AccountPart> {
        self.part.as_ref()
    }
}

impl ListRow for TxRow {
    type Key = TxHash;

    fn key(&self) -> TxHash {
        self.tx.txhash
    }

    fn is_of(&self, target: &Target) -> bool {
        *target == Target::Tx(self.tx.txhash)
    }

    fn sort_key(&self, column: &str) -> Option<RowSortKey> {
        let mut fields = TxFields::new(&self.tx).with_headline(&self.headline);
        fields.direction = self.direction();
        Txs::sort_key(column, &fields)
    }

    fn forget(&mut self) {
        self.words = None;
    }

    fn each_account(&self, see: &mut dyn FnMut(Address)) {
        self.words().into_iter().flat_map(|words| &words.accounts).for_each(|account| see(*account));
    }
}

#[derive(Clone, Debug)]
pub(crate) struct CollectionRow(pub(crate) Arc<wire::Collection>);

impl ListRow for CollectionRow {
    type Key = String;

    fn key(&self) -> String {
        self.0.object_addr.clone()
    }

    fn is_of(&self, target: &Target) -> bool {
        matches!(target, Target::Collection(address) if self.0.address() == Some(*address))
    }

    fn sort_key(&self, column: &str) -> Option<RowSortKey> {
        Collections::sort_key(column, &CollectionFields { collection: &self.0, most: None, is_age_known: true })
    }

    fn each_account(&self, see: &mut dyn FnMut(Address)) {
        self.0.address().into_iter().chain(self.0.collection.creator_address()).for_each(see);
    }
}

#[derive(Clone, Debug)]
pub(crate) struct TokenRow(pub(crate) Arc<wire::Token>);

impl ListRow for TokenRow {
    type Key = (String, String);

    fn key(&self) -> (String, String) {
        (self.0.collection_addr.clone(), self.0.nft.token_id.as_received().to_owned())
    }

    fn is_of(&self, target: &Target) -> bool {
        let Target::Token { collection, token_id } = target else { return false };
        self.0.nft.token_id == **token_id && self.0.collection() == Some(*collection)
    }

    fn sort_key(&self, column: &str) -> Option<RowSortKey> {
        Tokens::sort_key(column, &&*self.0)
    }

    fn each_account(&self, see: &mut dyn FnMut(Address)) {
        self.0.owner_address().into_iter().for_each(see);
    }
}

#[derive(Clone, Debug)]
pub(crate) struct HolderRow {
    pub(crate) holder: Arc<wire::Holder>,
    /// Account of the holder; `None` if the server's text is not an address.
    address: Option<Address>,
    /// Position in the rich list, from 1.
    pub(crate) rank: NonZeroU64,
}

impl HolderRow {
    pub(crate) fn new(holder: Arc<wire::Holder>) -> Self {
        Self { address: holder.address(), holder, rank: NonZeroU64::MIN }
    }
}

impl ListRow for HolderRow {
    type Key = String;

    fn key(&self) -> String {
        self.holder.account.clone()
    }

    fn sort_key(&self, column: &str) -> Option<RowSortKey> {
        Holders::sort_key(column, &HolderFields { rank: Some(self.rank), ..HolderFields::new(&self.holder) })
    }

    fn each_account(&self, see: &mut dyn FnMut(Address)) {
        self.address.into_iter().for_each(see);
    }

    fn place(&self) -> Option<NonZeroU64> {
        Some(self.rank)
    }

    fn number_after(&mut self, before: Option<&Self>, between: u64) {
        let first = before.map_or(NonZeroU64::MIN, |before| before.rank.saturating_add(1));
        self.rank = first.saturating_add(between);
    }

    fn number_before(&mut self, after: &Self, between: u64) {
        let rank = (after.rank.get() - 1).saturating_sub(between);
        self.rank = NonZeroU64::new(rank).unwrap_or(NonZeroU64::MIN);
    }
}
