use serde_json::json;

use crate::{
    config::NodeLocation,
    domain::secret::join_url,
    msg::{EvmTxScope, InternalTxScope, Request, TxScope},
    wire,
};

/// Returns the curl command with which a node answers a request's question; `None` if no query of the node does. The
/// location must name the RPC.
pub(super) fn node_curl(node: &NodeLocation, request: &Request) -> Option<String> {
    let rpc = |path: String| Some(wire::curl(&join_url(&node.node, &format!("/{path}"))));
    let rest = |path: String| {
        node.rest.as_ref().map(|rest| wire::curl(&join_url(rest, &format!("/cosmos/tx/v1beta1/txs/{path}"))))
    };
    let json_rpc = |method: &str, params: serde_json::Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        node.json_rpc.as_ref().map(|url| wire::curl_post(url, &body))
    };
    match request {
        Request::Status => rpc("status".to_owned()),
        Request::Blocks(_) => rpc("blockchain".to_owned()),
        Request::Block(height) => rpc(format!("block?height={height}")),
        Request::Tx(hash) => rest(hash.to_string()).or_else(|| rpc(format!("tx?hash=0x{hash}"))),
        Request::Txs(query, _) => match query.scope {
            TxScope::Height(height) => rest(format!("block/{height}")),
            _ => None,
        },
        Request::EvmTx(hash) => json_rpc("eth_getTransactionReceipt", json!([hash.to_string()])),
        Request::EvmTxs(EvmTxScope::Height(height), _) => {
            json_rpc("eth_getBlockReceipts", json!([format!("{:#x}", height.get())]))
        }
        Request::InternalTxs(InternalTxScope::Tx(hash), _) => {
            json_rpc("debug_traceTransaction", json!([hash.to_string(), {"tracer": "callTracer"}]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{Denom, Height, TxHash},
        msg::PageRequest,
    };

    #[test]
    fn a_node_is_asked_in_its_own_words_and_only_where_it_has_an_answer() {
        let rpc = NodeLocation { node: "http://node:1".to_owned(), ..NodeLocation::default() };
        let whole = NodeLocation {
            rest: Some("http://node:2".to_owned()),
            json_rpc: Some("http://node:3".to_owned()),
            ..rpc.clone()
        };
        let hash: TxHash = "AB".repeat(32).parse().unwrap();
        let told = |node: &NodeLocation, request| node_curl(node, &request);
        assert_eq!(
            told(&whole, Request::Tx(hash)),
            Some(format!("curl -sS 'http://node:2/cosmos/tx/v1beta1/txs/{hash}'"))
        );
        assert_eq!(told(&rpc, Request::Tx(hash)), Some(format!("curl -sS 'http://node:1/tx?hash=0x{hash}'")));
        let block = Request::Block(Height::FIRST);
        assert_eq!(told(&rpc, block), Some("curl -sS 'http://node:1/block?height=1'".to_owned()));
        let receipts = Request::EvmTxs(EvmTxScope::Height(Height::FIRST), PageRequest::whole());
        assert_eq!(told(&rpc, receipts.clone()), None);
        let posted = told(&whole, receipts).unwrap();
        assert!(posted.contains(r#""method":"eth_getBlockReceipts""#) && posted.contains(r#"["0x1"]"#), "{posted}");
        assert_eq!(told(&whole, Request::Holders(Denom::new("uinit"), PageRequest::whole())), None);
    }
}
