//! Escaper of request lines. The real server accepts characters that are invalid in a URL, but this HTTP library would
//! answer with a bare 400, so they are escaped before parsing.

use std::{
    io,
    mem::MaybeUninit,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Maximum bytes per read.
const CHUNK: usize = 8192;
/// Maximum examined bytes of a header line; the headers about a body are shorter.
const HEADER: usize = 64;

/// Connection that escapes request lines while it is read.
pub(super) struct LenientStream<S> {
    stream: S,
    escaper: LineEscaper,
    ready: Vec<u8>,
    given: usize,
}

impl<S> LenientStream<S> {
    pub(super) fn new(stream: S) -> Self {
        Self { stream, escaper: LineEscaper::default(), ready: Vec::new(), given: 0 }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LenientStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.given == this.ready.len() {
            let mut bytes = [MaybeUninit::uninit(); CHUNK];
            let mut read = ReadBuf::uninit(&mut bytes);
            ready!(Pin::new(&mut this.stream).poll_read(cx, &mut read))?;
            this.ready.clear();
            this.given = 0;
            this.escaper.pass(read.filled(), &mut this.ready);
        }
        let rest = this.ready.get(this.given..).unwrap_or_default();
        let given = rest.get(..out.remaining()).unwrap_or(rest);
        out.put_slice(given);
        this.given += given.len();
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LenientStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Part of a request at the current byte of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RequestPart {
    #[default]
    Line,
    Headers,
    /// Body of which this number of bytes remains.
    Body(u64),
    /// The start of the next request is unknown: bytes pass unchanged.
    Unknown,
}

#[derive(Debug, Default)]
struct LineEscaper {
    part: RequestPart,
    /// Whether the current line has bytes.
    is_begun: bool,
    is_query: bool,
    header: Vec<u8>,
    body: BodyLength,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyLength {
    Known(u64),
    Unknown,
}

impl Default for BodyLength {
    fn default() -> Self {
        Self::Known(0)
    }
}

impl LineEscaper {
    /// Passes bytes to `out` in order, escaped where needed.
    fn pass(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        while let Some((&byte, rest)) = bytes.split_first() {
            match self.part {
                RequestPart::Line => self.pass_in_line(byte, out),
                RequestPart::Headers => {
                    out.push(byte);
                    self.note_in_headers(byte);
                }
                RequestPart::Body(left) => {
                    let count = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
                    let (body, after) = bytes.split_at(count);
                    out.extend_from_slice(body);
                    self.part = match left - count as u64 {
                        0 => RequestPart::Line,
                        left => RequestPart::Body(left),
                    };
                    bytes = after;
                    continue;
                }
                RequestPart::Unknown => return out.extend_from_slice(bytes),
            }
            bytes = rest;
        }
    }

    fn pass_in_line(&mut self, byte: u8, out: &mut Vec<u8>) {
        match byte {
            b'<' | b'>' | b'`' => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
            b'"' if self.is_query => out.extend_from_slice(b"%22"),
            byte => out.push(byte),
        }
        match byte {
            // Empty lines may precede a request.
            b'\n' if self.is_begun => *self = Self { part: RequestPart::Headers, ..Self::default() },
            b'\r' | b'\n' => {}
            b'?' => (self.is_begun, self.is_query) = (true, true),
            _ => self.is_begun = true,
        }
    }

    fn note_in_headers(&mut self, byte: u8) {
        if byte != b'\n' {
            if self.header.len() < HEADER {
                self.header.push(byte);
            }
            return;
        }
        let line = std::mem::take(&mut self.header);
        let line = line.trim_ascii();
        if line.is_empty() {
            let part = match self.body {
                BodyLength::Known(0) => RequestPart::Line,
                BodyLength::Known(length) => RequestPart::Body(length),
                BodyLength::Unknown => RequestPart::Unknown,
            };
            *self = Self { part, ..Self::default() };
            return;
        }
        let mut halves = line.splitn(2, |byte| *byte == b':');
        let (Some(name), Some(value)) = (halves.next(), halves.next()) else { return };
        let (name, value) = (name.trim_ascii().to_ascii_lowercase(), value.trim_ascii());
        match name.as_slice() {
            b"content-length" if self.body != BodyLength::Unknown => {
                let length = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
                self.body = length.map_or(BodyLength::Unknown, BodyLength::Known);
            }
            b"transfer-encoding" | b"upgrade" => self.body = BodyLength::Unknown,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_request_lines_are_escaped_however_the_bytes_are_cut() {
        let sent = "\r\nGET /a<b>/\"`?q=\"<\" HTTP/1.1\r\nHost: <\"x\">\r\nContent-Length : 7\r\n\r\n<GET /<\
                    POST /<>?a HTTP/1.1\r\nx:y\n\nGET /\"<? HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n<\r\n\
                    GET /<> HTTP/1.1\r\n";
        let expected = "\r\nGET /a%3Cb%3E/\"%60?q=%22%3C%22 HTTP/1.1\r\nHost: <\"x\">\r\nContent-Length : 7\r\n\r\n<GET /<\
                        POST /%3C%3E?a HTTP/1.1\r\nx:y\n\nGET /\"%3C? HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\
                        <\r\nGET /<> HTTP/1.1\r\n";
        for size in 1..sent.len() {
            let (mut escaper, mut out) = (LineEscaper::default(), Vec::new());
            sent.as_bytes().chunks(size).for_each(|chunk| escaper.pass(chunk, &mut out));
            assert_eq!(String::from_utf8_lossy(&out), expected, "{size}");
        }
    }
}
