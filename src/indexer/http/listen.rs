//! Listener with limited costs per client, so that slow and silent clients cannot block it.

mod address;
mod slots;
mod stream;

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError, Weak},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, Response, header},
};
use hyper::{
    body::Incoming,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use prometheus_client::metrics::gauge::Gauge;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

pub(crate) use self::address::BoundListener;
pub use self::address::ListenAddress;
use self::{
    address::{OpenListener, PeerStream},
    slots::{ConnectionSlot, ConnectionSlots},
    stream::ImpatientStream,
};
use super::{
    head_size,
    reply::{HttpRefusal, Reply},
    request_line::LenientStream,
};
use crate::domain::Timestamp;

/// Time limit for queries whose requests have ended, during shutdown.
const GRACE: Duration = Duration::from_millis(500);

/// Maximum bytes of a small response, which is sent regardless of unread responses.
const SMALL: usize = 16 * 1024;

/// Maximum connections that are being refused at one time; a further one is closed without a response.
const REFUSALS: usize = 64;

/// Time limit for a client to read that its connection is refused.
const REFUSAL_TIME: Duration = Duration::from_secs(1);

/// Response to a connection for which there is no slot.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n\
    content-length: 43\r\nretry-after: 1\r\nconnection: close\r\n\r\n\
    too many connections; try again in a second";

/// Limits that operators set.
#[derive(Clone, Copy, Debug)]
pub struct ListenOptions {
    /// Maximum connections. A further connection closes the one that was idle for the longest, if that was for long, or
    /// is refused.
    pub connections: usize,
    /// Time limit for open requests during shutdown.
    pub drain: Duration,
    /// Permissions of a unix socket's file; `None` for those of the process's umask.
    pub socket_mode: Option<u32>,
}

impl Default for ListenOptions {
    fn default() -> Self {
        Self { connections: 256, drain: Duration::from_millis(500), socket_mode: None }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ListenLimits {
    pub(crate) options: ListenOptions,
    /// Minimum idle time of a connection that is closed for another.
    pub(crate) spare_time: Duration,
    /// Maximum idle time of a connection.
    pub(crate) idle_time: Duration,
    /// Maximum bytes of a request head.
    pub(crate) head_bytes: usize,
    /// Time limit for a request head from its first byte.
    pub(crate) head_time: Duration,
    pub(crate) request_time: Duration,
    /// Time limit for a client that does not read its response.
    pub(crate) write_time: Duration,
    /// Maximum bytes of unread large responses of all clients together.
    pub(crate) waiting_bytes: usize,
}

impl From<ListenOptions> for ListenLimits {
    fn from(options: ListenOptions) -> Self {
        Self {
            options,
            spare_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(75),
            head_bytes: 32 * 1024,
            head_time: Duration::from_secs(10),
            request_time: Duration::from_secs(60),
            write_time: Duration::from_secs(30),
            waiting_bytes: 128 << 20,
        }
    }
}

/// Serves until stopped; `open` tells the number of connections. Connections wait until `app` is ready.
pub(crate) fn serve(
    listener: BoundListener,
    app: impl Future<Output = Router>,
    limits: ListenLimits,
    open: Gauge,
    stop: &CancellationToken,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let listener = OpenListener::new(listener)?;
        let app = tokio::select! {
            app = app => app,
            () = stop.cancelled() => return Ok(()),
        };
        accept(listener, &bounded(app, limits), limits, open, stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(GRACE);
    result
}

fn bounded(app: Router, limits: ListenLimits) -> Router {
    let waiting = Arc::new(Semaphore::new(limits.waiting_bytes));
    app.layer(axum::middleware::from_fn(head_size::check)).layer(axum::middleware::from_fn(
        move |request: Request, next: axum::middleware::Next| {
            let waiting = Arc::clone(&waiting);
            async move {
                match tokio::time::timeout(limits.request_time, next.run(request)).await {
                    Ok(response) => counted(response, &waiting),
                    Err(_) => Reply::from(HttpRefusal::Overloaded("this request takes too long; request less"))
                        .into_response(),
                }
            }
        },
    ))
}

/// Mark of responses with one body in memory, which counts once however many of them are being sent.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedBody(Arc<Mutex<Weak<OwnedSemaphorePermit>>>);

impl SharedBody {
    /// Returns the permit of the body; `acquire` makes it for the first response.
    fn permit(&self, acquire: impl FnOnce() -> Option<Arc<OwnedSemaphorePermit>>) -> Option<Arc<OwnedSemaphorePermit>> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let permit = held.upgrade().or_else(acquire)?;
        *held = Arc::downgrade(&permit);
        Some(permit)
    }
}

/// Counts a response as unread until it is sent; replaces it by an error beyond the limit.
fn counted(mut response: Response<Body>, waiting: &Arc<Semaphore>) -> Response<Body> {
    let size = axum::body::HttpBody::size_hint(response.body()).exact().unwrap_or(0);
    let Some(size) = usize::try_from(size).ok().filter(|size| *size > SMALL) else { return response };
    let permits = u32::try_from(size).unwrap_or(u32::MAX);
    let acquire = || Arc::clone(waiting).try_acquire_many_owned(permits).ok().map(Arc::new);
    let permit = response.extensions_mut().remove::<SharedBody>().unwrap_or_default().permit(acquire);
    match permit {
        Some(permit) => response.map(|body| Body::new(HeldBody::new(body, permit))),
        None => {
            Reply::from(HttpRefusal::Overloaded("too many unread responses; try again in a second")).into_response()
        }
    }
}

/// Body that holds a value until it is dropped.
struct HeldBody<T> {
    body: Body,
    is_empty: bool,
    _held: T,
}

impl<T> HeldBody<T> {
    fn new(body: Body, held: T) -> Self {
        let is_empty = axum::body::HttpBody::is_end_stream(&body);
        Self { body, is_empty, _held: held }
    }
}

impl<T: Unpin + Send + 'static> axum::body::HttpBody for HeldBody<T> {
    type Data = <Body as axum::body::HttpBody>::Data;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        // Wait for the drop: data that the body handed over may still be unread.
        self.is_empty
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        self.body.size_hint()
    }
}

async fn accept(listener: OpenListener, app: &Router, limits: ListenLimits, open: Gauge, stop: &CancellationToken) {
    let slots = ConnectionSlots::new(limits.options.connections, limits.spare_time, open);
    let refusals = Arc::new(Semaphore::new(REFUSALS));
    let graceful = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let Ok(stream) = accepted else {
            // The process has no free file descriptor; wait until another connection releases one.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        match slots.enter() {
            Some(slot) => connect(stream, app, limits, slot, &graceful),
            None => {
                if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                    tokio::spawn(refuse(stream, permit));
                }
            }
        }
    }
    // Further clients are refused by the system, and another process can take the address.
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = sleep(limits.options.drain) => {}
    }
}

/// Answers a connection without a slot, whatever its request, and closes it.
async fn refuse(mut stream: PeerStream, _permit: OwnedSemaphorePermit) {
    let refused = async {
        stream.write_all(REFUSAL).await?;
        stream.shutdown().await?;
        // Closing with unread bytes would reset the connection before the client reads the response.
        let mut unread = [0; 1024];
        while stream.read(&mut unread).await? > 0 {}
        Ok::<_, io::Error>(())
    };
    // The client may have gone.
    drop(timeout(REFUSAL_TIME, refused).await);
}

/// Serves a connection until it ends or must make room.
fn connect(stream: PeerStream, app: &Router, limits: ListenLimits, slot: ConnectionSlot, graceful: &GracefulShutdown) {
    let (slot, app) = (Arc::new(slot), TowerToHyperService::new(app.clone()));
    let stream = ImpatientStream::new(stream, limits.write_time, limits.head_time, Arc::clone(&slot));
    let io = TokioIo::new(LenientStream::new(stream));
    let answering = Arc::clone(&slot);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let (answered, answering) = (app.call(request), answering.answer());
        async move {
            let mut response = answered.await?;
            // hyper keeps the later of two times, also after the clock was set back.
            if let Ok(now) = HeaderValue::try_from(Timestamp::now().http_date()) {
                response.headers_mut().insert(header::DATE, now);
            }
            Ok::<_, std::convert::Infallible>(response.map(|body| HeldBody::new(body, answering)))
        }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.idle_time)
        .max_buf_size(limits.head_bytes)
        .serve_connection(io, service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        tokio::select! {
            // The client notices errors of its connection.
            ended = connection => drop(ended),
            () = slot.has_to_go() => {}
        }
    });
}

#[cfg(test)]
mod tests;
