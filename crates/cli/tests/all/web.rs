//! `anglerfish web`, met by browsers and by other clients.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

const INDEX: &str = r#"<meta name="engine" content="wasm">"#;

struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    fn start(name: &str) -> Server {
        Server::start_with(name, &[])
    }

    fn start_with(name: &str, words: &[&str]) -> Server {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(folder.join("assets")).expect("a folder");
        std::fs::write(folder.join("index.html"), INDEX).expect("a page");
        std::fs::write(folder.join("assets/main.js"), "1").expect("a script");
        let mut child = Command::new(env!("CARGO_BIN_EXE_anglerfish"))
            .args(["web", "--port", "0", "--pages"])
            .arg(&folder)
            .args(words)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let address =
            line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
        assert!(address.starts_with(if words.is_empty() { "127.0.0.1:" } else { "0.0.0.0:" }), "{line}");
        Server(child, address.replace("0.0.0.0", "127.0.0.1"))
    }

    /// The response; `{host}` in the request stands for the address.
    fn say(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.1).expect("it listens");
        stream.write_all(request.replace("{host}", &self.1).as_bytes()).expect("it reads");
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    fn ask(&self, question: &str, headers: &str) -> String {
        let length = question.len();
        self.say(&format!(
            "POST /ask HTTP/1.1\r\nHost: {{host}}\r\n{headers}Content-Length: {length}\r\n\r\n{question}"
        ))
    }
}

const JSON: &str = "Content-Type: application/json\r\n";

#[test]
fn pages_are_served_and_answered() {
    let server = Server::start("web-pages");
    let index = server.say("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
    assert!(
        index.starts_with("HTTP/1.1 200 OK\r\n") && index.ends_with(&INDEX.replace("wasm", "native")),
        "{index}"
    );
    assert!(
        index.contains("Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval';")
    );
    let script = server.say("GET /assets/main.js?x HTTP/1.1\r\nHost: {host}\r\n\r\n");
    assert!(script.contains("Content-Type: text/javascript") && script.contains("immutable"), "{script}");
    let answer = server.ask(r#"{"ask":"lessons","lang":"zh-TW"}"#, JSON);
    let body = answer.split("\r\n\r\n").nth(1).expect("a body");
    assert!(body.starts_with(r#"{"answer":{"lessons":[{"#) && body.contains("炮"), "{answer}");
    assert!(server.ask("nothing", JSON).contains(r#"{"answer":{"error":"expected a question"#));
}

/// The headers that docs/web.md recommends to other hosts.
#[test]
fn recommended_headers_are_sent() {
    let server = Server::start("web-headers");
    let page = include_str!("../../../../docs/web.md");
    let headers =
        page.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next()).expect("a block");
    let get = |path: &str| server.say(&format!("GET {path} HTTP/1.1\r\nHost: {{host}}\r\n\r\n"));
    let (index, script) = (get("/"), get("/assets/main.js"));
    for line in headers.lines() {
        let header = line.split("  (").next().unwrap_or_default().trim_end();
        let answer = if line.contains("only /assets/") { &script } else { &index };
        assert!(answer.contains(&format!("\r\n{header}\r\n")), "{header}: {answer}");
    }
}

#[test]
fn strangers_get_nothing() {
    let server = Server::start("web-strangers");
    let status = |answer: String| answer.split(' ').nth(1).unwrap_or_default().to_owned();
    let get =
        |path: &str, host: &str| status(server.say(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n")));
    assert_eq!(get("/", "elsewhere.example"), "403", "a stranger's name for this machine");
    assert_eq!(get("/nothing", "{host}"), "404");
    assert_eq!(get("/../Cargo.toml", "{host}"), "404");
    assert_eq!(status(server.ask("{}", "")), "403", "what any page may send");
    assert_eq!(status(server.ask("{}", &format!("{JSON}Origin: http://elsewhere.example\r\n"))), "403");
    assert_eq!(status(server.say("DELETE / HTTP/1.1\r\nHost: {host}\r\n\r\n")), "405");
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(40_000));
    for wrong in [
        "\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9\r\n\r\n",
        "\u{0}\u{1}",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: {host}\r\nX: a\u{0}b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: {host}\r\nX: a\rY: b\r\n\r\n",
        &long,
    ] {
        assert!(["400", ""].contains(&status(server.say(wrong)).as_str()), "{wrong:.40}");
    }
    for twice in ["Host: {host}", "Content-Length: 3", "Content-Type: text/plain", "Origin: http://{host}"] {
        let answer = server.ask("{}", &format!("{JSON}Origin: http://{{host}}\r\n{twice}\r\n"));
        assert_eq!(status(answer), "400", "{twice}");
    }
    for wrong in ["+2", "-2", "2, 2", "0x2", "99999999999999999999", ""] {
        let head =
            format!("POST /ask HTTP/1.1\r\nHost: {{host}}\r\n{JSON}Content-Length: {wrong}\r\n\r\n{{}}");
        assert_eq!(status(server.say(&head)), "400", "{wrong}");
    }
    assert_eq!(status(server.ask("{}", &format!("{JSON}Transfer-Encoding: chunked\r\n"))), "501");
    let huge = format!("POST /ask HTTP/1.1\r\nHost: {{host}}\r\n{JSON}Content-Length: 99999999999\r\n\r\n");
    assert_eq!(status(server.say(&huge)), "413");
}

/// A stranger's page asks by the stranger's name, wherever that leads (DNS rebinding).
#[test]
fn names_are_known_or_refused() {
    let [local, open] = [&[][..], &["--host", "0.0.0.0", "--name", "Fish.example.org", "--name", "fish"]];
    let [local, open] = [("local", local), ("open", open)]
        .map(|(name, words)| Server::start_with(&format!("web-names-{name}"), words));
    let get = |server: &Server, host: &str| server.say(&format!("GET / HTTP/1.1\r\n{host}\r\n\r\n"));
    for server in [&local, &open] {
        for host in
            ["{host}", "127.0.0.1", "192.0.2.7:80", "[::1]:8020", "[2001:db8::1]", "localhost", "LOCALHOST:9"]
        {
            assert!(get(server, &format!("Host: {host}")).starts_with("HTTP/1.1 200 "), "{host}");
        }
        for host in
            ["evil.example:8020", "localhost.example", "127.0.0.1.example", "fish.example", "[::1].example"]
        {
            let answer = get(server, &format!("Host: {host}"));
            let name = host.split(':').next().filter(|name| !name.starts_with('[')).unwrap_or("NAME");
            assert!(answer.starts_with("HTTP/1.1 403 "), "{host}: {answer}");
            assert!(answer.ends_with(&format!("Start it with --name {name} to allow it.\n")), "{answer}");
        }
        for host in ["Host:", "X: y", "Host: <b>", "Host: :80"] {
            let answer = get(server, host);
            assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains("--name NAME"), "{answer}");
        }
    }
    for host in ["fish.example.org:8020", "FISH.example.org", "fish"] {
        assert!(get(&open, &format!("Host: {host}")).starts_with("HTTP/1.1 200 "), "{host}");
        assert!(get(&local, &format!("Host: {host}")).starts_with("HTTP/1.1 403 "), "{host}");
    }
    let wrong = Command::new(env!("CARGO_BIN_EXE_anglerfish")).args(["web", "--name", "fish:80"]).output();
    let wrong = wrong.expect("it runs");
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("a name without a port"));
}

/// A search ends when its client has gone: the next question has an engine to itself.
#[test]
fn a_page_that_goes_away_is_not_waited_for() {
    let server = Server::start("web-gone");
    let record = r#"[Format \"1\"]\n[Game \"banqi\"]\n[Rules \"platform\"]\n\n*\n"#;
    let question = format!(r#"{{"ask":"analyse","record":"{record}","nodes":100000000}}"#);
    // The connection is closed for writing at once, as when a page goes away.
    let answer = server.ask(&question, JSON);
    assert!(answer.contains(r#""lines":["#), "{answer}");
    let body: Value = serde_json::from_str(answer.split("\r\n\r\n").nth(1).expect("a body")).expect("JSON");
    assert!(body["answer"]["nodes"].as_u64().is_some_and(|nodes| nodes < 100_000_000), "{answer}");
}

#[test]
#[cfg(not(feature = "embed-web"))]
fn without_pages_it_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_anglerfish"))
        .args(["web", "--port", "0"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("built without pages"));
}
