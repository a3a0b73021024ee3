//! Adjudication from the command line and from TOML files.

use anglerfish_arena::{Adjudication, DrawRule, ResignRule};
use anyhow::{Context, anyhow, bail};

/// The options of `match` and `tournament` that end games early.
#[derive(clap::Args)]
pub(crate) struct Rules {
    /// End a game as a draw when every player has reported values within SCORE of 0 for MOVECOUNT of its moves in a row,
    /// once each has made MOVENUMBER moves, such as movenumber=34 movecount=8 score=5. SCORE is in hundredths of a game:
    /// 100 is a won game. The record says that it was adjudicated [default: off]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// End a game as won when all players have agreed for MOVECOUNT of their moves in a row that the same side is ahead by
    /// SCORE, such as movecount=3 score=90 [default: off]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
}

impl Rules {
    /// The rules of the flags, or else those of the file; `None` if there are none.
    pub(crate) fn over(
        &self,
        draw: Option<DrawRule>,
        resign: Option<ResignRule>,
    ) -> anyhow::Result<Option<Adjudication>> {
        let draw = if self.draw.is_empty() {
            draw
        } else {
            let [movenumber, movecount, score] =
                numbers(&self.draw, ["movenumber", "movecount", "score"], "--draw")?;
            Some(DrawRule {
                movenumber: movenumber.unwrap_or(0),
                movecount: movecount.context("--draw: expected movecount=")?,
                score: score.context("--draw: expected score=")?,
            })
        };
        let resign = if self.resign.is_empty() {
            resign
        } else {
            let [movecount, score] = numbers(&two_sided(&self.resign)?, ["movecount", "score"], "--resign")?;
            Some(ResignRule {
                movecount: movecount.context("--resign: expected movecount=")?,
                score: score.context("--resign: expected score=")?,
            })
        };
        let rules = Adjudication { draw, resign };
        rules.check().map_err(|e| anyhow!("--{e}"))?;
        Ok((rules != Adjudication::default()).then_some(rules))
    }
}

/// The words without `twosided=true`, which is always so here.
fn two_sided(words: &[String]) -> anyhow::Result<Vec<String>> {
    if words.iter().any(|word| word == "twosided=false") {
        bail!("--resign: twosided=false: a game is won only if both players say so; leave it out");
    }
    Ok(words.iter().filter(|word| *word != "twosided=true").cloned().collect())
}

/// The values of these keys, in their order.
fn numbers<const N: usize>(
    words: &[String],
    keys: [&str; N],
    option: &str,
) -> anyhow::Result<[Option<u32>; N]> {
    let mut values = [None; N];
    for word in words {
        let found = word.split_once('=').and_then(|(key, value)| {
            Some((keys.iter().position(|known| *known == key)?, value.parse::<u32>().ok()?))
        });
        let (place, value) = found.with_context(|| {
            format!("{option}: expected {}=NUMBER, found {word:?}", keys.join("=NUMBER, "))
        })?;
        values[place] = Some(value);
    }
    Ok(values)
}
