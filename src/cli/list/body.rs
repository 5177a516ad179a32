//! A list as one JSON body: the server's own body if the server did everything requested, else a new body.

use super::{
    super::{CommandError, arguments::ListArguments, indexer::Indexer, output::CommandOutput},
    report::OddRows,
    subject::ListSubject,
    walk::{PageWalk, first_page},
};
use crate::{
    client::body_of,
    msg::{ListedRow, Total},
};

/// Prints the body of the requested page. If the server did not filter, requests more pages up to the limit.
pub(super) async fn print<Q: ListSubject>(
    query: &Q,
    indexer: &Indexer,
    arguments: &ListArguments,
    output: &mut CommandOutput,
) -> Result<(), CommandError> {
    let answer = indexer.client.list_and_body(query, &first_page(arguments)).await;
    let mut walk = PageWalk::new(query, indexer, arguments);
    let (page, received) = match answer {
        Ok(answer) => answer,
        Err(error) => return Err(walk.failure(error, &first_page(arguments)).await),
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
    walk.report.print::<Q::Item>(odd_rows, query.wanted_types().as_deref(), arguments.all);
    Ok(())
}
