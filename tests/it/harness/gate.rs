//! A gateway before an embedded rollup's node that lets through one interface alone.

use std::{
    net::{Ipv4Addr, TcpListener},
    thread::{self, JoinHandle},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    http::Response,
};
use tokio::sync::oneshot;

use super::replay::PATIENCE;

/// A running gateway; it ends when dropped.
pub(crate) struct NodeGate {
    /// Where it is.
    pub(crate) url: String,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<()>>,
}

impl NodeGate {
    /// Hands on what is asked under this path of a server, and nothing else.
    pub(crate) fn start(server: &str, path: &'static str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a loopback port is free");
        listener.set_nonblocking(true).expect("a listener can be asked without waiting");
        let url = format!("http://{}{path}", listener.local_addr().expect("a bound listener has an address"));
        let (stop, stopped) = oneshot::channel::<()>();
        let behind = server.to_owned();
        let client = rollscope::client::http_client().no_proxy().timeout(PATIENCE).build().expect("a client");
        let server = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).expect("it listens already");
                let router = Router::new().fallback(move |request: Request| {
                    let (client, behind) = (client.clone(), behind.clone());
                    async move { hand_on(&client, &behind, path, request).await }
                });
                tokio::select! {
                    ended = async { axum::serve(listener, router).await } => ended.expect("it serves until it is told"),
                    _ = stopped => {}
                }
            });
        });
        Self { url, stop: Some(stop), server: Some(server) }
    }
}

impl Drop for NodeGate {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(server) = self.server.take() {
            // A panic was reported when it happened.
            drop(server.join());
        }
    }
}

async fn hand_on(client: &reqwest::Client, behind: &str, path: &str, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
    let plain = |status: u16, body: Body| Response::builder().status(status).body(body).expect("a response");
    if !target.starts_with(path) {
        return plain(404, Body::from("not found"));
    }
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let asked = client.request(parts.method, format!("{behind}{target}")).body(body);
    let Ok(answer) = asked.send().await else { return plain(502, Body::from("nobody answers")) };
    let status = answer.status().as_u16();
    plain(status, Body::from(answer.bytes().await.unwrap_or_default()))
}
