//! `anglerfish man`: the manual.

use std::path::PathBuf;

use clap::CommandFactory;

/// Print the man page, or write one page per subcommand into a folder
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish man | man -l -\n  anglerfish man --dir /usr/local/share/man/man1"
)]
pub(crate) struct Args {
    /// Write anglerfish.1, anglerfish-show.1 … into this folder [default: one page to the standard output]
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let command = crate::args::Args::command();
    match &args.dir {
        Some(dir) => {
            std::fs::create_dir_all(dir)?;
            clap_mangen::generate_to(command, dir)?;
        }
        None => clap_mangen::Man::new(command).render(&mut std::io::stdout())?,
    }
    Ok(true)
}
