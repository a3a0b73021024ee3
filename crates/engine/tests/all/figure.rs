//! Figure 1 of Kajihara and others (1999) as a game: the speculative player chooses the move that the paper says.
//!
//! The drawing is not in the text that we have. The tree below is the one that fits everything the text says of it: nodes
//! numbered row by row, the leaves 26, 27, 28 and 15 on the left with 15 won, four leaves without a win in the center, six with two wins on the right.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use anglerfish_engine::papers::semirandom::Fallback;
use anglerfish_engine::papers::speculative::{Leaves, Speculation, Speculative};
use anglerfish_engine::search::chooser::Chooser;
use anglerfish_rules::tictactoe::Standard;
use anglerfish_rules::{ChanceOutcome, Game, NotationError, Outcome, Reason, Seat, Team, Turn, rand_core};

/// Children of the nodes that have any.
const TREE: [(u8, &[u8]); 22] = [
    (1, &[2, 3, 4]),
    (2, &[5, 6]),
    (3, &[7, 8]),
    (4, &[9, 10, 11, 12, 13]),
    (5, &[14]),
    (6, &[15]),
    (7, &[16, 17]),
    (8, &[18, 19]),
    (9, &[20]),
    (10, &[21]),
    (11, &[22]),
    (12, &[23]),
    (13, &[24, 25]),
    (14, &[26, 27, 28]),
    (16, &[29]),
    (17, &[30]),
    (18, &[31]),
    (19, &[32]),
    (22, &[33]),
    (23, &[34]),
    (24, &[35]),
    (25, &[36]),
];
/// Won by the player to move at the root; the other leaves are unclear: they could be expanded.
const WON: [u8; 3] = [15, 20, 21];

#[derive(Clone, Debug, Eq, PartialEq)]
struct Node(u8);

impl Node {
    fn children(&self) -> &'static [u8] {
        TREE.iter().find(|(node, _)| *node == self.0).map_or(&[], |(_, children)| children)
    }

    fn ply(&self) -> u8 {
        match self.0 {
            1 => 0,
            2..=4 => 1,
            5..=13 => 2,
            14..=25 => 3,
            _ => 4,
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Node {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Node, NotationError> {
        text.parse().map(Node).map_err(|_| NotationError::new("the number of a node", text, 0))
    }
}

impl Game for Node {
    const NAME: &'static str = "figure";
    const SEATS: u8 = 2;
    type Action = u8;
    type Event = u8;
    type View = Node;
    type Rules = Standard;

    fn deal(_: &Standard, _: &mut (impl rand_core::Rng + ?Sized)) -> Node {
        Node(1)
    }

    fn rules(&self) -> Standard {
        Standard
    }

    fn turn(&self) -> Turn {
        if WON.contains(&self.0) {
            return Turn::Over(Outcome::Win(Team::A), Reason::Line);
        }
        Turn::Seat(Seat(self.ply() % 2))
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.clear();
        out.extend(self.children());
    }

    fn outcomes(&self, action: u8, out: &mut Vec<ChanceOutcome<u8>>) {
        out.clear();
        out.push(ChanceOutcome { event: action, weight: 1 });
    }

    fn apply(&mut self, event: u8) {
        self.0 = event;
    }

    fn is_possible(&self, event: u8) -> bool {
        self.children().contains(&event)
    }

    fn action_of(event: u8) -> u8 {
        event
    }

    fn view(&self, _: Seat) -> Cow<'_, Node> {
        Cow::Borrowed(self)
    }

    fn sample(view: &Node, _: &mut (impl rand_core::Rng + ?Sized)) -> Node {
        view.clone()
    }

    fn parse_action(text: &str) -> Result<u8, NotationError> {
        text.parse::<Node>().map(|node| node.0)
    }

    fn parse_event(text: &str) -> Result<u8, NotationError> {
        Node::parse_action(text)
    }
}

#[test]
fn the_move_of_figure_1_is_chosen() {
    let mut player = Speculative::<Node>::new(4, 1, Fallback::Delay, Speculation::DEFINITION);
    let mut counted = |child: u8| {
        let Leaves { won, drawn, lost, unclear } = player.leaves(&Node(child), Team::A, 3);
        [won, won + drawn + lost + unclear].map(|n| n as u32)
    };
    assert_eq!(
        [2, 3, 4].map(&mut counted),
        [[1, 4], [0, 4], [2, 6]],
        "won leaves of all, as the paper counts"
    );
    assert_eq!(player.choices(&Node(1)), [4], "the paper selects the move 1 to 4");
}

#[test]
fn the_leads_for_table_2_do_not_explain_the_figure() {
    // In this tree at least: averaged by nodes, or over ends alone, the left-hand move is as good or better.
    for rule in [Speculation::LEAD_W, Speculation::LEAD_B] {
        let mut player = Speculative::<Node>::new(4, 1, Fallback::Delay, rule);
        assert_eq!(player.choices(&Node(1)), [2], "{rule}");
    }
}
