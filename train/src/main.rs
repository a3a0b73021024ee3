//! The program: a manifest and a data file in, a folder with a network out.

use std::path::PathBuf;
use std::process::ExitCode;

use anglerfish_train::data::Data;
use anglerfish_train::manifest::Manifest;
use anyhow::{Context, anyhow, bail};

/// Tensors are allocated by the megabyte, and glibc's allocator returns each to the system: a quarter of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "usage: anglerfish-train MANIFEST.toml --data FILE.arrow --out FOLDER [--threads N]";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let arguments = Arguments::parse(std::env::args().skip(1));
    let arguments = arguments.map_err(|error| anyhow!("{error:#}\n{USAGE}"))?;
    let manifest = Manifest::read(&arguments.manifest)?;
    let data = Data::read(&arguments.data, &manifest)?;
    eprintln!(
        "{} examples to train on, {} to choose the epoch, {} to test",
        data.training.len(),
        data.validation.len(),
        data.test.len()
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    pool.install(|| anglerfish_train::run(&manifest, &data, &arguments.out))
}

/// The arguments of the command line.
struct Arguments {
    manifest: PathBuf,
    data: PathBuf,
    out: PathBuf,
    /// 0 for as many as there are cores.
    threads: usize,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> anyhow::Result<Arguments> {
        let [mut manifest, mut data, mut out, mut threads] = [const { None }; 4];
        while let Some(word) = words.next() {
            let (place, value) = match word.as_str() {
                "--data" => (&mut data, words.next()),
                "--out" => (&mut out, words.next()),
                "--threads" => (&mut threads, words.next()),
                flag if flag.starts_with('-') => bail!("unknown option {flag}"),
                _ => (&mut manifest, Some(word.clone())),
            };
            let value = value.with_context(|| format!("expected a value after {word}"))?;
            if place.replace(value).is_some() {
                bail!("found {word:?} when there was one already");
            }
        }
        let threads = threads.unwrap_or_else(|| "0".to_owned());
        Ok(Arguments {
            manifest: manifest.context("expected a manifest")?.into(),
            data: data.context("expected --data")?.into(),
            out: out.context("expected --out")?.into(),
            threads: threads
                .parse()
                .with_context(|| format!("expected a number of threads, found {threads:?}"))?,
        })
    }
}
