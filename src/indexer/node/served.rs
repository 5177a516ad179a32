//! Indexer API of one chain's index, whatever listens.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, Method, Response, header},
};
use tokio::sync::watch;

use super::ServiceOptions;
use crate::{
    domain::{Height, Timestamp},
    indexer::{
        http::{
            self, AnswerCache, Api, ChainMetrics, ChainView, HttpRefusal, IndexSampler, OperatorView, Reply,
            ResponseCache, Routes,
        },
        index::Index,
        progress::{NodeProgress, ReadyLimits},
    },
};

/// Time for a file to get the block of a page key.
const REACH: Duration = Duration::from_secs(2);

/// Blocks above the node's newest, and for each second since the writer stored it, that another reader may have.
const AHEAD: u64 = 100_000;
const PACE: u64 = 100;

/// Index of one chain with its API and its paths for operators.
#[derive(Debug)]
pub(super) struct ServedIndex {
    api: Arc<Api>,
    routes: Arc<Routes>,
    /// Kept answers; `None` for the imitated server, which keeps its answers for a time, whatever happens.
    answers: Option<AnswerCache>,
    metrics: ChainMetrics,
    sampler: Arc<IndexSampler>,
    progress: watch::Receiver<NodeProgress>,
    failure: Mutex<Option<String>>,
    is_public: bool,
    ready: ReadyLimits,
    /// Whether another process writes the index.
    is_reader: bool,
}

impl ServedIndex {
    pub(super) fn new(
        index: &Arc<Index>,
        metrics: ChainMetrics,
        progress: watch::Receiver<NodeProgress>,
        options: ServiceOptions,
    ) -> Arc<Self> {
        let ServiceOptions { quirks, is_public, ready, .. } = options;
        let api = Api::new(Arc::clone(index), quirks, options.follow.has_rich_list).with_progress(progress.clone());
        let api = Arc::new(api);
        let mut routes = http::routes(&api);
        if quirks {
            routes = routes.kept_in(ResponseCache::new(Timestamp::now));
        }
        let routes = Arc::new(http::described(routes, &api));
        let keep = || AnswerCache::new(index, &routes, progress.clone(), metrics.queries.clone(), is_public);
        let answers = (!quirks).then(keep);
        let is_reader = index.writers_progress().is_some();
        Arc::new(Self {
            api,
            routes,
            answers,
            metrics,
            sampler: IndexSampler::new(index),
            progress,
            failure: Mutex::default(),
            is_public,
            ready,
            is_reader,
        })
    }

    pub(super) fn index(&self) -> &Arc<Index> {
        &self.api.index
    }

    /// Returns why the index is no longer written or served; `None` while it is.
    pub(super) fn failure(&self) -> Option<String> {
        lock(&self.failure).clone()
    }

    /// Records and logs the failure with which a thread of the index ended.
    pub(super) fn fail(&self, failure: String) {
        tracing::error!(error = failure, "the node's index stopped");
        *lock(&self.failure) = Some(failure);
    }

    /// Returns the state for operators, which waits for no store.
    pub(super) async fn view(&self) -> ChainView<'_> {
        let sample = self.sampler.sample().await;
        let (progress, failure) = (self.progress.borrow().clone(), self.failure());
        let store_trouble = self.api.index.store_trouble();
        ChainView::new(&self.metrics, self.ready, OperatorView { sample, progress, store_trouble, failure })
    }

    /// Answers a request to a path of the API, or to one for operators if the index is public.
    pub(super) async fn answer(self: Arc<Self>, request: Request) -> Response<Body> {
        let begun = Instant::now();
        let is_public = self.is_public;
        if is_public && http::is_operators(request.uri().path()) {
            let (parts, _) = request.into_parts();
            let (path, headers) = (parts.uri.path(), &parts.headers);
            if let Some(refusal) = http::operator_refusal(&parts.method) {
                return Reply::from(refusal).into_response();
            }
            if http::is_of_process(path) {
                return http::answer_of_process(path, headers, String::new).into_response();
            }
            return http::answer_operator(path, headers, &self.view().await).into_response();
        }
        self.take_up_changes().await;
        let is_preflight = is_public
            && request.method() == Method::OPTIONS
            && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let key = request.uri().query().and_then(http::key_height);
        let refusal = async {
            match self.refusal().await {
                Some(refusal) => Some(refusal),
                None => self.reach(key).await,
            }
        };
        let (route, mut response) = if let Some(answers) = self.answers.as_ref().filter(|_| is_read) {
            answers.answer(request, refusal).await
        } else {
            let route = self.routes.name_of(request.uri().path());
            let reply = match refusal.await {
                _ if is_preflight => Reply::no_content(),
                Some(refusal) => refusal.into(),
                None => self.routes.answer(request).await,
            };
            (route, reply.into_response())
        };
        self.metrics.take(route, response.status().as_u16(), begun.elapsed());
        if is_public {
            share(&mut response);
        }
        response
    }
}

/// Allows web pages of other sites to read the response.
pub(super) fn share(response: &mut Response<Body>) {
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "*"),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, "ETag, Retry-After, X-Oldest-Height"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
}

impl ServedIndex {
    /// Takes up what another process wrote. The request itself reports what cannot be read.
    async fn take_up_changes(self: &Arc<Self>) {
        if self.is_reader && self.api.index.is_on_server() {
            let served = Arc::clone(self);
            drop(tokio::task::spawn_blocking(move || served.api.index.refresh()).await);
        } else {
            drop(self.api.index.refresh());
        }
    }

    /// Returns the refusal of all requests to the API while the index is empty: an answer would claim that the chain
    /// is. `None` once the index has blocks; the process's own requests wait for them.
    async fn refusal(self: &Arc<Self>) -> Option<HttpRefusal> {
        let trouble = {
            let progress = self.progress.borrow();
            if progress.is_at_tip {
                return None;
            }
            progress.trouble.clone()
        };
        let served = Arc::clone(self);
        let bounds = tokio::task::spawn_blocking(move || served.api.index.bounds()).await;
        // What cannot be read may have blocks: the request itself reports the error.
        if !matches!(bounds, Ok(Ok(None))) {
            return None;
        }
        if !self.is_public {
            // The explorer of this process shows a start, not an error.
            drop(self.progress.clone().wait_for(|progress| progress.is_at_tip).await);
            return None;
        }
        if self.is_reader {
            return Some(HttpRefusal::Empty("the process that writes the index has written none".to_owned()));
        }
        let reason = lock(&self.failure).clone().or(trouble);
        Some(HttpRefusal::Empty(reason.unwrap_or_else(|| "the node's newest blocks are being read".to_owned())))
    }
}

impl ServedIndex {
    /// Returns the highest block that another reader may have, by the progress that the writer stored last.
    fn reachable(&self) -> u64 {
        let progress = self.progress.borrow();
        let age = progress.stored.map_or(0, |stored| Timestamp::now().since(stored).as_secs());
        progress.tip.map_or(0, Height::get).saturating_add(AHEAD).saturating_add(age.saturating_mul(PACE))
    }

    /// Waits until the file has the block of a page key, which another reader of the file may have had before; returns
    /// the refusal if that takes too long.
    async fn reach(self: &Arc<Self>, key: Option<u64>) -> Option<HttpRefusal> {
        let height = key.filter(|height| self.is_reader && *height <= self.reachable())?;
        let until = Instant::now() + REACH;
        loop {
            let served = Arc::clone(self);
            let bounds = tokio::task::spawn_blocking(move || served.api.index.bounds()).await;
            // Another error is that of the request.
            if bounds.is_ok_and(|bounds| bounds.is_ok_and(|bounds| bounds.is_none_or(|held| held.tip.get() >= height)))
            {
                return None;
            }
            if Instant::now() >= until {
                return Some(HttpRefusal::Behind(height));
            }
            tokio::time::sleep(REACH / 40).await;
        }
    }
}

/// Locks a mutex; no code panics halfway through a change, so a poisoned lock holds valid data.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
