//! Clients that take as much as they can, with limits short enough for tests.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::thread::sleep;

use super::*;

const HOUR: Duration = Duration::from_hours(1);
const SOON: Duration = Duration::from_millis(50);

/// Limits that none of these tests reaches, except for the numbers of connections.
fn patient() -> Limits {
    Limits { request: HOUR, answer: HOUR, ..Limits::default() }
}

fn idle_server(limits: Limits) -> Arc<Server> {
    let files = vec![
        ("index.html".to_owned(), b"a page".as_slice().into()),
        ("large".to_owned(), vec![0; 64 << 20].into()),
    ];
    Arc::new(Server {
        files,
        names: Vec::new(),
        idle: Mutex::default(),
        connections: Connections::new(limits),
    })
}

/// A server that runs until the tests end.
fn server(limits: Limits) -> (Arc<Server>, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = idle_server(limits);
    let open = Arc::clone(&server);
    std::thread::spawn(move || open.open(listener.incoming(), || panic!("there is room")));
    (server, address)
}

fn connected(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).expect("it listens")
}

fn asking(address: SocketAddr, question: &Value) -> TcpStream {
    let (mut stream, question) = (connected(address), question.to_string());
    let length = question.len();
    let head = "POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json";
    write!(stream, "{head}\r\nContent-Length: {length}\r\n\r\n{question}").expect("it reads");
    stream
}

fn getting(address: SocketAddr, path: &str) -> TcpStream {
    let mut stream = connected(address);
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it reads");
    stream
}

/// All bytes until the server closes the connection.
fn rest(mut stream: &TcpStream) -> String {
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// An ordinary client: a page and a question.
fn is_served(address: SocketAddr) {
    assert!(rest(&getting(address, "")).ends_with("a page"));
    let answer = rest(&asking(address, &json!({ "ask": "lessons", "lang": "en" })));
    assert!(answer.contains(r#"{"answer":{"lessons":"#), "{answer:.200}");
}

/// Waits until it happens: tests count events, and a missing one makes them hang.
fn until(mut happened: impl FnMut() -> bool) {
    while !happened() {
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn silent_clients_keep_no_one_out() {
    let (server, address) = server(patient());
    let silent: Vec<TcpStream> = (0..64).map(|_| connected(address)).collect();
    is_served(address);
    // The first connections were closed: an address has 48.
    assert_eq!(rest(&silent[0]), "");
    until(|| server.connections.len() < 48);
    drop(silent);
    until(|| server.connections.len() == 0);
}

#[test]
fn clients_that_do_not_read_keep_no_one_out() {
    let (server, address) = server(patient());
    let deaf: Vec<TcpStream> = (0..64).map(|_| getting(address, "large")).collect();
    is_served(address);
    drop(deaf);
    until(|| server.connections.len() == 0);
    // Without other clients they are closed too.
    let (server, address) = self::server(Limits { answer: SOON, ..patient() });
    let deaf: Vec<TcpStream> = (0..3).map(|_| getting(address, "large")).collect();
    until(|| deaf.iter().all(|stream| stream.peek(&mut [0]).is_ok()));
    until(|| server.connections.len() == 0);
    is_served(address);
}

/// Bytes after the question do not hide that the client has gone.
#[test]
fn what_follows_a_question_hides_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut client = connected(listener.local_addr().expect("an address"));
    let (server, _) = listener.accept().expect("it connects");
    client.write_all(&vec![b'x'; 100_000]).expect("there is room");
    drop(client);
    let (stop, done) = (Stop::default(), Stop::default());
    watch(&server, &stop, &done);
    assert!(stop.is_set());
}

#[test]
fn a_request_has_to_be_there_in_time() {
    let (server, address) = server(Limits { request: SOON, ..patient() });
    let mut slow = connected(address);
    slow.set_read_timeout(Some(Duration::from_millis(5))).expect("a timeout");
    // A byte at a time, each of which comes soon enough.
    let mut answer = [0; 12];
    for n in 0.. {
        let _ = slow.write_all(b"G");
        match slow.read_exact(&mut answer) {
            Ok(()) => break,
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return until(|| server.connections.len() == 0),
        }
        assert!(n < 16_000, "the longest head that is read");
    }
    assert_eq!(&answer, b"HTTP/1.1 408");
    until(|| server.connections.len() == 0);
}

/// The longest running question gives way to a new one, not the other way around.
#[test]
fn long_questions_keep_no_one_out() {
    // Two short ones at a time, or two so long that each weighs as much as eight.
    for (questions, spaces) in [(2, 1), (16, 200 << 10)] {
        let (_, address) = server(Limits { questions, ..patient() });
        let record =
            format!("[Format \"1\"]\n[Game \"banqi\"]\n[Rules \"platform\"]\n{}*\n", "\n".repeat(spaces));
        let long = json!({ "ask": "analyse", "record": record, "nodes": 100_000_000 });
        let first: Vec<TcpStream> = (0..3)
            .map(|_| {
                let mut stream = asking(address, &long);
                // The answer has begun.
                stream.read_exact(&mut [0; 15]).expect("the head of an answer");
                stream
            })
            .collect();
        is_served(address);
        assert!(!rest(&first[0]).contains("answer"));
    }
}

/// If there is no room for a connection, silent ones are closed, and the next try waits.
#[test]
fn without_descriptors_it_waits_and_lets_go() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let clients: Vec<TcpStream> = (0..3).map(|_| connected(address)).collect();
    let accepted: Vec<_> = (0..3).map(|_| listener.accept().map(|(stream, _)| stream)).collect();
    let full = (0..2).map(|_| Err(io::Error::other("too many open files")));
    let gone = std::iter::once(Err(ErrorKind::ConnectionAborted.into()));
    let (server, mut pauses) = (idle_server(patient()), 0);
    server.open(accepted.into_iter().chain(full).chain(gone), || pauses += 1);
    assert_eq!(pauses, 2);
    assert_eq!((rest(&clients[0]), rest(&clients[1])), (String::new(), String::new()));
    until(|| server.connections.len() == 1);
    let (server, mut pauses) = (idle_server(patient()), 0);
    server.open(std::iter::once(Err(io::Error::other("too many open files"))), || pauses += 1);
    assert_eq!(pauses, 1);
}

/// A pipe among the pages is passed over: reading it would wait for a writer.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_page() {
    let folder = std::env::temp_dir().join(format!("anglerfish-pages-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("index.html"), "a page").expect("a page");
    let made = std::process::Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.expect("every Unix has it").success());
    let names: Vec<String> = read_pages(&folder).expect("pages").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["index.html"]);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
