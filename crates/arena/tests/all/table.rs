//! The table: legal or nothing, forfeits as results, one hidden board for two games.

use std::time::Duration;

use anglerfish_arena::{
    Budget, Choice, Clocks, Draws, EnginePlayer, Fixed, GameOptions, MoveRequest, Player, Table, greedy,
    play, random,
};
use anglerfish_rules::banqi::{Action, Banqi, Board, Event, Layout, RuleSet};
use anglerfish_rules::tictactoe::{Standard, TicTacToe};
use anglerfish_rules::{Cause, Ending, Forfeit, Game, Outcome, Record, Rng, Seat, Team};

/// A player that plays at random until one ply, at which it does as told.
struct Troublemaker {
    random: EnginePlayer<Banqi>,
    after: u32,
    trouble: Result<Action, Forfeit>,
}

impl Player<Banqi> for Troublemaker {
    fn start(&mut self, seat: Seat, seed: u64, clocks: &Clocks) -> Result<(), Forfeit> {
        Player::<Banqi>::start(&mut self.random, seat, seed, clocks)
    }

    fn choose(&mut self, view: &Banqi, ask: &MoveRequest) -> Result<Choice<Action>, Forfeit> {
        if view.position().ply() < self.after {
            Player::<Banqi>::choose(&mut self.random, view, ask)
        } else {
            self.trouble.map(Choice::from)
        }
    }
}

fn clocks() -> Clocks {
    Clocks::new([Budget::Nodes(1); 2])
}

#[test]
fn forfeits_are_results() {
    let off = Action::Move {
        from: anglerfish_rules::banqi::Square::at(0, 0),
        to: anglerfish_rules::banqi::Square::at(3, 7),
    };
    let troubles = [(Ok(off), Forfeit::Illegal)]
        .into_iter()
        .chain(Forfeit::ALL.into_iter().map(|forfeit| (Err(forfeit), forfeit)));
    for (trouble, forfeit) in troubles {
        let mut bad = Troublemaker { random: random(), after: 7, trouble };
        let table = Table::new(Banqi::start(RuleSet::PLATFORM), Draws(Rng::new(1)), clocks());
        let record = play(table, &mut [&mut random(), &mut bad], 5, GameOptions::default());
        let lost = Ending { outcome: Outcome::Win(Team::A), cause: Cause::Forfeit(forfeit) };
        assert_eq!(record.ending, Some(lost));
        assert_eq!(record.plies.len(), 7, "an illegal action changes nothing");
        assert!(record.replay().is_ok());
        assert_eq!(record.to_string().parse(), Ok(record));
    }
}

#[test]
fn an_illegal_action_changes_nothing() {
    let mut table = Table::new(Banqi::start(RuleSet::PLATFORM), Draws(Rng::new(1)), clocks());
    let before = table.record().clone();
    let error =
        table.act("a1-a2".parse().expect("an action"), Duration::ZERO).expect_err("nothing to move yet");
    assert_eq!(
        error.to_string(),
        "a1-a2 is not possible here: the first move of a game is a flip: one square, such as b3"
    );
    assert_eq!(table.record(), &before);
    table.forfeit(Seat(0), Forfeit::Resigned, Duration::ZERO);
    assert!(table.act("a1".parse().expect("an action"), Duration::ZERO).is_err(), "the game has ended");
    assert_eq!(table.to_move(), None);
}

/// Two games of a pair show the same piece on every square that both of them flip.
#[test]
fn a_pair_shares_its_board() {
    let layout = Layout::shuffled(Board::Full, &mut Rng::stream(3, "deal"));
    let game = |seed| {
        let players: &mut [&mut dyn Player<Banqi>] = &mut [&mut random(), &mut greedy()];
        play(
            Table::new(Banqi::start(RuleSet::PLATFORM), Fixed(layout), clocks()),
            players,
            seed,
            GameOptions::default(),
        )
    };
    for record in [game(1), game(2)] {
        assert!(record.replay().is_ok());
        for ply in &record.plies {
            if let Event::Flip { at, piece } = ply.event {
                assert_eq!(layout.piece(at), Some(piece));
            }
        }
    }
    assert_ne!(game(1), game(2));
    assert_eq!(game(1), game(1), "equal seeds give equal games");
}

#[test]
fn greedy_beats_random() {
    let mut points = 0.0;
    let pairs = 60;
    for pair in 0..pairs {
        let layout = Layout::shuffled(Board::Full, &mut Rng::stream(pair, "deal"));
        for greedy_seat in [Team::A, Team::B] {
            let (mut greedy, mut random) = (greedy(), random());
            let players: &mut [&mut dyn Player<Banqi>] = match greedy_seat {
                Team::A => &mut [&mut greedy, &mut random],
                Team::B => &mut [&mut random, &mut greedy],
            };
            let record = play(
                Table::new(Banqi::start(RuleSet::PLATFORM), Fixed(layout), clocks()),
                players,
                pair,
                GameOptions::default(),
            );
            points += match record.ending.expect("an ending").outcome {
                Outcome::Win(team) => f64::from(u8::from(team == greedy_seat)),
                Outcome::Draw => 0.5,
            };
        }
    }
    let score = points / (2.0 * pairs as f64);
    assert!(score > 0.8, "greedy scored {score} in {pairs} pairs");
}

#[test]
fn any_game_can_be_played() {
    let start = TicTacToe::deal(&Standard, &mut Rng::new(0));
    let record: Record<TicTacToe> = play(
        Table::new(start, Draws(Rng::new(1)), clocks()),
        &mut [&mut random(), &mut random()],
        9,
        GameOptions::default(),
    );
    assert!(record.replay().is_ok_and(|game| game.turn().is_over()));
}

/// A player against itself is measured too: the games of a pair share the deal, not the dice.
#[test]
fn twins_do_not_play_the_same_game_twice() {
    use anglerfish_arena::{Contestant, Match, Worker};
    let twin = |name: &str| Contestant::builtin(name, "random", "nodes=1");
    let game = Match::new::<Banqi>([twin("a"), twin("b")], "platform", 1, 40);
    let tally = game
        .run::<Banqi>(&Worker::default(), None, 1, &mut |_, records| {
            assert_eq!(records[0].tag("Deal"), records[1].tag("Deal"));
            assert_ne!(records[0].plies, records[1].plies);
        })
        .expect("a match");
    let [none, half, one, more, all] = tally.pairs.0;
    assert!(none + half > 0 && more + all > 0 && one < 40, "luck goes both ways: {:?}", tally.pairs.0);
}
