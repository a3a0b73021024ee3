//! `anglerfish selfplay` and `anglerfish store` in a program built without them: tells how to get them.

#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    /// Not read
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _words: Vec<String>,
}

pub(crate) fn run() -> anyhow::Result<bool> {
    anyhow::bail!(
        "this program was built without stores; cargo install --locked --path crates/cli --features store makes one with them, and --features full one with `store query` too"
    );
}
