//! The part of HTTP/1.1 (RFC 9112) that pages on the same machine need: one request per connection.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr};

/// The longest head of a request, and the longest body.
const HEAD: u64 = 16 << 10;
const BODY: u64 = 4 << 20;

/// Headers that we read, and that a request may have only once.
const ONCE: [&str; 4] = ["host", "content-length", "content-type", "origin"];

/// Headers of all responses: pages may run only their own scripts.
const ALWAYS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\nCross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\nCross-Origin-Resource-Policy: same-origin\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n";

/// A request.
pub(super) struct Request {
    pub(super) method: String,
    /// Without the query string.
    pub(super) path: String,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// Reads a request; an error is the status to refuse it with.
    pub(super) fn read(stream: impl Read) -> Result<Request, &'static str> {
        const BAD: &str = "400 Bad Request";
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => "408 Request Timeout",
            _ => BAD,
        };
        let mut reader = BufReader::new(stream);
        let mut left = HEAD;
        let mut line = || {
            let mut text = Vec::new();
            let read = reader.by_ref().take(left).read_until(b'\n', &mut text).map_err(failed)?;
            left -= read as u64;
            let text = String::from_utf8(text).map_err(|_| BAD)?;
            let line = text.strip_suffix('\n').map(str::trim_end).ok_or(BAD)?;
            // A proxy before us could end the line at such a character.
            let is_plain = !line.contains(|c: char| c.is_control() && c != '\t');
            is_plain.then(|| line.to_owned()).ok_or(BAD)
        };
        let first = line()?;
        let mut words = first.split(' ');
        let (Some(method), Some(target), Some("HTTP/1.1" | "HTTP/1.0")) =
            (words.next(), words.next(), words.next())
        else {
            return Err(BAD);
        };
        let path = target.split('?').next().filter(|path| path.starts_with('/')).ok_or(BAD)?.to_owned();
        let method = method.to_owned();
        let mut headers = Vec::new();
        loop {
            let line = line()?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').ok_or(BAD)?;
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        let mut request = Request { method, path, headers, body: Vec::new() };
        // A proxy before us could choose the other of two headers, or read a chunked body, and so see another
        // request than we do.
        if ONCE.iter().any(|name| request.headers.iter().filter(|(known, _)| known == name).count() > 1) {
            return Err(BAD);
        }
        if request.header("transfer-encoding").is_some() {
            return Err("501 Not Implemented");
        }
        let length = match request.header("content-length") {
            Some(text) if text.bytes().all(|b| b.is_ascii_digit()) => text.parse::<u64>().map_err(|_| BAD)?,
            Some(_) => return Err(BAD),
            None => 0,
        };
        if length > BODY {
            return Err("413 Content Too Large");
        }
        // Memory grows with the bytes received, not with the promised length.
        reader.take(length).read_to_end(&mut request.body).map_err(failed)?;
        if request.body.len() as u64 == length { Ok(request) } else { Err(BAD) }
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The host that the request asks for, without the port; empty if there is none.
    fn host(&self) -> &str {
        let host = self.header("host").unwrap_or_default();
        match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        }
    }

    /// Whether the request asks for this machine by a safe name: localhost, one of `names`, or any address. A
    /// stranger's page has a name of the stranger's, which may be made to resolve here (DNS rebinding); an
    /// address leads to one machine only.
    pub(super) fn is_for(&self, names: &[String]) -> bool {
        let host = self.host();
        let is_v6 = || host.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
        host.parse::<Ipv4Addr>().is_ok()
            || is_v6().is_some()
            || host.eq_ignore_ascii_case("localhost")
            || names.iter().any(|name| host.eq_ignore_ascii_case(name))
    }

    /// How to allow an unknown name.
    pub(super) fn names_itself(&self) -> String {
        let host = Some(self.host()).filter(|host| is_name(host));
        let host = host.unwrap_or("NAME");
        format!("This server is not known by that name. Start it with --name {host} to allow it.\n")
    }

    /// Whether the request is from our own page. Others may not send JSON without permission, which is never given.
    pub(super) fn is_from_our_page(&self) -> bool {
        let host = self.header("host").unwrap_or_default();
        let ours = |origin: &str| origin.split_once("://").is_some_and(|(_, name)| name == host);
        self.header("content-type") == Some("application/json") && self.header("origin").is_none_or(ours)
    }
}

/// Whether a machine may have this name: letters, digits, points and hyphens.
pub(super) fn is_name(name: &str) -> bool {
    (1..=253).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b".-".contains(&b))
}

/// The head of a response.
pub(super) struct Response {
    kind: &'static str,
    cache: &'static str,
}

impl Response {
    /// For a file with this name. Names in `assets` change with their contents.
    pub(super) fn file(name: &str) -> Response {
        let kind = match name.rsplit('.').next().unwrap_or_default() {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "txt" => "text/plain; charset=utf-8",
            "svg" => "image/svg+xml",
            "wasm" => "application/wasm",
            "webmanifest" => "application/manifest+json",
            _ => "application/octet-stream",
        };
        let cache = if name.starts_with("assets/") { "max-age=31536000, immutable" } else { "no-cache" };
        Response { kind, cache }
    }

    /// For lines of JSON that are sent as they are known.
    pub(super) fn lines() -> Response {
        Response { kind: "application/x-ndjson", cache: "no-store" }
    }

    pub(super) fn begin(&self, mut stream: impl Write) -> io::Result<()> {
        let Response { kind, cache } = self;
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nCache-Control: {cache}\r\n{ALWAYS}\r\n");
        stream.write_all(head.as_bytes())
    }

    pub(super) fn send(&self, mut stream: impl Write, body: &[u8], head_only: bool) -> io::Result<()> {
        let Response { kind, cache } = self;
        let length = body.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: {cache}\r\n{ALWAYS}\r\n"
        );
        stream.write_all(head.as_bytes())?;
        if head_only { Ok(()) } else { stream.write_all(body) }
    }
}

/// Sends a refusal, with a text if there is one.
pub(super) fn refused(mut stream: impl Write, status: &str, words: &str) -> io::Result<()> {
    let length = words.len();
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n{ALWAYS}\r\n{words}"
    );
    stream.write_all(text.as_bytes())
}
