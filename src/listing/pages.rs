use super::{ListSubject, OddRows, PageWalk, WalkError, WalkedRow};
use crate::{client::IndexerClient, columns::PagePosition, domain::Timestamp, msg::Total};

pub(crate) trait ListWriter<T> {
    type Error: From<WalkError>;

    /// Requests names for the rows of a page, before it is written.
    async fn prepare(&mut self, _rows: &[WalkedRow<T>], _place: PagePosition) {}
    fn write(&mut self, rows: &[WalkedRow<T>], place: PagePosition) -> Result<(), Self::Error>;
    /// Notes the progress, after a page of this number of rows.
    fn advance(&mut self, _rows: usize, _total: Total) {}
    /// Ends the output. Writes nothing if the list failed before its first row.
    fn finish(&mut self, is_whole: bool) -> Result<(), Self::Error>;
    /// Returns how the format shows unreadable and repeated rows.
    fn odd_rows(&self) -> OddRows {
        OddRows::LeftOut
    }
    /// Whether the format shows the height of the list.
    fn has_height(&self) -> bool {
        false
    }
}

/// Reads a walk to its end, and gives its pages to the writer.
pub(crate) async fn write_pages<Q: ListSubject, W: ListWriter<Q::Item>>(
    writer: &mut W,
    walk: &mut PageWalk<'_, Q>,
    query: &Q,
    client: &IndexerClient,
    mut place: PagePosition,
) -> Result<(), W::Error> {
    let mut is_first = true;
    loop {
        if writer.has_height() {
            place.height = query.height(client).await;
        }
        let Some(page) = walk.next().await? else { return Ok(()) };
        let count = page.rows.len() as u64;
        place.is_whole = is_first && page.is_last;
        place.at = Some(Timestamp::now());
        writer.prepare(&page.rows, place).await;
        writer.write(&page.rows, place)?;
        place.first = place.first.map(|first| first + count);
        writer.advance(page.rows.len(), page.total);
        is_first = false;
        if page.is_last {
            return Ok(());
        }
    }
}
