//! HTTP: the indexer API over the index, and a listener that other APIs can share.

mod answers;
mod api;
mod cache;
mod chain;
mod cleanup;
mod coding;
mod evm;
mod guard;
mod head_size;
mod listen;
mod metrics;
mod nft;
mod operator;
mod paging;
mod reply;
mod request;
mod request_line;
mod rich_list;
mod route;
mod sample;
mod schema;
mod seeking;
mod swagger;
mod table;
mod value;

pub(crate) use self::{
    answers::AnswerCache,
    api::Api,
    cache::ResponseCache,
    listen::{BoundListener, serve},
    metrics::{HttpMetrics, MetricsRegistry, gauge},
    operator::{
        ChainView, OperatorView, READY, answer as answer_operator, answer_fleet, answer_of_process, is_of_process,
        is_operators, operator_refusal,
    },
    paging::key_height,
    reply::{HttpRefusal, Reply},
    request::{HttpRequest, QueryString, decode},
    route::{ParameterType, QueryParameter, RouteEntry, Routes},
    sample::{IndexSample, IndexSampler},
    schema::{ANYTHING, SchemaName, check},
};

pub use self::{
    listen::{ListenAddress, ListenOptions},
    metrics::{ChainMetrics, NodeMetrics},
};

use std::sync::Arc;

use crate::domain::Vm;

pub(crate) fn routes(api: &Arc<Api>) -> Routes {
    let routes = Routes::default().with(api, table::ROUTES);
    let routes = if api.quirks { routes } else { routes.with(api, table::OWN_ROUTES) };
    match api.vm {
        Vm::Evm => routes.with(api, table::EVM_ROUTES),
        Vm::Move | Vm::Wasm => routes.without(table::EVM_ROUTES, evm::unavailable),
    }
}

/// Adds `/swagger`, which describes these routes.
pub(crate) fn described(routes: Routes, api: &Api) -> Routes {
    let document = Arc::new(swagger::SwaggerDocument::new(routes.descriptions().collect(), api.quirks));
    routes.with(&document, swagger::ROUTES).in_mode(api.quirks)
}
