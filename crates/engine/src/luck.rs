//! Splits the result of a game into luck, mistakes, and corrections by later searches.
//!
//! A [`Judge`] is a function of a position and of nothing else. Seen from one team, the value of a game goes from that of its start
//! to its result, and every step on the way has one of these causes:
//!
//! * **luck**: the value of the outcome, less the mean over all possible outcomes. Both are values of the same function, so its expectation
//!   is zero for every such function and all players.
//! * **mistakes**: the value of the judge's own choice, less the value of the chosen one; never below zero. Both
//!   are taken one ply on, so that one is not searched deeper than the other.
//! * **corrections**: the rest. The position one ply on was searched one ply deeper, and says something else.
//!
//! All are whole millionths of a game, so they add up exactly.

use std::sync::Arc;

use anglerfish_rules::{ChanceOutcome, Game, Outcome, Record, Seat, Team, Turn};

use crate::assets::Assets;
use crate::clock::ManualClock;
use crate::config::Config;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::limits::{Limits, Stop};
use crate::opponent;
use crate::report::Line;
use crate::score::{Score, Value};
use crate::search_game::SearchGame;

/// Millionths of a game, as the first team sees them: 1,000,000 is won, 0 even.
pub type Millionths = i64;

/// A won game.
pub const GAME: Millionths = 1_000_000;

/// The number of stages of a game for which luck is counted apart.
pub const STAGES: usize = 4;

/// The dice of every search that judges.
const SEED: u64 = 1;

/// Gives a value to every position: always the same value to the same position.
pub struct Judge<G: SearchGame> {
    mind: Mind<G>,
    /// Its configuration, as text.
    text: String,
}

enum Mind<G: SearchGame> {
    /// Looks no further.
    Static(Box<dyn FnMut(&G) -> Score + Send>),
    /// Begins every search with an empty table.
    Search(Box<Engine<G>>, u64),
}

/// A judge's opinion of a position.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Opinion<A> {
    /// The value to the first team.
    pub value: Millionths,
    /// The line that it would play; empty when the game is over or the judge does not look ahead.
    pub line: Vec<A>,
}

impl<G: SearchGame> Judge<G> {
    /// A player of ours who searches so many nodes at every position, or with none only evaluates it; by one thread, for as long as
    /// that takes, and without an opinion of who plays.
    ///
    /// # Errors
    /// When there is no such player, none of this game, or one who has no values.
    pub fn new(player: &str, nodes: u64) -> Result<Judge<G>, EngineError> {
        let config: Config = player.parse()?;
        opponent::Models::default().check(&config)?;
        if nodes > 0 && !config.search.takes_nodes() {
            return Err(EngineError::NoValues { player: player.to_owned() });
        }
        let config = Config { threads: 1, ponder: false, movetime_ms: None, ..config };
        let eval = config.eval.resolved(&Assets::default())?;
        let config = Config { eval, ..config };
        let text = format!("{player} nodes={nodes}");
        let mind = if nodes == 0 {
            Mind::Static(G::evaluation(&config))
        } else {
            // The clock stands still: nodes are all that ends a search.
            let clock = Arc::new(ManualClock::default());
            let engine = Engine::new(&config, &Assets::default(), clock)?;
            Mind::Search(Box::new(engine), nodes)
        };
        Ok(Judge { mind, text })
    }

    /// A judge that does not search: `evaluate` gives the value of a position to the mover.
    pub fn by(text: &str, evaluate: impl FnMut(&G) -> Score + Send + 'static) -> Judge<G> {
        Judge { mind: Mind::Static(Box::new(evaluate)), text: text.to_owned() }
    }

    /// Its configuration, as text: a part of every result.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its opinion of a position.
    pub fn opinion(&mut self, game: &G) -> Opinion<G::Action> {
        unstopped(|stop| self.opinion_until(game, stop))
    }

    /// The same; none once it is stopped.
    fn opinion_until(&mut self, game: &G, stop: &Stop) -> Option<Opinion<G::Action>> {
        let seat = match game.turn() {
            Turn::Over(outcome, _) => return Some(Opinion { value: worth(outcome), line: Vec::new() }),
            Turn::Seat(seat) => seat,
        };
        let (value, line) = self.search(game, seat, stop)?;
        let shares = game.shares(value);
        let value = ((shares.win - shares.loss) * GAME as f64).round() as Millionths;
        Some(Opinion { value: sign(seat) * value, line })
    }

    /// The value of a position to the mover, on the search's own scale; `None` when the game is over.
    pub fn value(&mut self, game: &G) -> Option<Value> {
        game.turn().seat().map(|seat| unstopped(|stop| self.search(game, seat, stop)).0)
    }

    /// None once it is stopped: a search that was broken off says nothing.
    fn search(&mut self, game: &G, seat: Seat, stop: &Stop) -> Option<(Value, Vec<G::Action>)> {
        if stop.is_set() {
            return None;
        }
        let seen = match &mut self.mind {
            Mind::Static(evaluate) => (Value::from_score(evaluate(game)), Vec::new()),
            Mind::Search(engine, nodes) => {
                engine.new_game(seat, SEED, None);
                let limits = Limits { nodes: Some(*nodes), ..Limits::default() };
                let decision = engine.think(&game.view(seat), limits, stop, &mut |_| {});
                let best = decision.info.lines.into_iter().next();
                best.map_or((Value(0.0), vec![decision.action]), |line| (line.value, line.actions))
            }
        };
        (!stop.is_set()).then_some(seen)
    }

    /// What choosing `action` costs the mover, and why: the mistake of a [`GameLuck`], but judged before chance has answered the
    /// choice.
    pub fn mistake(&mut self, game: &G, action: G::Action) -> Verdict<G> {
        let line = self.opinion(game).line;
        let better = line.first().filter(|best| **best != action);
        let (Some(seat), Some(&best)) = (game.turn().seat(), better) else {
            return Verdict { mistake: 0, line, fan: Vec::new() };
        };
        let mut fan = |action| unstopped(|stop| self.fan(game, action, stop));
        let (best, chosen) = (fan(best).mean, fan(action));
        let mistake = (sign(seat) * (best - chosen.mean)).max(0);
        Verdict { mistake, line, fan: chosen.outcomes }
    }

    /// What is at stake in a position: the loss that a random choice would mean on average, from one search of all choices to
    /// the same depth. 0 when the game is over, when there is one choice only, and for a judge that only evaluates; none once it is
    /// stopped.
    fn stake(&mut self, game: &G, stop: &Stop) -> Option<Millionths> {
        let (Mind::Search(engine, nodes), Some(seat)) = (&mut self.mind, game.turn().seat()) else {
            return Some(0);
        };
        let mut actions = Vec::new();
        game.actions(&mut actions);
        if actions.len() < 2 {
            return Some(0);
        }
        engine.new_game(seat, SEED, None);
        let limits = Limits { nodes: Some(*nodes), ..Limits::default() };
        let lines = engine.analyse(&game.view(seat), actions.len(), limits, stop, &mut |_| {}).info.lines;
        if stop.is_set() {
            return None;
        }
        let worth = |line: &Line<G>| {
            let shares = game.shares(line.value);
            ((shares.win - shares.loss) * GAME as f64).round() as Millionths
        };
        let values: Vec<Millionths> = lines.iter().map(worth).collect();
        let (best, n) = (values.iter().copied().max().unwrap_or_default(), values.len().max(1) as i64);
        Some(best - values.iter().sum::<Millionths>().div_euclid(n))
    }

    /// The mean value of an action, and the opinion of each outcome; `None` once it is stopped.
    fn fan(&mut self, game: &G, action: G::Action, stop: &Stop) -> Option<Fan<G>> {
        let mut chances = Vec::new();
        game.outcomes(action, &mut chances);
        let judged = |chance: ChanceOutcome<G::Event>| {
            self.opinion_until(&after(game, chance.event), stop).map(|opinion| (chance, opinion))
        };
        let outcomes: Vec<_> = chances.into_iter().map(judged).collect::<Option<_>>()?;
        Some(Fan { mean: mean(&outcomes), outcomes })
    }
}

/// The answer of `ask` to a stop that is never set.
fn unstopped<T>(ask: impl FnOnce(&Stop) -> Option<T>) -> T {
    ask(&Stop::default()).unwrap_or_else(|| unreachable!("nothing stops it"))
}

/// An outcome, and the judge's opinion of the position after it.
pub type Judged<G> = (ChanceOutcome<<G as Game>::Event>, Opinion<<G as Game>::Action>);

/// What a judge says of a choice.
#[derive(Clone, Debug)]
pub struct Verdict<G: Game> {
    /// What it costs the mover; never below zero.
    pub mistake: Millionths,
    /// The line that the judge would play instead.
    pub line: Vec<G::Action>,
    /// What can come of the choice; empty where it is the judge's own.
    pub fan: Vec<Judged<G>>,
}

/// The judged outcomes of an action.
struct Fan<G: Game> {
    mean: Millionths,
    outcomes: Vec<Judged<G>>,
}

/// The weighted mean, to the nearest millionth.
fn mean<E, A>(outcomes: &[(ChanceOutcome<E>, Opinion<A>)]) -> Millionths {
    let total: i64 = outcomes.iter().map(|(chance, _)| i64::from(chance.weight)).sum();
    let sum: i64 = outcomes.iter().map(|(chance, opinion)| i64::from(chance.weight) * opinion.value).sum();
    (2 * sum + total).div_euclid(2 * total.max(1))
}

fn after<G: Game>(game: &G, event: G::Event) -> G {
    let mut after = game.clone();
    after.apply(event);
    after
}

/// The value of an outcome to the first team.
fn worth(outcome: Outcome) -> Millionths {
    match outcome {
        Outcome::Win(Team::A) => GAME,
        Outcome::Win(Team::B) => -GAME,
        Outcome::Draw => 0,
    }
}

/// 1 for the first team, -1 for the other.
fn sign(seat: Seat) -> i64 {
    if seat.team() == Team::A { 1 } else { -1 }
}

/// The effect of one ply on the value of a game.
#[derive(Clone, Debug)]
pub struct Entry<G: Game> {
    /// The index of the ply, from 0 as in the record.
    pub ply: usize,
    /// The seat that played it.
    pub seat: Seat,
    /// The value before it, for the first team.
    pub before: Millionths,
    /// The value after it, for the first team.
    pub after: Millionths,
    /// The value of the outcome less the expected value; for the first team.
    pub luck: Millionths,
    /// The cost of the choice to its player; never below zero.
    pub mistake: Millionths,
    /// What a random choice would have cost on average; `None` if the judge only evaluates.
    pub stake: Option<Millionths>,
    /// The correction by the searches one ply on; for the first team.
    pub correction: Millionths,
    /// The line that the judge would have played; empty if it only evaluates.
    pub line: Vec<G::Action>,
    /// The possible outcomes of the choice, one where it was certain, each with the judge's opinion: its value for the first team, and
    /// how it would go on.
    pub fan: Vec<Judged<G>>,
}

/// The luck and the mistakes of a whole game.
#[derive(Clone, Debug)]
pub struct GameLuck<G: Game> {
    /// The value before the first chosen ply, for the first team.
    pub start: Millionths,
    /// Every chosen ply.
    pub entries: Vec<Entry<G>>,
    /// The result less the last value, in a game that was not played to its end; for the first team.
    pub forfeit: Millionths,
    /// The result, for the first team; of a game that was broken off, its last value.
    pub result: Millionths,
}

/// The sums of an account, as one team sees them: `result - start` is `luck - own + others + corrections + forfeit`, exactly.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Sums {
    /// The value at the start.
    pub start: Millionths,
    /// Luck.
    pub luck: Millionths,
    /// Its own mistakes.
    pub own: Millionths,
    /// The other team's mistakes.
    pub others: Millionths,
    /// Corrections by later searches.
    pub corrections: Millionths,
    /// The result less the last value, when a player forfeited.
    pub forfeit: Millionths,
    /// The result.
    pub result: Millionths,
}

impl<G: SearchGame> GameLuck<G> {
    /// Judges every ply of a game from ply `from` on; the plies before it count as not chosen.
    ///
    /// The record must hold: see [`Record::replay`].
    pub fn new(judge: &mut Judge<G>, record: &Record<G>, from: usize) -> GameLuck<G> {
        unstopped(|stop| GameLuck::watched(judge, record, from, stop, &mut |_| {}))
    }

    /// The same, but calls `heard` after every judged ply with its number, from 1; `None` once it is stopped.
    pub fn watched(
        judge: &mut Judge<G>,
        record: &Record<G>,
        from: usize,
        stop: &Stop,
        heard: &mut dyn FnMut(usize),
    ) -> Option<GameLuck<G>> {
        let mut game = record.start.clone();
        record.plies.iter().take(from).for_each(|ply| game.apply(ply.event));
        let mut opinion = judge.opinion_until(&game, stop)?;
        let start = opinion.value;
        let mut entries = Vec::new();
        for (i, ply) in record.plies.iter().enumerate().skip(from) {
            let action = G::action_of(ply.event);
            let Fan { mean, outcomes } = judge.fan(&game, action, stop)?;
            let came = outcomes.iter().find(|(chance, _)| chance.event == ply.event);
            let before = game.clone();
            game.apply(ply.event);
            // Leaving a game of four is no choice that chance could answer.
            let (mean, next) = match came {
                Some((_, next)) => (mean, next.clone()),
                None => {
                    let next = judge.opinion_until(&game, stop)?;
                    (next.value, next)
                }
            };
            let better = opinion.line.first().filter(|best| **best != action);
            let best = match better {
                Some(&best) => judge.fan(&before, best, stop)?.mean,
                None => mean,
            };
            let mistake = (sign(ply.seat) * (best - mean)).max(0);
            let stake = match judge.mind {
                Mind::Static(_) => None,
                Mind::Search(..) => Some(judge.stake(&before, stop)?),
            };
            entries.push(Entry {
                ply: i,
                seat: ply.seat,
                before: opinion.value,
                after: next.value,
                luck: next.value - mean,
                mistake,
                stake,
                correction: mean - opinion.value + sign(ply.seat) * mistake,
                line: opinion.line,
                fan: outcomes,
            });
            opinion = next;
            heard(i + 1);
        }
        let result = record.ending.map_or(opinion.value, |ending| worth(ending.outcome));
        Some(GameLuck { start, entries, forfeit: result - opinion.value, result })
    }

    /// The sums, as a team sees them.
    pub fn sums(&self, team: Team) -> Sums {
        let sign = if team == Team::A { 1 } else { -1 };
        let mut sums = Sums {
            start: sign * self.start,
            forfeit: sign * self.forfeit,
            result: sign * self.result,
            ..Sums::default()
        };
        for entry in &self.entries {
            sums.luck += sign * entry.luck;
            sums.corrections += sign * entry.correction;
            *(if entry.seat.team() == team { &mut sums.own } else { &mut sums.others }) += entry.mistake;
        }
        sums
    }
}

/// The luck of the first team by stage, from ply `from` on: that of an [`GameLuck`], for those who want nothing else of it.
///
/// The record must hold: see [`Record::replay`].
pub fn luck<G: SearchGame>(judge: &mut Judge<G>, record: &Record<G>, from: usize) -> [Millionths; STAGES] {
    let (mut game, mut luck, mut chances) = (record.start.clone(), [0; STAGES], Vec::new());
    for (i, ply) in record.plies.iter().enumerate() {
        let action = G::action_of(ply.event);
        if i >= from {
            game.outcomes(action, &mut chances);
        }
        // Only where chance had a choice, and took one of these.
        if chances.len() > 1 && chances.iter().any(|chance| chance.event == ply.event) {
            let Fan { mean, outcomes } = unstopped(|stop| judge.fan(&game, action, stop));
            let came = outcomes.iter().find(|(chance, _)| chance.event == ply.event);
            luck[game.stage().min(STAGES - 1)] += came.map_or(0, |(_, opinion)| opinion.value - mean);
        }
        game.apply(ply.event);
    }
    luck
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::banqi::Banqi;
    use anglerfish_rules::testkit::heap::Heap;
    use anglerfish_rules::tictactoe::TicTacToe;
    use anglerfish_rules::{Cause, Ending, Forfeit, Ply, Rng, RngExt};
    use std::time::Duration;

    use super::*;

    fn judge<G: SearchGame>(player: &str, nodes: u64) -> Judge<G> {
        Judge::new(player, nodes).expect("a judge")
    }

    /// A game that is played at random.
    fn random_game<G: Game>(seed: u64) -> Record<G> {
        let mut rng = Rng::new(seed);
        let mut record = Record::new(G::deal(&G::Rules::default(), &mut rng));
        let (mut game, mut actions) = (record.start.clone(), Vec::new());
        while let Turn::Seat(seat) = game.turn() {
            game.actions(&mut actions);
            let event = game.draw(rng.pick(&actions), &mut rng);
            record.plies.push(Ply { seat, event, took: Duration::ZERO });
            game.apply(event);
        }
        let Turn::Over(outcome, reason) = game.turn() else { unreachable!("it has ended") };
        record.ending = Some(Ending { outcome, cause: Cause::Rules(reason) });
        record
    }

    fn adds_up<G: SearchGame>(account: &GameLuck<G>) {
        for team in [Team::A, Team::B] {
            let Sums { start, luck, own, others, corrections, forfeit, result } = account.sums(team);
            assert_eq!(result - start, luck - own + others + corrections + forfeit);
        }
        let mut value = account.start;
        for entry in &account.entries {
            assert_eq!(entry.before, value);
            assert!(entry.mistake >= 0, "{entry:?}");
            assert!(entry.luck == 0 || entry.fan.len() > 1, "{entry:?}");
            value = entry.after;
        }
        assert_eq!(value + account.forfeit, account.result);
    }

    fn games_add_up<G: SearchGame>(judge: &mut Judge<G>, games: u64) {
        for seed in 0..games {
            let mut record = random_game::<G>(seed);
            let opened = seed as usize % 3;
            let account = GameLuck::new(judge, &record, opened);
            adds_up(&account);
            assert_eq!(account.forfeit, 0);
            assert_eq!(account.entries.len(), record.plies.len() - opened);
            assert_eq!(luck(judge, &record, opened).iter().sum::<i64>(), account.sums(Team::A).luck);
            let mut game = record.start.clone();
            for (i, ply) in record.plies.iter().enumerate() {
                // Every few plies, and at the end: the mistake judged before a choice is the mistake judged after it.
                if let Some(entry) = i.checked_sub(opened).map(|n| &account.entries[n]).filter(|_| i % 7 == 0)
                {
                    let Verdict { mistake, line, fan } = judge.mistake(&game, G::action_of(ply.event));
                    assert_eq!((mistake, &line), (entry.mistake, &entry.line), "ply {i}");
                    assert!(fan.is_empty() || fan == entry.fan, "ply {i}");
                }
                game.apply(ply.event);
            }

            // The same, broken off, and given up.
            record.truncate(record.plies.len() / 2);
            let broken = GameLuck::new(judge, &record, opened);
            adds_up(&broken);
            assert_eq!(broken.forfeit, 0);
            record.ending =
                Some(Ending { outcome: Outcome::Win(Team::B), cause: Cause::Forfeit(Forfeit::Resigned) });
            let given_up = GameLuck::new(judge, &record, opened);
            adds_up(&given_up);
            assert_eq!((given_up.result, given_up.forfeit), (-GAME, -GAME - broken.result));
        }
    }

    #[test]
    fn every_game_adds_up() {
        games_add_up(&mut judge::<Banqi>("alphabeta,hash=1", 60), 1);
        games_add_up(&mut judge::<Banqi>("alphabeta,hash=1", 0), 6);
        games_add_up(&mut judge::<Banqi>("mcts", 10), 1);
        games_add_up(&mut judge::<TicTacToe>("mcts", 60), 10);
        games_add_up(&mut judge::<Heap>("mcts", 60), 10);
    }

    #[test]
    #[ignore = "full: every chance of eight games of Banqi is judged by a search"]
    fn every_longer_game_adds_up() {
        games_add_up(&mut judge::<Banqi>("alphabeta,hash=1", 60), 6);
        games_add_up(&mut judge::<Banqi>("mcts", 60), 2);
    }

    /// Luck is zero on average, to the rounding of one mean, for every choice and every judge.
    #[test]
    fn luck_is_nothing_on_average() {
        let silly = Judge::by("silly", |game: &Banqi| (game.position().key() % 8_001) as Score - 4_000);
        let judges = [judge("alphabeta,hash=1", 40), judge("course2019", 0), judge("mcts", 10), silly];
        for mut judge in judges {
            let record = random_game::<Banqi>(7);
            for ply in (0..record.plies.len()).step_by(9) {
                let mut before = record.clone();
                before.truncate(ply);
                let game =
                    before.plies.iter().fold(before.start.clone(), |game, ply| after(&game, ply.event));
                let Turn::Seat(seat) = game.turn() else { unreachable!("it goes on") };
                let mut chances = Vec::new();
                game.outcomes(Banqi::action_of(record.plies[ply].event), &mut chances);
                let (mut sum, mut total) = (0, 0);
                for chance in chances {
                    let mut record = before.clone();
                    record.plies.push(Ply { seat, event: chance.event, took: Duration::ZERO });
                    let found: i64 = luck(&mut judge, &record, ply).iter().sum();
                    sum += i64::from(chance.weight) * found;
                    total += i64::from(chance.weight);
                }
                assert!(2 * sum.abs() <= total, "{}, ply {ply}: {sum} of {total}", judge.text());
            }
        }
    }

    /// A player without values cannot judge.
    #[test]
    fn a_judge_has_values() {
        for player in ["random", "greedy", "exact", "unknown"] {
            assert!(Judge::<Banqi>::new(player, 10).is_err(), "{player}");
        }
    }

    /// A stop is heard between plies, and between the positions of one.
    #[test]
    fn an_account_can_be_stopped() {
        let record = random_game::<Banqi>(3);
        // Stopped by its listener, after three plies.
        let (stop, mut heard) = (Stop::default(), 0);
        let account = GameLuck::watched(&mut judge("alphabeta,hash=1", 20), &record, 0, &stop, &mut |ply| {
            heard = ply;
            if ply == 3 {
                stop.set();
            }
        });
        assert_eq!((account.is_none(), heard), (true, 3));
        // Stopped while it judges: nothing more is evaluated. The first flip alone has fourteen outcomes.
        let (stop, asked) = (Arc::new(Stop::default()), Arc::new(std::sync::atomic::AtomicU64::new(0)));
        let (switch, counter) = (Arc::clone(&stop), Arc::clone(&asked));
        let mut counting = Judge::by("counting", move |_: &Banqi| {
            if counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 4 {
                switch.set();
            }
            0
        });
        assert!(GameLuck::watched(&mut counting, &record, 0, &stop, &mut |_| {}).is_none());
        assert_eq!(asked.load(std::sync::atomic::Ordering::Relaxed), 5);
    }

    /// Earlier questions do not change an answer: forwards, backwards, and anew.
    #[test]
    fn an_opinion_depends_on_the_position_only() {
        for (player, nodes) in [("alphabeta,hash=1", 300), ("mcts", 60), ("alphabeta", 0)] {
            let record = random_game::<Banqi>(3);
            let games: Vec<Banqi> = record
                .plies
                .iter()
                .scan(record.start.clone(), |game, ply| {
                    *game = after(game, ply.event);
                    Some(game.clone())
                })
                .step_by(7)
                .collect();
            let mut one = judge::<Banqi>(player, nodes);
            let forwards: Vec<_> = games.iter().map(|game| one.opinion(game)).collect();
            let mut backwards: Vec<_> = games.iter().rev().map(|game| one.opinion(game)).collect();
            backwards.reverse();
            assert_eq!(forwards, backwards);
            let anew: Vec<_> = games.iter().map(|game| judge::<Banqi>(player, nodes).opinion(game)).collect();
            assert_eq!(forwards, anew);
        }
    }
}
