use super::shelf::Shelf;
use crate::{
    client::IndexerClient,
    msg::{Answer, Request},
    wire::ApiError,
};

/// Does what a request asks for.
pub(super) async fn fetch(client: &IndexerClient, shelf: &Shelf, request: &Request) -> Result<Answer, ApiError> {
    match request {
        Request::Status => client.status().await.map(Answer::Status),
        Request::AvgBlockTime => client.avg_block_time().await.map(Answer::AvgBlockTime),
        Request::OldestBlock => client.oldest_block().await.map(Answer::OldestBlock),
        Request::Blocks(page) => client.blocks(page).await.map(Answer::Blocks),
        Request::Block(height) => client.block(*height).await.map(Answer::Block),
        Request::Txs(query, page) => client.txs(query, page).await.map(Answer::Txs),
        Request::Tx(hash) => client.tx(*hash).await.map(Answer::Tx),
        Request::Recents => Ok(Answer::Recents(shelf.recents().await)),
    }
}
