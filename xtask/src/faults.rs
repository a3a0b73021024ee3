//! `cargo xtask faults`: a proxy in front of an object store that fails, delays, drops answers, and repeats
//! requests.
//!
//! It reads whole requests and passes them on unchanged, so their signatures stay valid. A seeded generator
//! draws the fault of each request, in the order of arrival. The proxy knows nothing of S3, has a thread for
//! each connection, and is for tests.

mod http;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{BufReader, ErrorKind, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anglerfish_rules::{Rng, RngExt};
use anyhow::{Context, bail, ensure};
use http::Message;

/// The timeout for the other side. `SeaweedFS` needs most of a minute after a kill.
const PATIENCE: Duration = Duration::from_mins(2);

/// A fault of a request.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, clap::ValueEnum)]
pub(crate) enum Fault {
    /// 503, and the request is not passed on.
    Fail,
    /// The request is passed on late.
    Delay,
    /// The request is passed on, and the connection closed without an answer.
    Drop,
    /// The request is passed on twice, and the second answer given.
    Repeat,
    /// Half of the answer is given, and the connection closed.
    Cut,
}

/// The arguments of `cargo xtask faults`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The address to listen at, such as 127.0.0.1:8334
    #[arg(long)]
    listen: String,
    /// The address to pass requests on to, such as 127.0.0.1:8333
    #[arg(long)]
    to: String,
    /// The share of requests with a fault
    #[arg(long, default_value_t = 0.01)]
    rate: f64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The longest delay; each is drawn from a quarter of it upward
    #[arg(long, default_value_t = 2_000)]
    delay_ms: u32,
    /// The kinds of faults, each equally likely
    #[arg(long, value_delimiter = ',', default_value = "fail,delay,drop,repeat,cut")]
    kinds: Vec<Fault>,
}

/// Serves until SIGTERM or SIGINT, and then reports the faults.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let proxy = Arc::new(Proxy::new(args)?);
    let listener = TcpListener::bind(&args.listen)
        .with_context(|| format!("expected a free address to listen at, found {}", args.listen))?;
    report_when_told(&proxy)?;
    println!("faults: listening at {}, passing on to {}", listener.local_addr()?, args.to);
    proxy.serve(&listener);
    Ok(())
}

#[cfg(unix)]
fn report_when_told(proxy: &Arc<Proxy>) -> anyhow::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let proxy = Arc::clone(proxy);
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            print!("{}", proxy.report());
            std::process::exit(0);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn report_when_told(_: &Arc<Proxy>) -> anyhow::Result<()> {
    bail!("expected a system with SIGTERM, found another")
}

struct Proxy {
    to: String,
    rate: f64,
    delay_ms: u32,
    kinds: Vec<Fault>,
    rng: Mutex<Rng>,
    counts: Mutex<Counts>,
}

/// Counts by the method of the request.
#[derive(Default)]
struct Counts {
    requests: BTreeMap<String, u64>,
    faults: BTreeMap<Fault, BTreeMap<String, u64>>,
    /// Requests that the other side did not accept or answer, without a fault of the proxy.
    unreachable: u64,
}

impl Proxy {
    fn new(args: &Args) -> anyhow::Result<Proxy> {
        ensure!((0.0..=1.0).contains(&args.rate), "expected a rate from 0 to 1, found {}", args.rate);
        ensure!(args.delay_ms >= 4, "expected a delay of 4 ms or more, found {}", args.delay_ms);
        ensure!(!args.kinds.is_empty(), "expected a kind of fault, found none");
        Ok(Proxy {
            to: args.to.clone(),
            rate: args.rate,
            delay_ms: args.delay_ms,
            kinds: args.kinds.clone(),
            rng: Mutex::new(Rng::stream(args.seed, "faults")),
            counts: Mutex::default(),
        })
    }

    fn serve(self: &Arc<Self>, listener: &TcpListener) {
        for client in listener.incoming().flatten() {
            let proxy = Arc::clone(self);
            // A client killed during a request ends its thread; the error is ignored.
            std::thread::spawn(move || proxy.serve_client(client));
        }
    }

    /// Answers one client, request by request, until either side closes.
    fn serve_client(&self, mut client: TcpStream) -> anyhow::Result<()> {
        client.set_nodelay(true)?;
        let mut reader = BufReader::new(client.try_clone()?);
        let mut upstream = None;
        while let Some(mut request) = Message::read_head(&mut reader)? {
            if request.waits_for_leave() {
                client.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
            }
            request.read_request_body(&mut reader)?;
            let (answer, is_last) = self.answer(&request, &mut upstream);
            client.write_all(&answer)?;
            if is_last || request.closes() {
                break;
            }
        }
        Ok(())
    }

    /// The client's answer, and whether the connection is closed after it.
    fn answer(&self, request: &Message, upstream: &mut Option<Upstream>) -> (Vec<u8>, bool) {
        let (fault, delay) = self.draw();
        self.count(&request.method(), fault);
        match fault {
            Some(Fault::Fail) => return (empty("503 Service Unavailable"), false),
            Some(Fault::Delay) => std::thread::sleep(delay),
            // The first answer is discarded.
            Some(Fault::Repeat) => drop(self.pass_on(request, upstream)),
            Some(Fault::Drop | Fault::Cut) | None => {}
        }
        let Ok(answer) = self.pass_on(request, upstream) else {
            self.counts.lock().unwrap_or_else(PoisonError::into_inner).unreachable += 1;
            return (empty("502 Bad Gateway"), false);
        };
        let mut bytes = answer.bytes();
        match fault {
            Some(Fault::Drop) => (Vec::new(), true),
            Some(Fault::Cut) => {
                // A broken promise of length: half of the body, or of the head if there is no body.
                let kept = answer.head.len() + answer.body.len() / 2;
                bytes.truncate(if answer.body.is_empty() { kept / 2 } else { kept });
                (bytes, true)
            }
            _ => (bytes, answer.closes()),
        }
    }

    /// The fault of the next request, and the length of a delay.
    fn draw(&self) -> (Option<Fault>, Duration) {
        let mut rng = self.rng.lock().unwrap_or_else(PoisonError::into_inner);
        // All three are drawn for every request, so that another rate or delay does not shift the others.
        let chance = f64::from(rng.below(1 << 30)) / f64::from(1u32 << 30);
        let fault = rng.pick(&self.kinds);
        let delay_ms = self.delay_ms / 4 + rng.below(self.delay_ms - self.delay_ms / 4);
        ((chance < self.rate).then_some(fault), Duration::from_millis(delay_ms.into()))
    }

    fn count(&self, method: &str, fault: Option<Fault>) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.requests.entry(method.to_owned()).or_default() += 1;
        if let Some(fault) = fault {
            *counts.faults.entry(fault).or_default().entry(method.to_owned()).or_default() += 1;
        }
    }

    /// Asks the other side, on the connection of this client if it is still open.
    fn pass_on(&self, request: &Message, upstream: &mut Option<Upstream>) -> anyhow::Result<Message> {
        let mut other = match upstream.take() {
            Some(other) if other.is_open() => other,
            _ => Upstream::connect(&self.to)?,
        };
        let answer = other.ask(request)?;
        if !answer.closes() && !request.closes() {
            *upstream = Some(other);
        }
        Ok(answer)
    }

    /// The counts so far, a line per kind.
    #[cfg_attr(not(any(unix, test)), expect(dead_code, reason = "it is printed on a signal"))]
    fn report(&self) -> String {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let by_method = |map: &BTreeMap<String, u64>| {
            let words: Vec<String> = map.iter().map(|(method, n)| format!("{method} {n}")).collect();
            if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
        };
        let total = |map: &BTreeMap<String, u64>| map.values().sum::<u64>();
        let faults: u64 = counts.faults.values().map(total).sum();
        let mut text = format!(
            "faults: {} requests{}, {faults} faults, {} not answered by {}\n",
            total(&counts.requests),
            by_method(&counts.requests),
            counts.unreachable,
            self.to
        );
        for kind in &self.kinds {
            let map = counts.faults.get(kind).cloned().unwrap_or_default();
            let name = format!("{kind:?}").to_lowercase();
            text += &format!("faults: {name} {}{}\n", total(&map), by_method(&map));
        }
        text
    }
}

/// A connection to the other side.
struct Upstream {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Upstream {
    fn connect(to: &str) -> anyhow::Result<Upstream> {
        let writer = TcpStream::connect(to)?;
        writer.set_nodelay(true)?;
        writer.set_read_timeout(Some(PATIENCE))?;
        writer.set_write_timeout(Some(PATIENCE))?;
        Ok(Upstream { reader: BufReader::new(writer.try_clone()?), writer })
    }

    /// Whether the other side has neither closed nor sent unasked bytes, as far as can be known.
    fn is_open(&self) -> bool {
        let is_quiet = self.writer.set_nonblocking(true).is_ok()
            && self.writer.peek(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        self.writer.set_nonblocking(false).is_ok() && is_quiet
    }

    fn ask(&mut self, request: &Message) -> anyhow::Result<Message> {
        // A server that refuses a request may answer and close before it has read everything: that answer counts.
        let written =
            self.writer.write_all(&request.head).and_then(|()| self.writer.write_all(&request.body));
        loop {
            let Some(mut answer) = Message::read_head(&mut self.reader)? else {
                written?;
                bail!("expected an answer, found a closed connection");
            };
            answer.read_answer_body(&mut self.reader, &request.method())?;
            // Permission to send the body is for the proxy, which sends it anyway; the client was permitted before.
            if answer.status()? != 100 {
                return Ok(answer);
            }
        }
    }
}

/// An answer of the proxy itself.
fn empty(status: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n").into_bytes()
}
