//! `anglerfish web`: the board in the browser, with the pages inside this program and its own engine behind them.

mod http;

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anglerfish_arena::SystemClock;
use anglerfish_arena::pages::Pages;
use anglerfish_engine::Stop;
use anyhow::{Context, bail, ensure};
use serde_json::json;

use self::http::{Request, Response, refused};

/// Play, analyze and review in the browser
///
/// Serves the pages that are inside this program, and answers them with its own engine. Only this machine can reach it unless --host says
/// otherwise. It runs until it is ended (Ctrl-C).
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish web\n  anglerfish web --port 9000\n  anglerfish web --pages web/dist\n  anglerfish web --host 0.0.0.0"
)]
pub(crate) struct Args {
    /// The port; 0 is any that is free
    #[arg(long, default_value_t = 8020)]
    port: u16,
    /// The address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    /// Serve the pages of this folder [default: those inside the program]
    #[arg(long, value_name = "FOLDER")]
    pages: Option<PathBuf>,
}

/// Files of the pages, by name.
type Files = Vec<(String, std::borrow::Cow<'static, [u8]>)>;

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// At most so many connections at a time; a browser opens six.
const MOST: usize = 64;

/// So many engines are kept for the next question.
const IDLE: usize = 4;

/// How long a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// What every connection needs.
struct House {
    files: Files,
    /// Whether only this machine may ask, and under which port.
    local: Option<u16>,
    /// Engines that nobody asks just now.
    idle: Mutex<Vec<Pages>>,
    busy: AtomicUsize,
}

/// A connection, counted until it ends, however that is.
struct Busy(Arc<House>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let mut files = match &args.pages {
        Some(folder) => read_pages(folder)?,
        None => PAGES.iter().map(|(name, bytes)| ((*name).to_owned(), (*bytes).into())).collect(),
    };
    ensure!(
        !files.is_empty(),
        "this program was built without pages (feature embed-web): give a folder of built ones with --pages, see docs/web.md"
    );
    let Some((_, index)) = files.iter_mut().find(|(name, _)| name == "index.html") else {
        bail!("expected index.html among the pages")
    };
    // The pages ask us instead of bringing their own engine.
    let text = String::from_utf8_lossy(index);
    *index = text
        .replace(r#"name="engine" content="wasm""#, r#"name="engine" content="native""#)
        .into_bytes()
        .into();
    let address = SocketAddr::new(args.host, args.port);
    let listener = TcpListener::bind(address).with_context(|| format!("cannot listen at {address}"))?;
    let address = listener.local_addr()?;
    let local = address.ip().is_loopback().then_some(address.port());
    let house = Arc::new(House { files, local, idle: Mutex::default(), busy: AtomicUsize::new(0) });
    writeln!(io::stdout(), "Anglerfish is at http://{address}/ (Ctrl-C ends it)")?;
    for stream in listener.incoming().flatten() {
        if house.busy.fetch_add(1, Ordering::Relaxed) >= MOST {
            house.busy.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let busy = Busy(Arc::clone(&house));
        std::thread::spawn(move || {
            // Whoever goes away in the middle of an answer does not want it.
            let _ = busy.0.serve(&stream);
        });
    }
    Ok(true)
}

/// The files of a folder and of the folders in it.
fn read_pages(root: &Path) -> anyhow::Result<Files> {
    let (mut files, mut folders) = (Files::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let parts: Vec<_> =
                    path.strip_prefix(root)?.iter().map(|part| part.to_string_lossy()).collect();
                files.push((parts.join("/"), std::fs::read(&path)?.into()));
            }
        }
    }
    Ok(files)
}

impl House {
    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let request = match Request::read(stream) {
            Ok(request) => request,
            Err(status) => return refused(stream, status),
        };
        // A page of somebody else's that goes by our name (DNS rebinding) is not ours.
        if self.local.is_some_and(|port| !request.is_for_loopback(port)) {
            return refused(stream, "403 Forbidden");
        }
        match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/ask") => self.answer(stream, &request),
            ("GET" | "HEAD", path) => {
                let name = if path == "/" { "index.html" } else { &path[1..] };
                match self.files.iter().find(|(known, _)| known == name) {
                    Some((name, bytes)) => Response::file(name).send(stream, bytes, request.method == "HEAD"),
                    None => refused(stream, "404 Not Found"),
                }
            }
            _ => refused(stream, "405 Method Not Allowed"),
        }
    }

    /// Lines of JSON: how far it is, and the answer in the last. When the page goes away, the search ends.
    fn answer(&self, stream: &TcpStream, request: &Request) -> io::Result<()> {
        if !request.is_from_our_page() {
            return refused(stream, "403 Forbidden");
        }
        let Ok(question) = std::str::from_utf8(&request.body) else {
            return refused(stream, "400 Bad Request");
        };
        Response::lines().begin(stream)?;
        let (stop, done) = (Stop::default(), Stop::default());
        let mut pages = self.lent().unwrap_or_else(|| Pages::new(Arc::new(SystemClock::default())));
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| watch(stream, &stop, &done));
            let answer = pages.ask(question, &stop, &mut |told| {
                if writeln!(&*stream, "{}", json!({ "told": told })).is_err() {
                    stop.set();
                }
            });
            done.set();
            answer
        });
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE {
            idle.push(pages);
        }
        drop(idle);
        writeln!(&*stream, "{}", json!({ "answer": answer }))
    }

    fn lent(&self) -> Option<Pages> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

/// Says stop when the other side closes the connection before its question is answered.
fn watch(stream: &TcpStream, stop: &Stop, done: &Stop) {
    let _ = stream.set_read_timeout(Some(Duration::from_millis(50)));
    while !done.is_set() {
        match stream.peek(&mut [0]) {
            Ok(0) => return stop.set(),
            Ok(_) => std::thread::sleep(Duration::from_millis(50)),
            Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(_) => return stop.set(),
        }
    }
}
