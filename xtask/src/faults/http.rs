//! Finds the ends of HTTP/1.1 messages, without interpreting them.
//!
//! Bytes are passed on unchanged, because a signature covers them: no header is added, dropped or reordered.

use std::io::{BufRead, ErrorKind, Read};

use anyhow::{Context, bail};

/// More than any object of ours, so that a wrong length cannot exhaust the memory.
const LONGEST_BODY: u64 = 256 << 20;
const LONGEST_HEAD: usize = 64 << 10;

/// A whole request or response.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message {
    /// The first line and the headers, with the empty line after them.
    pub(crate) head: Vec<u8>,
    /// The body as received; a chunked one with the sizes of its chunks.
    pub(crate) body: Vec<u8>,
}

impl Message {
    /// Reads up to the end of the headers; `None` if the other side closed between messages.
    pub(crate) fn read_head(from: &mut impl BufRead) -> anyhow::Result<Option<Message>> {
        let mut head = Vec::new();
        loop {
            let line = read_line(from, LONGEST_HEAD - head.len())?;
            if line.is_empty() && head.is_empty() {
                return Ok(None);
            }
            let is_blank = matches!(line.as_slice(), b"\r\n" | b"\n");
            if is_blank && head.is_empty() {
                // Empty lines before a message are allowed and ignored.
                continue;
            }
            head.extend_from_slice(&line);
            if is_blank {
                return Ok(Some(Message { head, body: Vec::new() }));
            }
            if !line.ends_with(b"\n") {
                bail!("expected headers that end in an empty line, found the end");
            }
        }
    }

    /// Reads the body of a request: without a length it has none.
    pub(crate) fn read_request_body(&mut self, from: &mut impl BufRead) -> anyhow::Result<()> {
        self.read_body(from, false)
    }

    /// Reads the body of the answer to a request by `method`: without a length it ends when the other side closes.
    pub(crate) fn read_answer_body(&mut self, from: &mut impl BufRead, method: &str) -> anyhow::Result<()> {
        let status = self.status()?;
        if method == "HEAD" || matches!(status, 100..=199 | 204 | 304) {
            return Ok(());
        }
        self.read_body(from, true)
    }

    fn read_body(&mut self, from: &mut impl BufRead, until_closed: bool) -> anyhow::Result<()> {
        if self.header("transfer-encoding").is_some_and(|v| v.to_ascii_lowercase().contains("chunked")) {
            return self.read_chunks(from);
        }
        let Some(length) = self.header("content-length") else {
            if until_closed {
                from.take(LONGEST_BODY).read_to_end(&mut self.body).context("a body without a length")?;
            }
            return Ok(());
        };
        let length: u64 =
            length.parse().with_context(|| format!("expected a length in bytes, found {length:?}"))?;
        self.read_exactly(from, length)
    }

    fn read_exactly(&mut self, from: &mut impl BufRead, length: u64) -> anyhow::Result<()> {
        let before = self.body.len() as u64;
        if before + length > LONGEST_BODY {
            bail!("expected a body of at most {LONGEST_BODY} bytes, found {}", before + length);
        }
        let read = from.take(length).read_to_end(&mut self.body)? as u64;
        if read < length {
            bail!("expected {length} bytes of body, found {read}");
        }
        Ok(())
    }

    /// Chunks, each after its size in hexadecimal, an empty one, and trailing headers.
    fn read_chunks(&mut self, from: &mut impl BufRead) -> anyhow::Result<()> {
        loop {
            let line = read_line(from, LONGEST_HEAD)?;
            let text = String::from_utf8_lossy(&line);
            let size = text.split(';').next().unwrap_or_default().trim();
            let size = u64::from_str_radix(size, 16)
                .with_context(|| format!("expected the size of a chunk, found {text:?}"))?;
            self.body.extend_from_slice(&line);
            if size > 0 {
                self.read_exactly(from, size)?;
                self.read_exactly(from, 2)?;
                continue;
            }
            loop {
                let line = read_line(from, LONGEST_HEAD)?;
                self.body.extend_from_slice(&line);
                match line.as_slice() {
                    b"\r\n" | b"\n" => return Ok(()),
                    b"" => bail!("expected the end of a chunked body, found the end of the connection"),
                    _ => {}
                }
            }
        }
    }

    /// `PUT` of `PUT /bucket/key HTTP/1.1`.
    pub(crate) fn method(&self) -> String {
        self.first_line().split(' ').next().unwrap_or_default().to_owned()
    }

    /// 200 of `HTTP/1.1 200 OK`.
    pub(crate) fn status(&self) -> anyhow::Result<u16> {
        let line = self.first_line();
        let status = line.split(' ').nth(1).and_then(|word| word.parse().ok());
        status.with_context(|| format!("expected the first line of an answer, found {line:?}"))
    }

    /// Whether the connection ends with this message.
    pub(crate) fn closes(&self) -> bool {
        let old = self.first_line().contains("HTTP/1.0");
        self.header("connection").map_or(old, |v| v.eq_ignore_ascii_case("close"))
    }

    /// Whether the sender waits for permission to send the body.
    pub(crate) fn waits_for_leave(&self) -> bool {
        self.header("expect").is_some_and(|v| v.eq_ignore_ascii_case("100-continue"))
    }

    /// Head and body together.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        [self.head.as_slice(), &self.body].concat()
    }

    fn first_line(&self) -> String {
        let line = self.head.split(|&b| b == b'\n').next().unwrap_or_default();
        String::from_utf8_lossy(line).trim_end().to_owned()
    }

    fn header(&self, name: &str) -> Option<String> {
        self.head.split(|&b| b == b'\n').skip(1).find_map(|line| {
            let line = String::from_utf8_lossy(line);
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    }
}

/// A line with its end; a partial line if the other side closes; empty if it has closed.
fn read_line(from: &mut impl BufRead, longest: usize) -> anyhow::Result<Vec<u8>> {
    let mut line = Vec::new();
    match from.take(longest as u64 + 1).read_until(b'\n', &mut line) {
        // A killed process resets its connections; between messages that counts as closing.
        Err(error) if error.kind() == ErrorKind::ConnectionReset && line.is_empty() => {}
        other => drop(other?),
    }
    if line.len() > longest {
        bail!("expected headers of at most {LONGEST_HEAD} bytes, found more");
    }
    Ok(line)
}
