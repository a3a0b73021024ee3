//! Whole runs on a synthetic file: they write their files, learn, and are reproducible to the last bit.

use std::fs;
use std::path::{Path, PathBuf};

use anglerfish_train::data::{Data, digest};
use anglerfish_train::manifest::Manifest;
use anglerfish_train::output::network;
use anglerfish_train::train::train;

mod plain;
mod synthetic;

const SMALL: &str =
    "channels = 4\nblocks = 2\nepochs = 2\nbatch = 80\nlearning_rate = 5e-3\nplies = \"some\"\n";

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A file of this many examples, and a manifest for it.
fn prepared(folder: &Path, n: usize, text: &str) -> (PathBuf, Manifest) {
    let file = folder.join("data.arrow");
    synthetic::write(&file, n, 1).unwrap();
    let data = digest(&fs::read(&file).unwrap());
    let rest = "seed = 7\nweight_decay = 1e-3\ntest_fold = 3\nvalidation_fold = 9\n";
    (file, Manifest::parse(&format!("{text}{rest}data = \"{data}\"\n")).unwrap())
}

/// Runs on this many threads.
fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn same_bits_again() {
    let (file, manifest) = prepared(&folder("same"), 400, SMALL);
    let data = Data::read(&file, &manifest).unwrap();
    // The losses and the network of every epoch, bit by bit.
    let course = |manifest: &Manifest, threads: usize| {
        let mut course = Vec::new();
        let each = |epoch: &anglerfish_train::train::Epoch, net: &_| {
            let losses = [epoch.training_loss, epoch.validation.loss].map(f64::to_bits);
            course.push((losses, network(net)));
            Ok(())
        };
        on(threads, || train(manifest, &data, each)).unwrap();
        course
    };
    let first = course(&manifest, 1);
    assert_ne!(first[0].1, first[1].1, "it moves");
    for threads in [1, 2, 2, 3] {
        assert!(course(&manifest, threads) == first, "on {threads} threads");
    }
    let other = Manifest { seed: 8, ..manifest };
    assert_ne!(course(&other, 1)[1].1, first[1].1, "the seed matters");
}

#[test]
fn a_run_writes_what_it_says() {
    let folder = folder("run");
    let (file, manifest) = prepared(&folder, 400, SMALL);
    let data = Data::read(&file, &manifest).unwrap();
    let out = folder.join("out");
    on(2, || anglerfish_train::run(&manifest, &data, &out)).unwrap();
    let text = |name: &str| fs::read_to_string(out.join(name)).unwrap();

    // An implementation of only the format agrees with burn.
    let net = plain::Net::read(&fs::read(out.join("ornn.net")).unwrap());
    let fixture = text("fixture.txt");
    let lines: Vec<&str> = fixture.lines().collect();
    assert_eq!(lines.len(), 3 * 8);
    for (example, lines) in data.test.iter().zip(lines.chunks(3)) {
        let boards: Vec<u32> =
            lines[0].split(' ').map(|word| u32::from_str_radix(word, 16).unwrap()).collect();
        let numbers = |line: &str| line.split(' ').map(|word| word.parse().unwrap()).collect::<Vec<f32>>();
        assert_eq!((&boards[..], &numbers(lines[1])[..]), (&example.boards[..], &example.unrevealed[..]));
        let (ours, theirs) = (net.logits(&boards, &numbers(lines[1])), numbers(lines[2]));
        assert!(ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() < 1e-5), "{ours:?} is not {theirs:?}");
    }

    let predictions = text("predictions.csv");
    let mut rows = predictions.lines();
    assert_eq!(rows.next(), Some("game,label,plies,weaker,equal,stronger"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 5 * data.test.len());
    for (i, row) in rows.iter().enumerate() {
        let (plies, example) = ([0, 2, 4, 6, 7][i / data.test.len()], &data.test[i % data.test.len()]);
        assert_eq!(row[..3], [&example.game, &example.label.to_string(), &plies.to_string()]);
        let sum: f64 = row[3..].iter().map(|word| word.parse::<f64>().unwrap()).sum();
        assert!((sum - 1.0).abs() < 3e-6, "{row:?}");
    }

    assert_eq!(text("log.csv").lines().count(), 1 + 2);
    let report: serde_json::Value = serde_json::from_str(&text("report.json")).unwrap();
    assert_eq!(report["data"], manifest.data);
    assert_eq!(report["manifest"]["channels"], 4);
    let confusion = report["confusion"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
    assert_eq!(confusion.map(|n| n.as_u64().unwrap()).sum::<u64>(), data.test.len() as u64);

    let again = anglerfish_train::run(&manifest, &data, &out).unwrap_err();
    assert!(format!("{again:#}").contains("expected a folder for a new run"), "{again:#}");
}

#[test]
fn it_learns() {
    let text = "channels = 8\nblocks = 1\nepochs = 6\nbatch = 64\nlearning_rate = 1e-2\nplies = \"all\"\n";
    let (file, manifest) = prepared(&folder("learns"), 2000, text);
    let data = Data::read(&file, &manifest).unwrap();
    let (best, _) = train(&manifest, &data, |_, _| Ok(())).unwrap();
    assert!(best.validation.accuracy() > 0.6, "{best:?}");
}

#[test]
fn what_cannot_be_read() {
    let folder = folder("wrong");
    let (file, manifest) = prepared(&folder, 40, SMALL);
    let says = |file: &Path, manifest: &Manifest| format!("{:#}", Data::read(file, manifest).unwrap_err());
    let other = Manifest { data: "0".repeat(64), ..manifest.clone() };
    let expected = format!("expected SHA-256 {}, found {}", other.data, manifest.data);
    assert!(says(&file, &other).contains(&expected), "{}", says(&file, &other));

    let text = folder.join("text.arrow");
    fs::write(&text, "not a table").unwrap();
    let named = Manifest { data: digest(b"not a table"), ..manifest };
    assert!(says(&text, &named).contains("expected an Arrow IPC file"), "{}", says(&text, &named));
    let none = folder.join("none.arrow");
    assert!(says(&none, &named).contains("reading"), "{}", says(&none, &named));
}
