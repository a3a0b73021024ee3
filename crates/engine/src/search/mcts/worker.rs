//! One thread: its tree, its dice, and one descent after another.
//!
//! In a game with secrets every descent has a world of its own, and the legal actions and their outcomes differ between worlds.
//! A node then has children for all actions that were legal in some world, and a descent chooses among those that are legal in
//! its own. Every event has a node, even where chance decides nothing, because events tell worlds apart (Cowling, Powley and
//! Whitehouse, 2012, "Information Set Monte Carlo Tree Search", section IV). A win in one world is then not a certain win.

use anglerfish_rules::{ChanceOutcome, Game, Outcome, Rng, RngExt, Seat, Team, Turn};

use super::settings::{Settings, Solve, TreeKind};
use super::tree::{Label, Node, ROOT, Tree};
use crate::playout::{Ending, Playout};
use crate::score::{Score, WIN};
use crate::search::has_secrets;
use crate::stance::Draws;

pub(super) struct Worker<G: Game> {
    pub(super) tree: Tree<G::Action, G::Event>,
    rng: Rng,
    playout: Box<dyn Playout<G>>,
    settings: Settings,
    /// Whether worlds differ.
    secrets: bool,
    /// The share of the evaluation in a choice: 0 without an evaluation.
    implicit: f64,
    /// The nodes of this descent, each with the team to move: `None` at chance nodes and where the game is over.
    path: Vec<(u32, Option<Team>)>,
    actions: Vec<G::Action>,
    outcomes: Vec<ChanceOutcome<G::Event>>,
    /// The longest path so far.
    pub(super) depth: usize,
}

impl<G: Game> Worker<G> {
    pub(super) fn new(settings: Settings, playout: Box<dyn Playout<G>>, bytes: usize) -> Worker<G> {
        Worker {
            tree: Tree::new(bytes),
            rng: Rng::new(0),
            playout,
            settings,
            secrets: false,
            implicit: 0.0,
            path: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
            depth: 0,
        }
    }

    /// Whether events have nodes.
    pub(super) fn by_chance_nodes(&self) -> bool {
        self.settings.tree == TreeKind::Chance
    }

    /// A search begins: its dice, and whether this game can be evaluated. A group stands for several positions, so it cannot.
    pub(super) fn begin(&mut self, world: &G, rng: Rng) {
        self.rng = rng;
        self.secrets = has_secrets(world);
        let share = f64::from(self.settings.implicit);
        let evaluated = share > 0.0 && self.by_chance_nodes() && self.playout.evaluate(world).is_some();
        self.implicit = if evaluated { share } else { 0.0 };
    }

    /// Descends once from the root, in one of these worlds if there are any. Returns the number of playouts.
    pub(super) fn descend(&mut self, view: &G::View, worlds: &[G], draws: Draws) -> u64 {
        self.path.clear();
        let game = match worlds {
            [] => G::sample(view, &mut self.rng),
            _ => worlds[self.rng.below(worlds.len() as u32) as usize].clone(),
        };
        let playouts = match self.settings.tree {
            TreeKind::Chance => self.by_chance(game, draws),
            TreeKind::Group => self.by_group(game, draws),
        };
        self.depth = self.depth.max(self.path.len() - 1);
        playouts
    }

    /// Algorithms 3 and 4: down to one new node, and a playout from there.
    fn by_chance(&mut self, mut game: G, draws: Draws) -> u64 {
        let (mut at, mut fresh) = (ROOT, false);
        let score = loop {
            self.path.push((at, game.turn().seat().map(Seat::team)));
            // Step 1. A new node is played out; a decided one needs no playout.
            let Some(mover) = game.turn().seat().map(Seat::team) else {
                break self.leaf(at, true, &game, draws);
            };
            if fresh {
                break self.leaf(at, true, &game, draws);
            }
            if let (Some(winner), true) = (self.tree.node(at).won, at != ROOT) {
                break won_by(winner);
            }
            // Step 2. An action that was never tried, else the best by UCT.
            let opened = if self.secrets { self.open_in_world(at, &game) } else { self.open(at, &game) };
            fresh = opened.is_some();
            let explore = f64::from(self.settings.explore);
            let legal = |label: &Label<G::Action, G::Event>| {
                !self.secrets || matches!(label, Label::Action(action) if self.actions.contains(action))
            };
            let best = || self.tree.best(at, mover, explore, self.implicit, legal);
            let Some(child) = opened.or_else(best) else {
                break self.leaf(at, true, &game, draws);
            };
            // Step 3. What comes of it: below a chance-node, a child for each event.
            let event = self.step(child, &mut game);
            at = child;
            if self.tree.node(child).chance {
                self.path.push((child, None));
                let known = self.tree.child(child, Label::Event(event));
                at = match known.or_else(|| self.tree.add(child, Label::Event(event))) {
                    Some(next) => next,
                    None => break self.leaf(child, false, &game, draws),
                };
                if known.is_none() {
                    self.tree.node_mut(child).unopened -= 1;
                    fresh = true;
                }
            }
        };
        self.back_up(score);
        if self.implicit > 0.0 {
            self.look_ahead(at, &game, score);
        }
        1
    }

    /// Algorithms 1 and 2: descends to a node with actions that have no children yet, and plays out each of those.
    fn by_group(&mut self, mut game: G, draws: Draws) -> u64 {
        let mut at = ROOT;
        // Marks are sound for nodes above the first flip only: below it a node stands for several positions.
        let mut sound = usize::MAX;
        let all = self.settings.solve == Solve::Paper;
        loop {
            self.path.push((at, game.turn().seat().map(Seat::team)));
            let depth = self.path.len();
            let decided = self.tree.node(at).won.filter(|_| at != ROOT).map(won_by);
            let Some(mover) = game.turn().seat().map(Seat::team).filter(|_| decided.is_none()) else {
                let score = decided.unwrap_or_else(|| self.leaf(at, all || depth <= sound, &game, draws));
                self.back_up(score);
                return 1;
            };
            // Step 1. All actions that are new here, one playout each.
            game.actions(&mut self.actions);
            let legal = |label: &Label<G::Action, G::Event>| match label {
                Label::Action(action) => game.is_legal(*action),
                Label::Root | Label::Event(_) => false,
            };
            let known = self.tree.children(at).filter(|&child| legal(&self.tree.node(child).label)).count();
            if known < self.actions.len() {
                let playouts = self.expand(at, &game, sound, draws);
                if playouts > 0 {
                    return playouts;
                }
            }
            // Step 2. The best by UCT of those that are legal in this descent.
            let explore = f64::from(self.settings.explore);
            let Some(child) = self.tree.best(at, mover, explore, self.implicit, legal) else {
                let score = self.leaf(at, false, &game, draws);
                self.back_up(score);
                return 1;
            };
            self.step(child, &mut game);
            if self.tree.node(child).chance {
                sound = sound.min(depth);
            }
            at = child;
        }
    }

    /// Adds a child and a playout for each action in `self.actions` without a child, while there is room. Returns the playouts.
    fn expand(&mut self, at: u32, game: &G, sound: usize, draws: Draws) -> u64 {
        let mut playouts = 0;
        let all = self.settings.solve == Solve::Paper;
        for action in std::mem::take(&mut self.actions) {
            if self.tree.child(at, Label::Action(action)).is_some() {
                continue;
            }
            let Some(child) = self.tree.add(at, Label::Action(action)) else { return playouts };
            self.set_chance(child, game, action);
            let mut next = game.clone();
            self.step(child, &mut next);
            let sound = if self.tree.node(child).chance { sound.min(self.path.len()) } else { sound };
            self.path.push((child, next.turn().seat().map(Seat::team)));
            let score = self.leaf(child, all || self.path.len() <= sound, &next, draws);
            self.back_up(score);
            self.path.pop();
            playouts += 1;
        }
        self.tree.node_mut(at).unopened = 0;
        playouts
    }

    /// Plays the action of a node.
    fn step(&mut self, child: u32, game: &mut G) -> G::Event {
        let Label::Action(action) = self.tree.node(child).label else {
            unreachable!("children of a position are actions")
        };
        let event = game.draw(action, &mut self.rng);
        game.apply(event);
        event
    }

    /// The next action that was never tried, as a new node.
    fn open(&mut self, at: u32, game: &G) -> Option<u32> {
        if self.tree.node(at).unopened == 0 {
            return None;
        }
        game.actions(&mut self.actions);
        let n = self.actions.len() as u16;
        let node = self.tree.node_mut(at);
        if node.unopened == Node::<G::Action, G::Event>::UNCOUNTED {
            (node.unopened, node.begin) = (n, self.rng.below(u32::from(n)) as u16);
        }
        let place = u32::from(node.begin) + u32::from(n - node.unopened);
        let action = self.actions[(place % u32::from(n)) as usize];
        let child = self.tree.add(at, Label::Action(action))?;
        self.tree.node_mut(at).unopened -= 1;
        self.set_chance(child, game, action);
        Some(child)
    }

    /// An action of this world that no world has tried, as a new node. Nothing can be counted: another world has others.
    fn open_in_world(&mut self, at: u32, game: &G) -> Option<u32> {
        game.actions(&mut self.actions);
        let begin = self.rng.below(self.actions.len() as u32) as usize;
        let (behind, first) = self.actions.split_at(begin);
        let untried = |action: &&G::Action| self.tree.child(at, Label::Action(**action)).is_none();
        let action = first.iter().chain(behind).find(untried).copied()?;
        let child = self.tree.add(at, Label::Action(action))?;
        self.set_chance(child, game, action);
        Some(child)
    }

    fn set_chance(&mut self, child: u32, game: &G, action: G::Action) {
        game.outcomes(action, &mut self.outcomes);
        if self.outcomes.len() > 1 || self.secrets {
            let counted = (!self.secrets).then_some(self.outcomes.len() as u16);
            let n = counted.unwrap_or(Node::<G::Action, G::Event>::UNCOUNTED);
            let by_chance = self.settings.tree == TreeKind::Chance;
            let node = self.tree.node_mut(child);
            node.chance = true;
            if by_chance {
                node.unopened = n;
            }
        }
    }

    /// The value of a position to team A: its result, or that of a playout. A won position is marked where that is sound.
    fn leaf(&mut self, at: u32, sound: bool, game: &G, draws: Draws) -> Score {
        let ending = match game.turn() {
            Turn::Over(outcome, reason) => {
                if let (Outcome::Win(winner), true) =
                    (outcome, sound && !self.secrets && self.settings.solve != Solve::Off)
                {
                    self.tree.node_mut(at).won = Some(winner);
                }
                Ending::Over(outcome, reason)
            }
            Turn::Seat(_) => self.playout.run(game, &mut self.rng),
        };
        match ending {
            Ending::Over(Outcome::Win(winner), _) => won_by(winner),
            Ending::Over(Outcome::Draw, reason) => draws.score(Team::A, reason),
            Ending::Evaluated(value) => value.to_score(),
        }
    }

    /// Evaluates the position at the end of the path, and backs that up.
    fn look_ahead(&mut self, at: u32, game: &G, score: Score) {
        // Without room for what came up the path ends at a chance-node, which is no position.
        if !self.tree.node(at).chance {
            self.tree.evaluate(at, || match game.turn() {
                Turn::Over(..) => Some(score),
                Turn::Seat(_) => self.playout.evaluate(game),
            });
        }
        for &(at, mover) in self.path.iter().rev().skip(1) {
            self.tree.look_ahead(at, mover);
        }
    }

    /// Counts the path, and carries a mark at its end upward as far as it decides something.
    fn back_up(&mut self, score: Score) {
        self.tree.count(&self.path, score);
        if self.path.last().is_some_and(|&(at, _)| self.tree.node(at).won.is_some()) {
            for &(at, mover) in self.path.iter().rev() {
                if !self.tree.settle(at, mover) {
                    break;
                }
            }
        }
    }
}

const fn won_by(team: Team) -> Score {
    match team {
        Team::A => WIN,
        Team::B => -WIN,
    }
}
