use serde_json::Value;

use super::COLLECTIONS;
use crate::server::{
    client::{Mode, Server, key, total},
    state::{ledger, server},
};

fn names(page: &Value) -> Vec<&str> {
    let rows = page["collections"].as_array().expect("a list");
    rows.iter().map(|row| row["collection"]["name"].as_str().expect("text")).collect()
}

#[tokio::test]
async fn names_are_found_by_letters_and_digits_and_only_the_specified_server_decodes() {
    let (specified, quirks) = (server(Mode::Specified, 30, 0), server(Mode::Quirks, 30, 0));
    for server in [&specified, &quirks] {
        for name in ["lantern", "NKEEP", "Lantern-Keepers", "keepers%"] {
            let page = server.json(&format!("{COLLECTIONS}/by_name/{name}")).await;
            assert_eq!((names(&page), total(&page)), (vec!["Lantern Keepers"], 1), "{name}");
        }
        let all = server.json(&format!("{COLLECTIONS}/by_name/-")).await;
        assert_eq!(names(&all).len(), names(&server.json(COLLECTIONS).await).len());
        let none = server.json(&format!("{COLLECTIONS}/by_name/nobody")).await;
        assert_eq!((names(&none).len(), total(&none)), (0, 0));
    }
    for (server, found) in [(&specified, 1), (&quirks, 0)] {
        assert_eq!(names(&server.json(&format!("{COLLECTIONS}/by_name/Lantern%20Keepers")).await).len(), found);
    }
    let counted = |server| async move {
        total(&Server::json(server, &format!("{COLLECTIONS}/by_name/o?pagination.count_total=false")).await)
    };
    assert_eq!(counted(&specified).await, 0);
    assert!(counted(&quirks).await > 1, "the real server counts anyway");
    let stuck = format!("{COLLECTIONS}/by_name/o?pagination.limit=1&{}", key("{\"height\":1}"));
    let page = quirks.json(&stuck).await;
    assert!(names(&page).len() == 1 && page["pagination"]["next_key"].is_string(), "page 1 for ever");
}

#[tokio::test]
async fn the_real_search_never_looks_at_a_collection_twice() {
    // The bridged class appears with its first arrival.
    let mut chain = ledger(1);
    while chain.collections().len() < 8 {
        chain.advance();
    }
    let until = chain.tip().expect("blocks were made").get();
    let (specified, quirks) = (server(Mode::Specified, until - 1, 0), server(Mode::Quirks, until - 1, 0));
    let search =
        |server| async move { Server::json(server, &format!("{COLLECTIONS}/by_name/-?pagination.limit=100")).await };
    let before = search(&quirks).await;
    assert_eq!(names(&before).len(), 7);
    for server in [&specified, &quirks] {
        server.rollup.step(150).unwrap();
        assert_eq!(names(&search(server).await).len(), 8, "a higher one is seen");
    }
    let after = search(&quirks).await;
    assert_eq!(after["collections"].as_array().unwrap()[1..], before["collections"].as_array().unwrap()[..]);
    let fresh = quirks.json(COLLECTIONS).await;
    assert_ne!(fresh["collections"], after["collections"], "lengths have changed since");
}
