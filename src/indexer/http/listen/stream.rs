//! Connection that tracks whether its client is idle, and ends when the client takes too long.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep},
};

use super::{address::PeerStream, slots::ConnectionSlot};

/// Connection that closes when its client does not read, or does not complete a request's head, for too long.
#[derive(Debug)]
pub(super) struct ImpatientStream {
    stream: PeerStream,
    patience: Duration,
    head_time: Duration,
    slot: Arc<ConnectionSlot>,
    /// Time limit for the client to read; `None` without unread bytes.
    deadline: Option<Pin<Box<Sleep>>>,
    /// Time limit for a head of which a part came, and the number of requests before it.
    head: Option<(u64, Pin<Box<Sleep>>)>,
}

impl ImpatientStream {
    pub(super) fn new(stream: PeerStream, patience: Duration, head_time: Duration, slot: Arc<ConnectionSlot>) -> Self {
        Self { stream, patience, head_time, slot, deadline: None, head: None }
    }

    /// Starts the time limit of a head whose first bytes came, and returns whether the current head took too long.
    fn takes_too_long(&mut self, context: &mut Context<'_>, has_read: bool) -> bool {
        let Some(requests) = self.slot.awaited_request() else {
            self.head = None;
            return false;
        };
        if self.head.as_ref().is_some_and(|(before, _)| *before != requests) {
            self.head = None;
        }
        if has_read && self.head.is_none() {
            self.head = Some((requests, Box::pin(tokio::time::sleep(self.head_time))));
        }
        self.head.as_mut().is_some_and(|(_, limit)| limit.as_mut().poll(context).is_ready())
    }

    /// Converts the result of a write; fails with a timeout if the write was pending for too long.
    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            if self.deadline.take().is_some() {
                self.slot.reads_again();
            }
            return written;
        }
        if self.deadline.is_none() {
            self.slot.reads_nothing();
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
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if self.takes_too_long(context, buffer.filled().len() > before) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
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
