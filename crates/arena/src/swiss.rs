//! The pairing of the next round of a Swiss tournament, and who moves first.
//!
//! All wishes are put in order of rank and turned into one whole number a possible board, in which a higher wish
//! outweighs all lower ones together; the cheapest pairing of the whole field (`matching.rs`) then is the best by the
//! first wish, among these by the second, and so on. So no wish fails that could be granted without failing a higher
//! one. The wishes:
//!
//! 1. no two players meet twice;
//! 2. no player gets a second bye, and the bye goes to the lowest in points, then in tie order;
//! 3. no player makes the first move, or the second, three times running or three times more often than the other;
//! 4. opponents have equal points, or else nearly so (the sum of squared differences is least);
//! 5. no player makes the first move two times more often than the second, or the other way round;
//! 6. no player has the same side twice running;
//! 7. in a group of equal points the upper half meets the lower half in order, and the lowest leaves the group.
//!
//! Wish 3 comes before points and wish 5 after them, like absolute and strong color preferences in FIDE's Dutch system.
//! One round is paired at a time: that a later round has no pairing without a repeat is not foreseen. With r rounds played this
//! cannot happen in a field of at least 2 r + 2 players (each has at least half of the others left, and Gabriel Dirac's
//! theorem of 1952 gives a circle through all). Nothing here is random: the tie order comes from outside.

use std::cmp::Reverse;
use std::collections::BTreeMap;

mod matching;
pub mod standings;

use self::matching::cheapest_matching;

/// Points for a win, and for a bye. A draw is half of it.
pub const WIN: u32 = 2;

/// A finished game of the tournament.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Game {
    /// Who moved first.
    pub first: usize,
    /// Who moved second.
    pub second: usize,
    /// Points of both: 2 and 0, 1 and 1, 0 and 2, or 0 and 0 when neither came.
    pub points: [u32; 2],
}

/// A finished round. Who is not in it was absent.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Round {
    /// One game a board.
    pub games: Vec<Game>,
    /// The player without an opponent, who got [`WIN`] points.
    pub bye: Option<usize>,
}

/// A round to be played.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Pairing {
    /// Who moves first and who second, the board with most points first.
    pub boards: Vec<(usize, usize)>,
    /// The player with the bye.
    pub bye: Option<usize>,
}

/// The relevant past of one player.
#[derive(Clone, Debug, Default)]
struct Card {
    points: u32,
    byes: u32,
    met: BTreeMap<usize, u32>,
    /// For each game, whether this player moved first.
    firsts: Vec<bool>,
}

/// The penalty of a board by wish; the first difference decides.
type Hurt = [i128; 8];

/// How many rounds a field can play before a pair must meet twice; in an odd field every player has a bye.
pub const fn most_rounds(players: usize) -> u32 {
    (players - 1 + players % 2) as u32
}

/// Pairs the next round for the players in `order`, which also breaks ties (the earlier counts as the higher).
///
/// Players are any numbers; those left out of `order` are absent this round. Equal input, equal pairing.
///
/// # Panics
/// When `order` names a player twice.
pub fn next_round(past: &[Round], order: &[usize]) -> Pairing {
    // Step 1. The field, from the top: by points, then in tie order.
    let cards = cards(past, order);
    let mut field: Vec<usize> = order.to_vec();
    field.sort_by_key(|player| Reverse(cards[player].points));
    let groups = groups(&field, &cards);

    // Step 2. How much every possible board would hurt. The last vertex of an odd field is the bye.
    let vertices = field.len().next_multiple_of(2);
    let hurt = |upper: usize, lower: usize| -> Hurt {
        let up = &cards[&field[upper]];
        let Some(player) = field.get(lower) else {
            return [0, i128::from(up.byes), (lower - upper) as i128, 0, 0, 0, 0, 0];
        };
        let low = &cards[player];
        let repeats = up.met.get(player).copied().unwrap_or(0);
        let [running, unbalanced, same] = sides(up, low).min(sides(low, up));
        let apart = i128::from(up.points - low.points);
        let fold = fold(groups[upper], groups[lower], up.points == low.points);
        [i128::from(repeats), 0, 0, running, apart * apart, unbalanced, same, fold]
    };

    // Step 3. One number a board: a unit of each wish outweighs all boards' lower wishes together.
    let places = (0..vertices * vertices).map(|k| (k / vertices, k % vertices));
    let hurts: Vec<Hurt> = places.map(|(u, v)| if u < v { hurt(u, v) } else { [0; 8] }).collect();
    let mut worst = [0; 8];
    for hurt in &hurts {
        worst = std::array::from_fn(|wish| hurt[wish].max(worst[wish]));
    }
    let boards = (vertices / 2) as i128;
    let cost = |u: usize, v: usize| {
        let hurt = hurts[u.min(v) * vertices + u.max(v)];
        hurt.iter().zip(&worst).fold(0, |sum, (here, most)| sum * (most * boards + 1) + here)
    };
    let mates = cheapest_matching(vertices, &cost);

    // Step 4. Who moves first.
    let mut pairing = Pairing::default();
    for (upper, &lower) in mates.iter().enumerate().filter(|&(upper, &lower)| upper < lower) {
        let Some(&low) = field.get(lower) else {
            pairing.bye = Some(field[upper]);
            continue;
        };
        let up = field[upper];
        let board = pairing.boards.len();
        let upper_first = moves_first(&cards[&up], &cards[&low], board.is_multiple_of(2));
        pairing.boards.push(if upper_first { (up, low) } else { (low, up) });
    }
    pairing
}

/// The past, player by player.
fn cards(past: &[Round], order: &[usize]) -> BTreeMap<usize, Card> {
    let mut cards: BTreeMap<usize, Card> = order.iter().map(|&player| (player, Card::default())).collect();
    assert_eq!(cards.len(), order.len(), "every player once in the tie order");
    for round in past {
        for game in &round.games {
            for (player, other, points, first) in [
                (game.first, game.second, game.points[0], true),
                (game.second, game.first, game.points[1], false),
            ] {
                let card = cards.entry(player).or_default();
                card.points += points;
                card.firsts.push(first);
                *card.met.entry(other).or_default() += 1;
            }
        }
        if let Some(player) = round.bye {
            let card = cards.entry(player).or_default();
            card.points += WIN;
            card.byes += 1;
        }
    }
    cards
}

/// For each place of the field: its index in its group of equal points, and the size of the group.
fn groups(field: &[usize], cards: &BTreeMap<usize, Card>) -> Vec<(usize, usize)> {
    let points = |player: &usize| cards[player].points;
    field
        .chunk_by(|a, b| points(a) == points(b))
        .flat_map(|group| (0..group.len()).map(|place| (place, group.len())))
        .collect()
}

/// How far two players are from where the fold of a group, or the border of two groups, would put them.
fn fold(upper: (usize, usize), lower: (usize, usize), same_group: bool) -> i128 {
    let distance = if same_group {
        (lower.0 - upper.0).abs_diff(upper.1 / 2)
    } else {
        (upper.1 - 1 - upper.0) + lower.0
    };
    distance as i128
}

/// The penalty for both players if `first` moves first: sides too often in a row or in all, two too many, same as last.
fn sides(first: &Card, second: &Card) -> [i128; 3] {
    let (a, b) = (side(first, true), side(second, false));
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn side(card: &Card, first: bool) -> [i128; 3] {
    let running = card.firsts.iter().rev().take_while(|&&side| side == first).count();
    let had = card.firsts.iter().filter(|&&side| side == first).count();
    // How much more often than the other side, if it is this one now.
    let lead = (2 * had + 1).saturating_sub(card.firsts.len());
    [i128::from(running >= 2 || lead >= 3), i128::from(lead >= 2), i128::from(running >= 1)]
}

/// Whether the upper of two players moves first.
fn moves_first(upper: &Card, lower: &Card, otherwise: bool) -> bool {
    let (as_first, as_second) = (sides(upper, lower), sides(lower, upper));
    if as_first != as_second {
        return as_first < as_second;
    }
    // Equal claims: the sides of the last game in which they differed are changed; boards alternate where none did.
    let mut last = upper.firsts.iter().rev().zip(lower.firsts.iter().rev());
    last.find(|(a, b)| a != b).map_or(otherwise, |(&upper_was_first, _)| !upper_was_first)
}
