//! The engine at a page's board, and its estimate of the person opposite.

use std::sync::Arc;

use anglerfish_arena::{Choice, Clocks, EnginePlayer, MoveRequest, Player};
use anglerfish_engine::{Assets, Clock, Config, Limits, Profile, Stop};
use anglerfish_report::Lang;
use anglerfish_report::words::{self, Words};
use anglerfish_rules::banqi::{Banqi, Event};
use anglerfish_rules::{Game, Ply, Record, Seat};
use serde::Serialize;

use crate::game::Refused;

/// The player that analyzes: full strength, with a table that a phone has room for.
pub(crate) const ANALYST: &str = "alphabeta,hash=16";

/// The most nodes for a move, also for a player that is configured for more.
const MOST_NODES: u64 = 1_000_000;

/// The largest table, in KiB: what a phone has room for.
const MOST_HASH: u32 = 16 << 10;

/// The nodes of each search that finds out what the profile changes.
const SECOND_LOOK: u64 = 20_000;

/// Below this trust the profile changes no choice.
const TRUSTED: f32 = 0.01;

/// A choice, and the estimate of the opponent.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Thought {
    action: String,
    nodes: Option<u64>,
    profile: Option<String>,
    games: Option<u32>,
    /// Plies of the opponent that the profile rests on.
    seen: Option<u32>,
    styles: Vec<Style>,
    trust: f32,
    /// The choice of full strength with this estimate, and without it, where they differ.
    changed: Option<[String; 2]>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Style {
    name: String,
    said: String,
    probability: f64,
}

/// A player, and what it has seen.
pub(super) struct Seated {
    player: EnginePlayer<Banqi>,
    text: String,
    seed: u64,
    study: bool,
    prior: Option<Profile>,
    clock: Arc<dyn Clock>,
    assets: Assets,
    /// The game it sits at, up to what it has seen of it; none before the first.
    seen: Option<(Seat, Banqi, Vec<Ply<Event>>)>,
}

impl Seated {
    /// The player from before, if it is the same one with the same seed; else a new one.
    pub(super) fn at(
        before: Option<Seated>,
        text: &str,
        seed: u64,
        study: bool,
        profile: Option<&str>,
        (clock, assets): (&Arc<dyn Clock>, &Assets),
    ) -> Result<Seated, Refused> {
        let prior = profile.filter(|_| study).map(str::parse).transpose();
        let prior: Option<Profile> = prior?;
        let same = |it: &Seated| it.text == text && it.seed == seed && it.study == study && it.prior == prior;
        if let Some(seated) = before.filter(same) {
            return Ok(seated);
        }
        let player = made(text, study, prior.clone(), (clock, assets))?;
        let (clock, assets) = (Arc::clone(clock), assets.clone());
        Ok(Seated { player, text: text.to_owned(), seed, study, prior, clock, assets, seen: None })
    }

    /// What it plays in a game that goes on.
    pub(super) fn think(
        &mut self,
        record: &Record<Banqi>,
        stop: &Stop,
        lang: Lang,
    ) -> Result<Thought, Refused> {
        let game = record.replay()?;
        let seat = game.turn().seat().filter(|_| record.ending.is_none());
        let seat = seat.ok_or("the game is over here: there is nothing to choose")?;
        self.hear(record, seat);
        let trust = self.player.trust();
        let choice = chosen(&mut self.player, &game, Limits::nodes(MOST_NODES), stop)?;
        let words = Words { lang, glyphs: true };
        let profile = self.player.profile().filter(|_| self.study);
        let mut styles = profile.as_ref().map(|profile| profile.styles.clone()).unwrap_or_default();
        styles.sort_by(|a, b| b.1.total_cmp(&a.1));
        let changed = match &profile {
            Some(profile) if trust >= TRUSTED => self.changed(&game, seat, profile, words, stop)?,
            _ => None,
        };
        let style = |(name, probability): (String, f64)| {
            let said = words::habit(lang, &name);
            Style { name, said, probability }
        };
        Ok(Thought {
            action: choice.action.to_string(),
            nodes: choice.thought.nodes,
            profile: profile.as_ref().map(ToString::to_string),
            games: profile.as_ref().map(|profile| profile.games),
            seen: profile.as_ref().map(|profile| profile.plies),
            styles: styles.into_iter().map(style).collect(),
            trust,
            changed,
        })
    }

    /// Tells the player what it has not heard yet; from the start if it sat at another game.
    fn hear(&mut self, record: &Record<Banqi>, seat: Seat) {
        let clocks = Clocks::UNTIMED;
        let heard = match &self.seen {
            Some((at, start, plies))
                if *at == seat && *start == record.start && record.plies.starts_with(plies) =>
            {
                plies.len()
            }
            _ => {
                // An engine in a chair never refuses to sit down or to listen.
                let _ = self.player.start(seat, self.seed, &clocks);
                0
            }
        };
        let mut game = record.start.clone();
        for (n, ply) in record.plies.iter().enumerate() {
            if n >= heard {
                let _ = self.player.observe(&game, ply, &clocks);
            }
            game.apply(ply.event);
        }
        self.seen = Some((seat, record.start.clone(), record.plies.clone()));
    }

    /// The choices of full strength with this profile and without it, in words; none where they are equal.
    fn changed(
        &self,
        game: &Banqi,
        seat: Seat,
        profile: &Profile,
        words: Words,
        stop: &Stop,
    ) -> Result<Option<[String; 2]>, Refused> {
        let choose = |study: bool| {
            let mut player = made(ANALYST, study, Some(profile.clone()), (&self.clock, &self.assets))?;
            let _ = player.start(seat, self.seed, &Clocks::UNTIMED);
            Ok::<_, Refused>(chosen(&mut player, game, Limits::nodes(SECOND_LOOK), stop)?.action)
        };
        let (usual, because) = (choose(false)?, choose(true)?);
        Ok((usual != because).then(|| [because, usual].map(|action| words::describe(words, game, action))))
    }
}

fn made(
    text: &str,
    study: bool,
    prior: Option<Profile>,
    (clock, assets): (&Arc<dyn Clock>, &Assets),
) -> Result<EnginePlayer<Banqi>, Refused> {
    let config: Config = text.parse()?;
    // The search of a player that the opponent is supposed to be has limits of its own.
    let beyond = |other: Config| !other.search.takes_nodes() || other.hash_kib > MOST_HASH;
    if config.nested_players().any(beyond) {
        let most = MOST_HASH >> 10;
        return Err(format!("expected to play against a player who searches nodes, with {most} MiB").into());
    }
    let hash_kib = config.hash_kib.min(MOST_HASH);
    let config = Config { threads: 1, ponder: false, hash_kib, ..config };
    let player = EnginePlayer::with_clock(&config, assets, Arc::clone(clock));
    let mut player = player?;
    if study {
        player.set("opponent", "bayes")?;
        player.expect(prior);
    }
    Ok(player)
}

fn chosen(
    player: &mut EnginePlayer<Banqi>,
    game: &Banqi,
    limits: Limits,
    stop: &Stop,
) -> Result<Choice<anglerfish_rules::banqi::Action>, Refused> {
    let ask = MoveRequest { clocks: None, limits, lines: 1 };
    Ok(player.think(game, &ask, stop, &mut |_| {})?)
}
