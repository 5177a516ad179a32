use std::collections::BTreeSet;

use rollscope::{
    client::{ClientOptions, IndexerClient},
    demo::faults::Fault,
    domain::{Address, Vm},
};
use rstest::rstest;
use serde_json::Value;

use super::{
    client::{Mode, Server},
    state::{ledger, ledger_on, server, server_on, walk},
};

/// The bytes of a picture, with its size read from its head.
async fn picture(server: &Server, path: &str) -> (u32, u32) {
    let response = crate::harness::get(format!("{}{path}", server.rollup.url())).await.expect("the server answers");
    assert_eq!(
        (response.status().as_u16(), response.headers()["content-type"].to_str().expect("text")),
        (200, "image/png")
    );
    let bytes = response.bytes().await.expect("a body");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() < 4_000, "{} bytes", bytes.len());
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[tokio::test]
async fn every_ipfs_address_of_the_ledger_leads_to_metadata_and_picture() {
    let server = server(Mode::Specified, 5, 0);
    let nfts = ledger(5).nfts();
    let mut checked = 0;
    for nft in nfts.iter().filter(|nft| nft.uri.starts_with("ipfs://")).step_by(97) {
        let path = nft.uri.replacen("ipfs://", "/demo/v1/ipfs/", 1);
        let metadata: Value = server.json(&path).await;
        let name = metadata["name"].as_str().unwrap();
        assert!(name.ends_with(&format!("#{}", nft.token_id)), "{name}");
        let traits = metadata["attributes"].as_array().unwrap();
        assert!((3..=6).contains(&traits.len()) && traits.iter().all(|it| it["trait_type"].is_string()));
        let image = metadata["image"].as_str().unwrap().replacen("ipfs://", "/demo/v1/ipfs/", 1);
        assert_eq!(picture(&server, &image).await, (48, 48));
        let collection = nft.collection.hex();
        let by_address = server.json(&format!("/demo/v1/nft/{collection}/{}.json", nft.token_id)).await;
        assert_eq!(by_address, metadata);
        assert_eq!(picture(&server, &format!("/demo/v1/art/{collection}/{}.png", nft.token_id)).await, (48, 48));
        checked += 1;
    }
    assert!(checked > 8, "{checked}");
    assert_eq!(server.json("/demo/v1/ipfs/lantern-keepers/12").await["name"], "Lantern Keepers #12");
    assert_eq!(server.json("/demo/v1/ipfs/lantern-keepers/collection.json").await["name"], "Lantern Keepers");
}

#[rstest]
#[case(Vm::Evm, "Salt Charts")]
#[case(Vm::Move, "Glass Moths")]
#[case(Vm::Wasm, "Weather Glass")]
#[tokio::test]
async fn one_collection_carries_its_metadata_and_pictures_itself(#[case] vm: Vm, #[case] name: &str) {
    let server = server_on(vm, Mode::Specified, 100, 100);
    let found = server.json(&format!("/indexer/nft/v1/collections/by_name/{}", name.replace(' ', "%20"))).await;
    let collection = found["collections"][0]["object_addr"].as_str().expect("it is there").to_owned();
    let rows = walk(&server, &format!("/indexer/nft/v1/tokens/by_collection/{collection}?"), "tokens", 100).await;
    let uris: BTreeSet<String> = rows.iter().map(|row| row["nft"]["uri"].as_str().expect("text").to_owned()).collect();
    let address: Address = collection.parse().unwrap();
    let nfts = ledger_on(vm, 200).nfts().into_iter().filter(|nft| nft.collection == address);
    assert_eq!(uris, nfts.map(|nft| nft.uri).collect());
    assert!(uris.len() == rows.len() && uris.len() > 100, "{}", uris.len());
    // Nothing is asked of anybody: the address leads nowhere.
    let client = IndexerClient::new("http://127.0.0.1:9", ClientOptions::default()).unwrap();
    for uri in uris.iter().step_by(17) {
        assert!(uri.len() < 2_000, "{}", uri.len());
        let metadata = client.metadata(uri).await.unwrap();
        assert!(metadata.name.starts_with(name) && metadata.traits.len() >= 3, "{}", metadata.name);
        let picture = client.picture(metadata.image.as_deref().unwrap()).await.unwrap();
        assert_eq!((picture.width, picture.height), (24, 24));
    }
}

#[tokio::test]
async fn what_has_no_name_has_no_art() {
    let server = server(Mode::Specified, 5, 0);
    for path in [
        "/demo/v1/art/lantern-keepers/12",
        "/demo/v1/art/lantern-keepers/.png",
        "/demo/v1/nft/lantern-keepers/12.png",
        "/demo/v1/art/0x00000000000000000000000000000000000000aa/1.png",
        &format!("/demo/v1/art/{}/1.png", "x".repeat(101)),
        "/demo/v1/nft/%20/1.json",
    ] {
        assert_eq!(server.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn faults_reach_the_art_and_the_new_lists() {
    let server = server(Mode::Specified, 5, 0);
    server.rollup.set_faults(vec![Fault::Error500]);
    for path in ["/demo/v1/art/a/1.png", "/indexer/nft/v1/collections", "/indexer/richlist/v1/gas", "/swagger/doc.json"]
    {
        assert_eq!(server.get(path).await.refusal(), (500, "Internal Server Error"), "{path}");
    }
    server.rollup.set_faults(vec![Fault::Truncated]);
    assert!(server.try_get("/indexer/richlist/v1/gas").await.is_err());
    server.rollup.set_faults(vec![Fault::Malformed]);
    let answer = server.get("/indexer/nft/v1/collections").await;
    assert!(answer.status == 200 && serde_json::from_str::<Value>(&answer.text).is_err());
}
