//! Request lines with signs that a URL may not have: the real server takes them as they are, the HTTP library here
//! would close the connection with a bare 400. They are escaped before it reads them.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes that are read at once.
const CHUNK: usize = 8192;
/// Bytes of a header line that are looked at: those that tell of a body are shorter.
const HEADER: usize = 64;

/// A connection: what is read from it has its request lines escaped.
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
            let mut bytes = [0; CHUNK];
            let mut read = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut this.stream).poll_read(cx, &mut read))?;
            this.ready.clear();
            this.given = 0;
            this.escaper.pass(read.filled(), &mut this.ready);
        }
        let rest = &this.ready[this.given..];
        let count = rest.len().min(out.remaining());
        out.put_slice(&rest[..count]);
        this.given += count;
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

/// Where in a connection's requests one is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RequestPart {
    #[default]
    Line,
    Headers,
    /// So many bytes of a body follow.
    Body(u64),
    /// Where the next request begins is not known: nothing is touched any more.
    Unknown,
}

/// Follows the requests of a connection and escapes their first lines alone.
#[derive(Debug, Default)]
struct LineEscaper {
    part: RequestPart,
    /// Whether the line that one is in has anything so far.
    is_begun: bool,
    is_query: bool,
    header: Vec<u8>,
    /// What the headers say of the body.
    body: BodyLength,
}

/// How long a body is.
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
    /// Passes bytes on as they came one after another.
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
                    out.extend_from_slice(&bytes[..count]);
                    self.part = match left - count as u64 {
                        0 => RequestPart::Line,
                        left => RequestPart::Body(left),
                    };
                    bytes = &bytes[count..];
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
            // Empty lines may stand before a request.
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
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return };
        let (name, value) = (line[..colon].trim_ascii().to_ascii_lowercase(), line[colon + 1..].trim_ascii());
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
