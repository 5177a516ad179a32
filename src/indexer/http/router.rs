//! The routing API and the demo wallet, which stands in for the application that signs.

use axum::http::{Method, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    query::Query,
    reply::{READING, Refusal, Reply, json},
};
use crate::{
    demo::{
        router::{error::RouterError, service::Call},
        shared::Shared,
    },
    domain::{ChainId, text::clip},
    wire::router::{
        BroadcastRequest, ChainsResponse, MsgsRequest, OpHookRequest, RouteRequest, SignRequest, TrackRequest,
    },
};

/// Bytes that a body may have.
pub(super) const BODY_BYTES: usize = 1024 * 1024;

/// Chains that one question about assets may name.
const MOST_CHAINS: usize = 100;

/// A route of the routing API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RouterRoute {
    Route,
    OpHook,
    Msgs,
    Track,
    RetryTrack,
    Status,
    Chains,
    Assets,
    Bridges,
}

/// A route of the demo wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalletRoute<'a> {
    Sign,
    Broadcast,
    Tx { chain_id: &'a str, tx_hash: &'a str },
}

impl RouterRoute {
    /// Whether it takes a body.
    pub(super) fn is_posted(self) -> bool {
        !matches!(self, Self::Status | Self::Chains | Self::Assets | Self::Bridges)
    }
}

impl WalletRoute<'_> {
    /// Whether it takes a body.
    pub(super) fn is_posted(self) -> bool {
        !matches!(self, Self::Tx { .. })
    }
}

/// Refuses the methods that a route does not have.
pub(super) fn check_method(is_posted: bool, method: &Method) -> Result<(), Refusal> {
    match (is_posted, method) {
        (true, &Method::POST) | (false, &Method::GET | &Method::HEAD) => Ok(()),
        (true, _) => Err(Refusal::Method("POST")),
        (false, _) => Err(Refusal::Method(READING)),
    }
}

/// Answers for the routing API.
pub(super) fn answer(shared: &Shared, route: RouterRoute, query: &Query, body: &[u8]) -> Result<Reply, Refusal> {
    let (router, now, faults) = (shared.router(), shared.chain_now(), shared.faults());
    let call = Call { now, faults: &faults, home: shared };
    match route {
        RouterRoute::Route => Reply::json(&router.world().route(&read::<RouteRequest>(body)?, now)?),
        RouterRoute::OpHook => Reply::json(&router.world().op_hook(&read::<OpHookRequest>(body)?)?),
        RouterRoute::Msgs => {
            let response = router.msgs(&read::<MsgsRequest>(body)?, now)?;
            with_old_form(&json(&response)?)
        }
        RouterRoute::Track | RouterRoute::RetryTrack => Reply::json(&router.track(&read::<TrackRequest>(body)?, call)?),
        RouterRoute::Status => {
            let needed = |name: &str| {
                query.first(name).filter(|value| !value.is_empty()).map(str::to_owned).ok_or_else(|| {
                    RouterError::invalid(format!("{name} is missing: /v2/tx/status?tx_hash=…&chain_id=…"))
                })
            };
            let request = TrackRequest { tx_hash: needed("tx_hash")?, chain_id: ChainId::new(needed("chain_id")?) };
            Reply::json(&router.status(&request, call)?)
        }
        RouterRoute::Chains => Reply::json(&ChainsResponse { chains: router.world().chains() }),
        RouterRoute::Assets => {
            let named = query.all("chain_ids").flat_map(|value| value.split(','));
            let chains: Vec<ChainId> = named.filter(|id| !id.is_empty()).take(MOST_CHAINS).map(ChainId::new).collect();
            Reply::json(&router.world().assets(&chains))
        }
        RouterRoute::Bridges => {
            let bridges = ["IBC", "OPINIT", "CCTP", "GO_FAST"].map(|id| json!({ "id": id }));
            Reply::json(&json!({ "bridges": bridges }))
        }
    }
}

/// Answers for the demo wallet.
pub(super) fn wallet(shared: &Shared, route: WalletRoute<'_>, body: &[u8]) -> Result<Reply, Refusal> {
    let (router, now, faults) = (shared.router(), shared.chain_now(), shared.faults());
    match route {
        WalletRoute::Sign => {
            let (signer, hook) = router.sign(&read::<SignRequest>(body)?)?;
            Reply::json(&Signed { signer, hook })
        }
        WalletRoute::Broadcast => {
            let call = Call { now, faults: &faults, home: shared };
            Reply::json(&router.broadcast(&read::<BroadcastRequest>(body)?, call)?)
        }
        WalletRoute::Tx { chain_id, tx_hash } => {
            let unknown = || RouterError::not_found(format!("no transaction {} there", clip(tx_hash, 70)));
            Reply::json(&router.light_tx(chain_id, tx_hash, now).ok_or_else(unknown)?)
        }
    }
}

/// A signed hook.
#[derive(Debug, Serialize)]
struct Signed {
    signer: String,
    hook: String,
}

/// Reads a body; what is wrong is said with the field's name.
fn read<'de, T: Deserialize<'de>>(body: &'de [u8]) -> Result<T, RouterError> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let field = error.path().to_string();
        let field = if field == "." { "body".to_owned() } else { clip(&field, 80) };
        RouterError::invalid(format!("{field}: {}", clip(&error.inner().to_string(), 200)))
    })?;
    json.end().map_err(|_| RouterError::invalid("body: there is text after the JSON"))?;
    Ok(read)
}

/// The answer as it is, and where it lacks them the deprecated `msgs` beside `txs` (`wire/router.md` §3.2).
fn with_old_form(answer: &str) -> Result<Reply, Refusal> {
    let mut answer: serde_json::Value = serde_json::from_str(answer).map_err(|_| Refusal::Internal)?;
    let messages: Vec<serde_json::Value> =
        answer["txs"].as_array().into_iter().flatten().flat_map(old_messages).collect();
    if let Some(fields) = answer.as_object_mut() {
        fields.entry("msgs").or_insert(messages.into());
    }
    Reply::json(&answer)
}

/// The messages of a transaction in the deprecated form: each with its chain and path.
fn old_messages(tx: &serde_json::Value) -> Vec<serde_json::Value> {
    let cosmos = &tx["cosmos_tx"];
    let multi_chain = |message: &serde_json::Value| {
        json!({ "multi_chain_msg": {
            "chain_id": cosmos["chain_id"],
            "path": cosmos["path"],
            "msg": message["msg"],
            "msg_type_url": message["msg_type_url"],
        } })
    };
    match (cosmos["msgs"].as_array(), tx.get("evm_tx")) {
        (Some(messages), _) => messages.iter().map(multi_chain).collect(),
        (None, Some(evm)) => vec![json!({ "evm_tx": evm })],
        (None, None) => Vec::new(),
    }
}

impl From<RouterError> for Refusal {
    fn from(error: RouterError) -> Self {
        Self::Router(error)
    }
}

/// The HTTP status of a refusal.
pub(super) fn status_of(error: &RouterError) -> StatusCode {
    StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
