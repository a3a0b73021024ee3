//! `anglerfish web`: the board in the browser, with the built-in pages and the program's own engine.

mod connections;
mod http;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anglerfish_arena::SystemClock;
use anglerfish_board::Pages;
use anglerfish_engine::Stop;
use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use self::connections::{Connection, Connections, Limits};
use self::http::{Request, Response, is_name, refused};

/// Play, analyze and review in the browser
///
/// Serves the pages inside this program, and answers their questions with its own engine. Only this machine
/// can connect, unless --host allows others. It runs until it is ended (Ctrl-C).
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish web\n  anglerfish web --port 9000\n  anglerfish web --pages web/dist\n  anglerfish web --host 0.0.0.0 --name fish.example.org"
)]
pub(crate) struct Args {
    /// The port; 0 is any free one
    #[arg(long, default_value_t = 8020)]
    port: u16,
    /// The address to listen at; 0.0.0.0 lets other machines connect
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    /// A name of this machine that browsers may use, besides localhost and its addresses; repeatable [default: none]
    #[arg(long = "name", value_name = "NAME", value_parser = name)]
    names: Vec<String>,
    /// Serve the pages of this folder [default: those inside the program]
    #[arg(long, value_name = "FOLDER")]
    pages: Option<PathBuf>,
}

/// A name as `--name` takes it.
fn name(text: &str) -> Result<String, String> {
    let wrong = || "expected a name without a port, such as fish.example.org".to_owned();
    is_name(text).then(|| text.to_owned()).ok_or_else(wrong)
}

/// Files of the pages, by name.
type Files = Vec<(String, std::borrow::Cow<'static, [u8]>)>;

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// Most idle engines kept for the next question.
const IDLE: usize = 4;

/// How long to wait if the system has no room for another connection.
const PAUSE: Duration = Duration::from_millis(100);

/// The state that all connections share.
struct Server {
    files: Files,
    /// Additional names of this machine.
    names: Vec<String>,
    /// Idle engines.
    idle: Mutex<Vec<Pages>>,
    connections: Arc<Connections>,
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
    // The pages ask this server instead of bringing their own engine.
    let text = String::from_utf8_lossy(index);
    *index = text
        .replace(r#"name="engine" content="wasm""#, r#"name="engine" content="native""#)
        .into_bytes()
        .into();
    let address = SocketAddr::new(args.host, args.port);
    let listener = TcpListener::bind(address).with_context(|| format!("cannot listen at {address}"))?;
    let address = listener.local_addr()?;
    let connections = Connections::new(Limits::default());
    let server = Arc::new(Server { files, names: args.names.clone(), idle: Mutex::default(), connections });
    writeln!(io::stdout(), "Anglerfish is at http://{address}/ (Ctrl-C ends it)")?;
    server.open(listener.incoming(), || std::thread::sleep(PAUSE));
    Ok(true)
}

/// The files of a folder and its subfolders.
fn read_pages(root: &Path) -> anyhow::Result<Files> {
    let (mut files, mut folders) = (Files::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.is_file() {
                // Reading a pipe would wait for a writer.
                let parts: Vec<_> =
                    path.strip_prefix(root)?.iter().map(|part| part.to_string_lossy()).collect();
                files.push((parts.join("/"), std::fs::read(&path)?.into()));
            }
        }
    }
    Ok(files)
}

impl Server {
    /// Serves every connection on a thread of its own. If the system has no room for another, the longest
    /// silent one is closed, and the next try waits for a pause.
    fn open(
        self: &Arc<Server>,
        incoming: impl Iterator<Item = io::Result<TcpStream>>,
        mut pause: impl FnMut(),
    ) {
        for stream in incoming {
            let served = stream.and_then(|stream| {
                let Some(connection) = self.connections.admit(stream) else { return Ok(()) };
                let server = Arc::clone(self);
                let serve = move || {
                    // An error means that the client left during the answer.
                    let _ = server.serve(&connection);
                };
                std::thread::Builder::new().spawn(serve).map(drop)
            });
            if served.is_err_and(|error| !is_of_the_client(error.kind())) {
                self.connections.give_way();
                pause();
            }
        }
    }

    fn serve(&self, stream: &Connection) -> io::Result<()> {
        let request = match Request::read(stream) {
            Ok(request) => request,
            Err(status) => return refused(stream, status, ""),
        };
        if !request.is_for(&self.names) {
            return refused(stream, "403 Forbidden", &request.names_itself());
        }
        match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/ask") => self.answer(stream, &request),
            ("GET" | "HEAD", path) => {
                let name = if path == "/" { "index.html" } else { &path[1..] };
                match self.files.iter().find(|(known, _)| known == name) {
                    Some((name, bytes)) => Response::file(name).send(stream, bytes, request.method == "HEAD"),
                    None => refused(stream, "404 Not Found", ""),
                }
            }
            _ => refused(stream, "405 Method Not Allowed", ""),
        }
    }

    /// Sends lines of JSON: the progress, and the answer in the last. If the page goes away, the search ends.
    fn answer(&self, stream: &Connection, request: &Request) -> io::Result<()> {
        if !request.is_from_our_page() {
            return refused(stream, "403 Forbidden", "");
        }
        let Ok(question) = std::str::from_utf8(&request.body) else {
            return refused(stream, "400 Bad Request", "");
        };
        stream.asks(question.len());
        Response::lines().begin(stream)?;
        let (stop, done) = (Stop::default(), Stop::default());
        let mut pages = self
            .lent()
            .unwrap_or_else(|| Pages::new(Arc::new(SystemClock::default()), anglerfish_lab::models()));
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| watch(&stream.stream, &stop, &done));
            let answer = pages.ask(question, &stop, &mut |told| {
                if say(stream, &json!({ "told": told })).is_err() {
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
        // The answer becomes text before it is sent: its objects take several times as much memory.
        let text = format!("{{\"answer\":{answer}}}\n");
        drop(answer);
        (&mut &*stream).write_all(text.as_bytes())
    }

    fn lent(&self) -> Option<Pages> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

/// A line of JSON.
fn say(mut stream: &Connection, value: &Value) -> io::Result<()> {
    stream.write_all(format!("{value}\n").as_bytes())
}

/// Whether the client closed a connection before it was accepted, which is no fault of ours.
fn is_of_the_client(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted
    )
}

/// Stops the search when the client closes the connection before the answer. Bytes after the question are
/// read and dropped, because the end of the connection is only seen after them.
fn watch(mut stream: &TcpStream, stop: &Stop, done: &Stop) {
    let _ = stream.set_read_timeout(Some(Duration::from_millis(50)));
    while !done.is_set() {
        match stream.read(&mut [0; 16 << 10]) {
            Ok(0) => return stop.set(),
            Ok(_) => std::thread::sleep(Duration::from_millis(1)),
            Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(_) => return stop.set(),
        }
    }
}
