//! The proxy in front of a small server that records all requests.

use std::io::Read;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;

fn args(to: &str, rate: f64, kinds: &[Fault]) -> Args {
    Args { listen: String::new(), to: to.to_owned(), rate, seed: 1, delay_ms: 1_200, kinds: kinds.to_vec() }
}

/// A proxy with these faults, a server behind it, and the requests that reach the server.
fn setup(rate: f64, kinds: &[Fault]) -> (TcpStream, Arc<Proxy>, Receiver<Vec<u8>>) {
    let (sender, sent) = channel();
    let server = serve(sender);
    let (client, proxy) = stand_before(&server.to_string(), rate, kinds);
    (client, proxy, sent)
}

fn stand_before(to: &str, rate: f64, kinds: &[Fault]) -> (TcpStream, Arc<Proxy>) {
    let proxy = Arc::new(Proxy::new(&args(to, rate, kinds)).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let serving = Arc::clone(&proxy);
    std::thread::spawn(move || serving.serve(&listener));
    (client, proxy)
}

/// Answers the n-th request with `answer n`, and reports the request as received; a long body by its length
/// and its sum.
fn serve(sender: Sender<Vec<u8>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut n = 0;
        for mut stream in listener.incoming().flatten() {
            while let Some(request) = read_request(&mut stream) {
                n += 1;
                let text = String::from_utf8_lossy(&request).into_owned();
                sender.send(request).unwrap();
                let answer = match text.split(' ').next().unwrap() {
                    "DELETE" => "HTTP/1.1 204 No Content\r\n\r\n".to_owned(),
                    "HEAD" => "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".to_owned(),
                    "POST" => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: v\r\n\r\n".to_owned(),
                    _ => format!("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nanswer {n}"),
                };
                stream.write_all(answer.as_bytes()).unwrap();
            }
        }
    });
    address
}

/// Reads a request in the plainest way: up to an empty line, then by the length, or up to the empty chunk.
fn read_request(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut request = Vec::new();
    let read_until = |stream: &mut TcpStream, request: &mut Vec<u8>, end: &[u8]| {
        let mut byte = [0];
        while !request.ends_with(end) {
            stream.read_exact(&mut byte).ok()?;
            request.push(byte[0]);
        }
        Some(())
    };
    read_until(stream, &mut request, b"\r\n\r\n")?;
    let head = String::from_utf8(request.clone()).unwrap();
    if let Some((_, rest)) = head.split_once("Content-Length: ") {
        let length: usize = rest.split_once('\r').unwrap().0.parse().unwrap();
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        if length > 1_000_000 {
            body = format!("{length} bytes, sum {}", sum(&body)).into_bytes();
        }
        request.extend(body);
    } else if head.contains("Transfer-Encoding: chunked") {
        read_until(stream, &mut request, b"\r\n0\r\n\r\n")?;
    }
    Some(request)
}

fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
}

/// Sends a request and reads the expected length of an answer.
fn check(client: &mut TcpStream, sent: &Receiver<Vec<u8>>, request: &str, answer: &str) {
    client.write_all(request.as_bytes()).unwrap();
    expect(client, answer);
    assert_eq!(String::from_utf8(sent.recv().unwrap()).unwrap(), request);
}

fn expect(client: &mut TcpStream, answer: &str) {
    let mut found = vec![0; answer.len()];
    client.read_exact(&mut found).unwrap();
    assert_eq!(String::from_utf8(found).unwrap(), answer);
}

/// All bytes before the connection is closed.
fn rest(client: &mut TcpStream) -> String {
    let mut text = String::new();
    client.read_to_string(&mut text).unwrap();
    text
}

const GET: &str = "GET /b/k HTTP/1.1\r\nHost: h\r\n\r\n";

#[test]
fn bytes_are_passed_on_as_they_came() {
    let (mut client, proxy, sent) = setup(0.0, &[Fault::Fail]);
    let answer = |n| format!("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nanswer {n}");
    let put = "PUT /b/k?x=%20 HTTP/1.1\r\nhOST:  h \r\nif-none-match: *\r\nContent-Length: 5\r\n\r\nab\r\n\0";
    check(&mut client, &sent, put, &answer(1));
    let range = "GET /b/k HTTP/1.1\r\nRange: bytes=3-9\r\nHost: h\r\n\r\n";
    check(&mut client, &sent, range, &answer(2));
    let head = "HEAD /b/k HTTP/1.1\r\nHost: h\r\n\r\n";
    check(&mut client, &sent, head, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    check(&mut client, &sent, "DELETE /b/k HTTP/1.1\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n");
    let post = "POST /b?delete HTTP/1.1\r\nContent-Length: 9\r\n\r\n<Delete/>";
    let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: v\r\n\r\n";
    check(&mut client, &sent, post, chunks);
    let chunked =
        "PUT /b/k HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4;s=1\r\n0\r\n\r\r\n2\r\nab\r\n0\r\n\r\n";
    check(&mut client, &sent, chunked, &answer(6));
    check(&mut client, &sent, "GET /b/k HTTP/1.1\r\nConnection: close\r\n\r\n", &answer(7));
    assert_eq!(rest(&mut client), "");
    let report = proxy.report();
    assert!(
        report.contains("7 requests (DELETE 1, GET 2, HEAD 1, POST 1, PUT 2), 0 faults, 0 not"),
        "{report}"
    );
}

#[test]
fn who_waits_for_leave_gets_it() {
    let (mut client, _, sent) = setup(0.0, &[Fault::Fail]);
    let head = "PUT /b/k HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
    client.write_all(head.as_bytes()).unwrap();
    expect(&mut client, "HTTP/1.1 100 Continue\r\n\r\n");
    client.write_all(b"abc").unwrap();
    expect(&mut client, "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nanswer 1");
    assert_eq!(sent.recv().unwrap(), format!("{head}abc").into_bytes());
}

/// A body of this many bytes.
fn arrives_twice_when_repeated(length: u32) {
    let (mut client, _, sent) = setup(1.0, &[Fault::Repeat]);
    let body: Vec<u8> = (0..length).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let head = format!("PUT /b/k HTTP/1.1\r\nContent-Length: {}\r\n\r\n", body.len());
    client.write_all(head.as_bytes()).unwrap();
    client.write_all(&body).unwrap();
    expect(&mut client, "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nanswer 2");
    let expected = format!("{head}{} bytes, sum {}", body.len(), sum(&body)).into_bytes();
    assert_eq!(sent.recv().unwrap(), expected);
    assert_eq!(sent.recv().unwrap(), expected);
}

#[test]
fn large_bodies_arrive_twice_when_repeated() {
    arrives_twice_when_repeated(4_000_000);
}

#[test]
#[ignore = "full: a body of 200 megabytes"]
fn the_largest_bodies_arrive_twice_when_repeated() {
    arrives_twice_when_repeated(200_000_000);
}

#[test]
fn a_failed_request_is_not_passed_on() {
    let (mut client, proxy, sent) = setup(1.0, &[Fault::Fail]);
    for _ in 0..2 {
        client.write_all(b"PUT /b/k HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc").unwrap();
        expect(&mut client, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");
    }
    assert!(sent.try_recv().is_err());
    assert!(proxy.report().contains("faults: fail 2 (PUT 2)\n"), "{}", proxy.report());
}

#[test]
fn a_dropped_answer_leaves_the_request_done() {
    let (mut client, _, sent) = setup(1.0, &[Fault::Drop]);
    client.write_all(GET.as_bytes()).unwrap();
    assert_eq!(rest(&mut client), "");
    assert_eq!(sent.recv().unwrap(), GET.as_bytes());
}

#[test]
fn a_cut_answer_stops_in_its_middle() {
    let (mut client, _, _sent) = setup(1.0, &[Fault::Cut]);
    client.write_all(GET.as_bytes()).unwrap();
    assert_eq!(rest(&mut client), "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nansw");
    let (mut client, _, _sent) = setup(1.0, &[Fault::Cut]);
    client.write_all(b"DELETE /b/k HTTP/1.1\r\n\r\n").unwrap();
    assert_eq!(rest(&mut client), "HTTP/1.1 204 ");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a delay is at least as long as it says")]
fn a_delayed_request_is_late_and_whole() {
    let (mut client, _, sent) = setup(1.0, &[Fault::Delay]);
    // The same seed draws the same delay.
    let (_, delay) = Proxy::new(&args("", 1.0, &[Fault::Delay])).unwrap().draw();
    let began = std::time::Instant::now();
    client.write_all(GET.as_bytes()).unwrap();
    assert_eq!(sent.recv().unwrap(), GET.as_bytes());
    assert!(began.elapsed() >= delay, "{:?} instead of {delay:?}", began.elapsed());
    expect(&mut client, "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nanswer 1");
}

#[test]
fn who_cannot_be_reached_is_asked_again_later() {
    // No server listens on port 0.
    let unreachable = |client: &mut TcpStream, proxy: &Proxy, n: u32| {
        client.write_all(GET.as_bytes()).unwrap();
        expect(client, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
        let counted = format!("{n} requests (GET {n}), 0 faults, {n} not answered");
        assert!(proxy.report().contains(&counted), "{}", proxy.report());
    };
    let (mut client, proxy) = stand_before("127.0.0.1:0", 0.0, &[Fault::Fail]);
    unreachable(&mut client, &proxy, 1);
    unreachable(&mut client, &proxy, 2);

    // The first connection closes without an answer; the second closes unannounced after its answer, as when
    // a server is killed; the third stays open.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = listener.local_addr().unwrap().to_string();
    let (closed, is_closed) = channel();
    std::thread::spawn(move || {
        for is_answered in [false, true, true] {
            let (mut stream, _) = listener.accept().unwrap();
            read_request(&mut stream).unwrap();
            if is_answered {
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").unwrap();
            }
            drop(stream);
            closed.send(()).unwrap();
        }
    });
    let (mut client, proxy) = stand_before(&to, 0.0, &[Fault::Fail]);
    unreachable(&mut client, &proxy, 1);
    is_closed.recv().unwrap();
    for _ in 0..2 {
        client.write_all(GET.as_bytes()).unwrap();
        expect(&mut client, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        is_closed.recv().unwrap();
    }
}

#[test]
fn an_answer_without_a_length_ends_with_its_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        read_request(&mut stream).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it").unwrap();
    });
    let (mut client, _) = stand_before(&to, 0.0, &[Fault::Fail]);
    client.write_all(GET.as_bytes()).unwrap();
    assert_eq!(rest(&mut client), "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it");
}

#[test]
fn the_seed_decides_what_goes_wrong() {
    let kinds = [Fault::Fail, Fault::Delay, Fault::Drop, Fault::Repeat, Fault::Cut];
    let draws = |rate, seed| -> Vec<_> {
        let proxy = Proxy::new(&Args { seed, ..args("", rate, &kinds) }).unwrap();
        (0..20_000).map(|_| proxy.draw()).collect()
    };
    assert_eq!(draws(0.01, 1), draws(0.01, 1));
    assert_ne!(draws(0.01, 1), draws(0.01, 2));
    let faults: Vec<Fault> = draws(0.01, 1).into_iter().filter_map(|(fault, _)| fault).collect();
    // 200 are expected, and the standard deviation is 14.
    assert!((150..250).contains(&faults.len()), "{} faults of 20,000", faults.len());
    for kind in kinds {
        let n = faults.iter().filter(|&&fault| fault == kind).count();
        assert!((15..70).contains(&n), "{kind:?} {n} times of {}", faults.len());
    }
    assert!(
        draws(1.0, 1)
            .iter()
            .all(|(fault, delay)| { fault.is_some() && (300..1_200).contains(&(delay.as_millis() as u32)) })
    );
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    assert!(Proxy::new(&args("", 1.5, &[Fault::Fail])).is_err());
    assert!(Proxy::new(&args("", 0.5, &[])).is_err());
    assert!(Proxy::new(&Args { delay_ms: 0, ..args("", 0.5, &[Fault::Delay]) }).is_err());
}
