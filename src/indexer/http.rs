//! HTTP: the indexer API over the index, and the listener that other APIs may join with routes of their own.

mod api;
mod cache;
mod chain;
mod cleanup;
mod evm;
mod forms;
mod guard;
mod head_size;
mod nft;
mod paging;
mod reply;
mod request;
mod request_line;
mod rich_list;
mod route;
mod schema;
mod seeking;
mod swagger;
mod table;
mod value;

pub(crate) use self::{
    api::Api,
    cache::ResponseCache,
    reply::{HttpRefusal, Reply},
    request::{HttpRequest, decode},
    route::{ParameterType, QueryParameter, RouteEntry, Routes},
    schema::{JsonField, JsonForm, ObjectForm},
};

use std::{io, net::TcpListener, sync::Arc, time::Duration};

use self::request_line::LenientListener;
use axum::Router;
use tokio_util::sync::CancellationToken;

use crate::domain::Vm;

/// How long open requests may take when the server stops.
const GRACE: Duration = Duration::from_millis(500);

/// The routes of the indexer API.
pub(crate) fn routes(api: &Arc<Api>) -> Routes {
    let routes = Routes::default().with(api, table::ROUTES);
    match api.vm {
        Vm::Evm => routes.with(api, table::EVM_ROUTES),
        Vm::Move | Vm::Wasm => routes.without(table::EVM_ROUTES, evm::unavailable),
    }
}

/// These routes and those that describe them: `/swagger`.
pub(crate) fn described(routes: Routes, api: &Api) -> Routes {
    let document = Arc::new(swagger::SwaggerDocument::new(routes.descriptions().collect(), api.quirks));
    routes.with(&document, swagger::ROUTES)
}

/// Serves until it is told to stop. Connections that come before `app` is there wait for it.
pub(crate) fn serve(
    listener: TcpListener,
    app: impl Future<Output = Router>,
    stop: &CancellationToken,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let listener = LenientListener(tokio::net::TcpListener::from_std(listener)?);
        let app = tokio::select! {
            app = app => app,
            () = stop.cancelled() => return Ok(()),
        };
        let app = app.layer(axum::middleware::from_fn(head_size::check));
        let until = stop.clone().cancelled_owned();
        let serving = axum::serve(listener, app).with_graceful_shutdown(until);
        tokio::select! {
            ended = serving => ended,
            () = async { stop.cancelled().await; tokio::time::sleep(GRACE).await } => Ok(()),
        }
    });
    runtime.shutdown_timeout(GRACE);
    result
}
