//! Siguo in a store: its events as numbers.

use anglerfish_rules::Forfeit;
use anglerfish_store::StoredGame;

use crate::{Arm, Clash, Event, Move, Siguo, Station};

/// Moves are ((((from x 129 + to) x 4 + clash) x 2 + taken) x 81 + flags shown) x 4 + walled in. Then come skip,
/// draw, and players who are out, by cause. A shown flag is none or one of eight: the first or second of each arm.
impl StoredGame for Siguo {
    fn code(event: Event) -> u32 {
        match event {
            Event::Move(play) => {
                let stations = (play.from.index() * Station::COUNT + play.to.index()) as u32;
                let clash = play.clash.map_or(0, |clash| 1 + clash as u32);
                let flag = |at: Option<Station>| {
                    let place = at.and_then(|at| FLAGS.iter().position(|flag| *flag == at.index()));
                    place.map_or(0, |place| 1 + place as u32)
                };
                let walled = u32::from(play.walled[0]) + 2 * u32::from(play.walled[1]);
                let fight = (stations * 4 + clash) * 2 + u32::from(play.taken);
                (fight * 81 + flag(play.shown[0]) * 9 + flag(play.shown[1])) * 4 + walled
            }
            Event::Skip => MOVES,
            Event::Agree => MOVES + 1,
            Event::Out { arm, why } => {
                let why = Forfeit::ALL.iter().position(|forfeit| *forfeit == why).unwrap_or(0);
                MOVES + 2 + (4 * why + arm.index()) as u32
            }
        }
    }

    fn event(code: u32) -> Option<Event> {
        if let Some(rest) = code.checked_sub(MOVES) {
            return match rest {
                0 => Some(Event::Skip),
                1 => Some(Event::Agree),
                _ => {
                    let (why, arm) = ((rest - 2) / 4, (rest - 2) % 4);
                    let why = *Forfeit::ALL.get(why as usize)?;
                    Some(Event::Out { arm: Arm::ALL[arm as usize], why })
                }
            };
        }
        let (fight, rest) = (code / 324, code % 324);
        let (stations, rest_of_fight) = ((fight / 8) as usize, fight % 8);
        let clash = [None, Some(Clash::Wins), Some(Clash::Dies), Some(Clash::Both)];
        let flag = |n: u32| n.checked_sub(1).and_then(|place| Station::new(FLAGS[place as usize]));
        Some(Event::Move(Move {
            from: Station::new(stations / Station::COUNT)?,
            to: Station::new(stations % Station::COUNT)?,
            clash: clash[(rest_of_fight / 2) as usize],
            taken: rest_of_fight % 2 == 1,
            shown: [flag(rest / 36), flag(rest / 4 % 9)],
            walled: [rest % 2 == 1, rest / 2 % 2 == 1],
        }))
    }
}

/// Number of codes for moves.
const MOVES: u32 = (Station::COUNT * Station::COUNT) as u32 * 4 * 2 * 81 * 4;
/// The headquarters by their stations.
const FLAGS: [usize; 8] = [26, 28, 56, 58, 86, 88, 116, 118];

#[cfg(test)]
mod tests {
    use anglerfish_rules::{Game, Rng, RngExt};

    use super::*;

    #[test]
    fn an_event_is_its_number() {
        let (mut actions, mut rng) = (Vec::new(), Rng::new(7));
        for _ in 0..200 {
            let mut game = Siguo::deal(&crate::Rules::default(), &mut rng);
            while !game.turn().is_over() {
                game.actions(&mut actions);
                let event = game.draw(rng.pick(&actions), &mut rng);
                assert_eq!(Siguo::event(Siguo::code(event)), Some(event));
                game.apply(event);
            }
        }
    }

    #[test]
    fn a_number_is_its_event() {
        for code in (0..5000).chain([u32::MAX]) {
            if let Some(event) = Siguo::event(code) {
                assert_eq!(Siguo::code(event), code, "{event}");
            }
        }
    }
}
