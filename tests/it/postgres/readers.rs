//! Readers of a database, as it comes and goes.

use rollscope::{
    domain::Vm,
    indexer::{
        index::{Index, IndexFeed, IndexIdentity, PostgresUrl},
        node::{FollowOptions, ServiceOptions},
    },
};

use crate::harness::{
    index::open_database,
    player::{NodePlayer, Served},
    postgres::PostgresServer,
    recording::Recording,
};

const BLOCKS: &str = "/indexer/block/v1/blocks?pagination.limit=5";

#[tokio::test]
async fn a_page_is_refused_for_a_moment_while_the_database_is_away() {
    let Some(server) = PostgresServer::start() else { return };
    let url: PostgresUrl = format!("{}&schema=rs_one", server.create_database()).parse().expect("a URL");
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(20));
    let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = open_database(&url, &identity).expect("the tables can be made");
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let options = ServiceOptions { follow, ..ServiceOptions::default() };
    let writer = player.served_with(index, options).await.expect("the node is found");
    writer.filled().await;
    let reader = Index::read_only_postgres(&url, "rs_one").expect("the tables are there");
    let reader = Served::of_reader(reader, ServiceOptions { is_public: true, ..ServiceOptions::default() });
    assert_eq!(reader.json(BLOCKS).await["blocks"], writer.json(BLOCKS).await["blocks"]);
    drop(server);
    let (status, refusal) = reader.get(BLOCKS).await;
    assert_eq!(status, 503, "{refusal}");
    assert!(refusal.contains("the database of the index does not answer now"), "{refusal}");
    assert_eq!(reader.get("/health").await.0, 200, "the process itself is well");
}
