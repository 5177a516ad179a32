//! A listener that slow and silent clients cannot hold up: what each of them costs is bounded.

use std::{
    io,
    net::TcpListener,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{Router, body::Body, extract::Request, http::Response};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    sync::Semaphore,
    time::{Instant, Sleep, sleep},
};
use tokio_util::sync::CancellationToken;

use super::reply::{HttpRefusal, Reply};

/// How long open requests may take when the server stops.
const GRACE: Duration = Duration::from_millis(500);

/// Answers that are smaller than this are sent whatever waits to be read.
const SMALL: usize = 64 * 1024;

/// What clients may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListenLimits {
    /// Connections at once; others wait until one of them ends.
    pub(crate) connections: usize,
    /// Bytes of a request's head.
    pub(crate) head_bytes: usize,
    /// How long a head may take, and a connection may be silent before it.
    pub(crate) head_time: Duration,
    /// How long an answer may take to be made.
    pub(crate) request_time: Duration,
    /// How long a client may read nothing of an answer.
    pub(crate) write_time: Duration,
    /// Bytes of large answers that wait to be read, of all clients together.
    pub(crate) waiting_bytes: usize,
}

impl Default for ListenLimits {
    fn default() -> Self {
        Self {
            connections: 256,
            head_bytes: 32 * 1024,
            head_time: Duration::from_secs(10),
            request_time: Duration::from_secs(60),
            write_time: Duration::from_secs(30),
            waiting_bytes: 128 << 20,
        }
    }
}

/// Serves until it is told to stop. Connections that come before `app` is there wait for it.
pub(crate) fn serve(
    listener: TcpListener,
    app: impl Future<Output = Router>,
    limits: ListenLimits,
    stop: &CancellationToken,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let app = tokio::select! {
            app = app => app,
            () = stop.cancelled() => return Ok(()),
        };
        accept(&listener, &bounded(app, limits), limits, stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(GRACE);
    result
}

/// The same with bounds for what its answers cost.
fn bounded(app: Router, limits: ListenLimits) -> Router {
    let waiting = Arc::new(Semaphore::new(limits.waiting_bytes));
    app.layer(axum::middleware::from_fn(move |request: Request, next: axum::middleware::Next| {
        let waiting = Arc::clone(&waiting);
        async move {
            match tokio::time::timeout(limits.request_time, next.run(request)).await {
                Ok(response) => counted(response, &waiting),
                Err(_) => Reply::from(HttpRefusal::Overloaded("this takes too long; ask for less")).into_response(),
            }
        }
    }))
}

/// The answer, counted among those that wait to be read until it is sent; a refusal where too many do.
fn counted(response: Response<Body>, waiting: &Arc<Semaphore>) -> Response<Body> {
    let size = axum::body::HttpBody::size_hint(response.body()).exact().unwrap_or(0);
    let Some(size) = usize::try_from(size).ok().filter(|size| *size > SMALL) else { return response };
    let permits = u32::try_from(size).unwrap_or(u32::MAX);
    match Arc::clone(waiting).try_acquire_many_owned(permits) {
        Ok(permit) => response.map(|body| Body::new(WaitingBody { body, _permit: permit })),
        Err(_) => Reply::from(HttpRefusal::Overloaded("too many answers wait to be read; try again in a second"))
            .into_response(),
    }
}

/// A body that is counted for as long as it is there.
struct WaitingBody {
    body: Body,
    _permit: tokio::sync::OwnedSemaphorePermit,
}

impl axum::body::HttpBody for WaitingBody {
    type Data = <Body as axum::body::HttpBody>::Data;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<hyper::body::Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        // Not before it is dropped: what was handed over may still wait.
        false
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        self.body.size_hint()
    }
}

async fn accept(listener: &tokio::net::TcpListener, app: &Router, limits: ListenLimits, stop: &CancellationToken) {
    let connections = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    loop {
        let accepted = async {
            let permit = Arc::clone(&connections).acquire_owned().await.ok()?;
            Some((listener.accept().await, permit))
        };
        let (accepted, permit) = tokio::select! {
            accepted = accepted => match accepted {
                Some(accepted) => accepted,
                None => return,
            },
            () = stop.cancelled() => break,
        };
        let Ok((stream, _)) = accepted else {
            // Out of descriptors: one of them ends sooner or later.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Without it the end of a long page waits for the client's acknowledgement.
        let _ = stream.set_nodelay(true);
        let io = TokioIo::new(ImpatientStream::new(stream, limits.write_time));
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head_time)
            .max_buf_size(limits.head_bytes)
            .serve_connection(io, TowerToHyperService::new(app.clone()));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // What went wrong with a connection its client knows.
            drop(connection.await);
            drop(permit);
        });
    }
    tokio::select! {
        () = graceful.shutdown() => {}
        () = sleep(GRACE) => {}
    }
}

/// A connection that ends when its client reads nothing for too long.
#[derive(Debug)]
struct ImpatientStream {
    stream: TcpStream,
    patience: Duration,
    /// Runs while something waits to be read.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl ImpatientStream {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, deadline: None }
    }

    /// What a write came to, or its end where it has been waiting for too long.
    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let patience = self.patience;
        let deadline =
            self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + patience)));
        match deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for ImpatientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for ImpatientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
