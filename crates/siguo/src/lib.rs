#![doc = include_str!("../README.md")]

pub mod arrangement;
mod board;
mod candidates;
mod clues;
pub mod evaluation;
mod event;
mod hosting;
mod knowledge;
mod layout;
mod notation;
pub mod picture;
pub mod qq;
mod replay;
mod role;
mod rules;
mod station;
#[cfg(feature = "store")]
mod stored;
mod table;
mod ways;
mod worlds;

use std::borrow::Cow;

pub use board::{lines, near, reach};
pub use candidates::Candidates;
pub use clues::Clues;
pub use event::{Action, Event, Move};
pub use hosting::install;
pub use knowledge::{Fight, Knowledge};
pub use layout::{Layout, SLOTS, may_stand};
pub use replay::Violation;
pub use role::{Clash, Role, Roles};
pub use rules::{Players, Rules, Sight};
pub use station::{Arm, Station, StationKind, Stations, slot_kind};
pub use table::{MOST_MISSED, Man, Table};
pub use ways::Ways;
pub use worlds::{Weights, Worlds};

use anglerfish_rules::NotationError;
use anglerfish_rules::{ChanceOutcome, Forfeit, Game, Seat, Turn, rand_core};

/// A whole game, as only a dealer sees it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Siguo {
    table: Table,
    layouts: [Option<Layout>; 4],
}

/// The knowledge of one seat: the table, its own layout, and those that the rules show it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// The public state.
    pub table: Table,
    /// By arm; `None` for empty arms and hidden layouts.
    pub layouts: [Option<Layout>; 4],
}

impl View {
    /// The whole game if the hidden layouts were these.
    #[must_use]
    pub fn world(&self, layouts: &[Option<Layout>; 4]) -> Siguo {
        let layout = |arm: Arm| self.layouts[arm.index()].or(layouts[arm.index()]);
        Siguo { table: self.table.clone(), layouts: Arm::ALL.map(layout) }
    }
}

impl Siguo {
    /// A game that begins with these layouts, by arm. Layouts of empty arms are ignored.
    ///
    /// # Panics
    /// When the arm to begin is empty, or a layout is missing.
    pub fn start(rules: Rules, layouts: [Option<Layout>; 4], first: Arm) -> Siguo {
        let layouts = Arm::ALL.map(|arm| {
            let layout = layouts[arm.index()].filter(|_| table::is_played(rules, arm));
            assert_eq!(layout.is_some(), table::is_played(rules, arm), "a layout for every player");
            layout
        });
        assert!(table::is_played(rules, first), "the arm to begin has a player");
        Siguo { table: Table::start(rules, first), layouts }
    }

    /// The public state.
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The initial army of an arm; `None` for an empty one.
    pub const fn layout(&self, arm: Arm) -> Option<&Layout> {
        self.layouts[arm.index()].as_ref()
    }

    /// The role on a station.
    #[inline]
    pub fn role_at(&self, at: Station) -> Option<Role> {
        self.table.man(at).and_then(|man| self.role(man))
    }

    /// The role of a man.
    #[inline]
    pub fn role(&self, man: Man) -> Option<Role> {
        self.layouts[man.arm().index()]?.role(man.slot())
    }

    /// The moves of the man on a station; empty for a free station or an immobile man.
    pub fn targets(&self, from: Station) -> Stations {
        let mut targets = Stations::default();
        let Some((man, role)) = self.mobile(from) else { return targets };
        let reached = reach(from, role == Role::Engineer, |at| self.table.man(at).is_none());
        for to in reached.iter().filter(|&to| self.table.is_open(man.arm(), to)) {
            targets.insert(to);
        }
        targets
    }

    /// Whether an arm would have a move if it were its turn. A man with any move has a move of one step.
    pub fn can_move(&self, arm: Arm) -> bool {
        self.has_step(arm, |to| self.table.is_open(arm, to))
    }

    /// Whether all mobile men of an arm have only men of their own team beside them. An adjacent enemy counts
    /// as an opening even in a camp, where it cannot be attacked: it may leave again.
    pub fn is_walled_in(&self, arm: Arm) -> bool {
        let held = |to| self.table.man(to).is_some_and(|man| !self.table.are_enemies(arm, man.arm()));
        !self.has_step(arm, |to| !held(to))
    }

    /// Whether a mobile man of an arm has such a station beside it.
    fn has_step(&self, arm: Arm, is_open: impl Fn(Station) -> bool) -> bool {
        Station::all().any(|from| {
            self.table.man(from).is_some_and(|man| man.arm() == arm)
                && self.mobile(from).is_some()
                && near(from).iter().any(|&to| is_open(to))
        })
    }

    /// The man on a station, if it is mobile.
    #[inline]
    fn mobile(&self, from: Station) -> Option<(Man, Role)> {
        let man = self.table.man(from)?;
        let role = self.role(man)?;
        (role.moves() && from.kind() != StationKind::Headquarters).then_some((man, role))
    }

    /// The event that a legal move leads to.
    fn event_of(&self, from: Station, to: Station) -> Event {
        let roles = [self.role_at(from), self.role_at(to)];
        let arms = [from, to].map(|at| self.table.man(at).map(Man::arm));
        let clash = roles[0].zip(roles[1]).map(|(attacker, defender)| attacker.attacks(defender));
        let dies = match clash {
            None => [false; 2],
            Some(Clash::Wins) => [false, true],
            Some(Clash::Dies) => [true, false],
            Some(Clash::Both) => [true; 2],
        };
        let shown = [0, 1].map(|i| {
            let arm = arms[i].filter(|_| dies[i] && roles[i] == Some(Role::Marshal))?;
            Some(Station::of(arm, self.layout(arm)?.flag()))
        });
        let taken = roles[1] == Some(Role::Flag);
        let mut play = Move { from, to, clash, taken, shown, walled: [false; 2] };
        // An arm that is walled in after its own move or a fight is out at once; the defender is checked first.
        let mut after = self.clone();
        after.table.apply(Event::Move(play));
        for i in [1, 0] {
            let Some(arm) = arms[i] else { continue };
            if !after.table.turn().is_over() && !after.table.is_out(arm) && after.is_walled_in(arm) {
                play.walled[i] = true;
                after.table.eliminate(arm);
            }
        }
        Event::Move(play)
    }
}

impl Game for Siguo {
    const NAME: &'static str = "siguo";
    const SEATS: u8 = 4;

    type Action = Action;
    type Event = Event;
    type View = View;
    type Rules = Rules;

    /// Every layout is drawn from all legal ones. South begins.
    fn deal(rules: &Rules, rng: &mut (impl rand_core::Rng + ?Sized)) -> Siguo {
        let layouts = Arm::ALL.map(|_| Some(Layout::random(rng)));
        Siguo::start(*rules, layouts, Arm::South)
    }

    fn rules(&self) -> Rules {
        self.table.rules()
    }

    fn turn(&self) -> Turn {
        self.table.turn()
    }

    fn actions(&self, out: &mut Vec<Action>) {
        out.clear();
        if self.turn().is_over() {
            return;
        }
        let mover = self.table.to_move();
        let (mut free, mut open) = (Stations::default(), Stations::default());
        for at in Station::all() {
            if self.table.man(at).is_none() {
                free.insert(at);
            }
            if self.table.is_open(mover, at) {
                open.insert(at);
            }
        }
        for from in Station::all() {
            if let Some((man, role)) = self.mobile(from)
                && man.arm() == mover
            {
                let reached = reach(from, role == Role::Engineer, |at| free.contains(at));
                out.extend(reached.and(open).iter().map(|to| Action::Move { from, to }));
            }
        }
        if out.is_empty() {
            out.push(Action::Skip);
        }
    }

    fn outcomes(&self, action: Action, out: &mut Vec<ChanceOutcome<Event>>) {
        out.clear();
        let event = match action {
            Action::Move { from, to } => self.event_of(from, to),
            Action::Skip => Event::Skip,
            Action::Leave(arm) => Event::Out { arm, why: Forfeit::Resigned },
            Action::Agree => Event::Agree,
        };
        out.push(ChanceOutcome { event, weight: 1 });
    }

    fn apply(&mut self, event: Event) {
        debug_assert!(self.is_possible(event), "{event} is not possible");
        self.table.apply(event);
    }

    /// A turn can be missed and a draw agreed on at any time before the end, though no player chooses to.
    fn is_possible(&self, event: Event) -> bool {
        !self.turn().is_over()
            && match event {
                Event::Move(Move { from, to, .. }) => {
                    self.is_legal(event.action()) && self.event_of(from, to) == event
                }
                Event::Skip | Event::Agree => true,
                Event::Out { arm, .. } => {
                    // The last player of a team leaves no ally behind, but loses the game.
                    let ally = arm.after(2);
                    !self.table.is_out(arm) && !self.table.is_out(ally) && !self.table.are_enemies(arm, ally)
                }
            }
    }

    fn action_of(event: Event) -> Action {
        event.action()
    }

    fn view(&self, seat: Seat) -> Cow<'_, View> {
        let own = self.table.arm_of(seat);
        let layouts = Arm::ALL.map(|arm| {
            let sees = match self.rules().sight {
                Sight::FourDark => own == Some(arm),
                Sight::PartnerOpen => own.is_some_and(|own| !self.table.are_enemies(own, arm)),
                Sight::AllOpen => true,
            };
            self.layouts[arm.index()].filter(|_| sees)
        });
        Cow::Owned(View { seat, table: self.table.clone(), layouts })
    }

    /// Every hidden layout is drawn from all that fit the [`Clues`] of the table.
    fn sample(view: &View, rng: &mut (impl rand_core::Rng + ?Sized)) -> Siguo {
        let layouts = Arm::ALL.map(|arm| {
            let drawn = || view.table.clues(arm).draw(rng);
            table::is_played(view.table.rules(), arm).then(|| view.layouts[arm.index()].unwrap_or_else(drawn))
        });
        Siguo { table: view.table.clone(), layouts }
    }

    fn parse_action(text: &str) -> Result<Action, NotationError> {
        text.parse()
    }

    fn parse_event(text: &str) -> Result<Event, NotationError> {
        text.parse()
    }

    fn is_legal(&self, action: Action) -> bool {
        !self.turn().is_over()
            && match action {
                Action::Move { from, to } => {
                    let mover = self.table.to_move();
                    self.table.man(from).is_some_and(|man| man.arm() == mover)
                        && self.targets(from).contains(to)
                }
                Action::Skip => !self.can_move(self.table.to_move()),
                Action::Leave(_) | Action::Agree => false,
            }
    }

    fn forfeited(&self, seat: Seat, why: Forfeit) -> Option<Event> {
        let arm = self.table.arm_of(seat)?;
        Some(Event::Out { arm, why }).filter(|&event| self.is_possible(event))
    }

    fn seat_of(&self, event: Event) -> Option<Seat> {
        match event {
            Event::Out { arm, .. } => self.table.seat_of(arm),
            _ => self.turn().seat(),
        }
    }
}
