//! A list as one JSON body: the server's own body if the server did everything requested, else a new body.

use super::{
    super::{CommandError, arguments::ListArguments, indexer::Indexer, output::CommandOutput},
    print_notes, range,
};
use crate::{
    client::body_of,
    listing::{ListSubject, OddRows, PageWalk},
    msg::{ListedRow, Total},
};

/// Prints the body of the requested page. If the server did not filter, requests more pages up to the limit.
pub(super) async fn print<Q: ListSubject>(
    query: &Q,
    indexer: &Indexer,
    arguments: &ListArguments,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let range = range(arguments);
    let answer = indexer.client.list_and_body(query, &range.first_page()).await;
    let mut walk = PageWalk::new(query, &indexer.client, &range);
    let (page, received) = match answer {
        Ok(answer) => answer,
        Err(error) => return Err(walk.failure(error, &range.first_page()).await.into()),
    };
    walk = walk.answered(page);
    let first = walk.next().await?;
    let (body, odd_rows) = if let Some(body) = received {
        (body, OddRows::AsReceived)
    } else {
        let mut page = first;
        let (mut rows, mut total) = (Vec::new(), Total::Unknown);
        while let Some(found) = page {
            rows.extend(found.rows.iter().filter_map(ListedRow::read).map(|row| row.raw.clone()));
            if found.total != Total::Unknown {
                total = found.total;
            }
            page = walk.next().await?;
        }
        let next = walk.key_behind().await?;
        (body_of::<Q::Item>(rows, next.as_ref(), total), OddRows::LeftOut)
    };
    output.json(&String::from_utf8_lossy(&body))?;
    output.line("")?;
    output.flush()?;
    print_notes::<Q>(&walk.report, odd_rows, query, arguments);
    Ok(())
}
