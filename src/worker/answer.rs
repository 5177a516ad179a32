use super::{gallery::Gallery, shelf::Shelf};
use crate::{
    client::IndexerClient,
    msg::{Answer, Request},
    wire::ApiError,
};

/// Does what a request asks for.
pub(super) async fn fetch(
    client: &IndexerClient,
    shelf: &Shelf,
    gallery: &Gallery,
    request: &Request,
) -> Result<Answer, ApiError> {
    match request {
        Request::Status => client.status().await.map(Answer::Status),
        Request::AvgBlockTime => client.avg_block_time().await.map(Answer::AvgBlockTime),
        Request::OldestBlock => client.oldest_block().await.map(Answer::OldestBlock),
        Request::Blocks(page) => client.blocks(page).await.map(Answer::Blocks),
        Request::Block(height) => client.block(*height).await.map(Answer::Block),
        Request::Txs(query, page) => client.txs(query, page).await.map(Answer::Txs),
        Request::Tx(hash) => client.tx(*hash).await.map(Answer::Tx),
        Request::EvmTxs(scope, page) => client.evm_txs(scope, page).await.map(Answer::EvmTxs),
        Request::EvmTx(hash) => client.evm_tx(*hash).await.map(Answer::EvmTx),
        Request::InternalTxs(scope, page) => client.internal_txs(scope, page).await.map(Answer::InternalTxs),
        Request::Collections(scope, page) => client.collections(scope, page).await.map(Answer::Collections),
        Request::Collection(address) => client.collection(*address).await.map(Answer::Collection),
        Request::Tokens(query, page) => client.tokens(query, page).await.map(Answer::Tokens),
        Request::Holders(denom, page) => client.holders(denom, page).await.map(Answer::Holders),
        Request::Metadata(uri) => gallery.metadata(client, uri).await.map(Answer::Metadata),
        Request::Picture(uri) => gallery.picture(client, uri).await.map(Answer::Picture),
        Request::Chains
        | Request::Assets(_)
        | Request::Route(_)
        | Request::OpHook(_)
        | Request::Msgs(_)
        | Request::Track(_)
        | Request::TransferStatus(_)
        | Request::DemoInfo
        | Request::DemoSign(_)
        | Request::DemoBroadcast(_)
        | Request::File(_) => Err(ApiError {
            kind: crate::wire::ErrorKind::Unusable("no routing API is known: give --router URL".to_owned()),
            url: "".into(),
            body: None,
        }),
        Request::Transfers => Ok(Answer::Transfers(Vec::new())),
        Request::Recents => Ok(Answer::Recents(shelf.recents().await)),
    }
}
