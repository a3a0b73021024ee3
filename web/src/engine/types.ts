// Generated from crates/board and crates/report. Do not edit: UPDATE_GOLDEN=1 cargo test -p anglerfish-board --lib types

/**
 * The game after an action, or why it is not allowed.
 */
export type Acted = GameView | { refused: string, };

/**
 * All of it for machines.
 */
export type Analysis = { schema: number, position: string, seat: number, 
/**
 * The color of the mover, once a piece has been turned over.
 */
color: string | null, depth: number, nodes: number, ms: number, 
/**
 * Whether shares were fitted to games of this player under these rules.
 */
calibrated: boolean, lines: Array<Line>, };

/**
 * The answer to the question of the same name. Only `answer` is sent.
 */
export type Answer = { "ask": "begin", "answer": GameView } | { "ask": "look", "answer": GameView } | { "ask": "act", "answer": Acted } | { "ask": "told", "answer": GameView } | { "ask": "resign", "answer": GameView } | { "ask": "undo", "answer": GameView } | { "ask": "think", "answer": Thought } | { "ask": "analyse", "answer": Analysis } | { "ask": "review", "answer": Review } | { "ask": "read", "answer": Found } | { "ask": "setup", "answer": GameView } | { "ask": "lessons", "answer": Lessons };

/**
 * The sums of an account as one side sees them: `result - start` is `luck - own + others + corrections + forfeit`, exactly.
 */
export type Balance = { 
/**
 * The value before the first choice.
 */
start: number, 
/**
 * Luck.
 */
luck: number, 
/**
 * What its own choices cost.
 */
own: number, 
/**
 * What the other side's choices cost.
 */
others: number, 
/**
 * What the judge saw only later.
 */
corrections: number, 
/**
 * What was left when a player forfeited.
 */
forfeit: number, 
/**
 * The result.
 */
result: number, };

/**
 * A piece that takes another.
 */
export type Capture = { 
/**
 * Who takes.
 */
by: string, 
/**
 * From where.
 */
from: string, 
/**
 * What is taken.
 */
piece: string, 
/**
 * Where.
 */
at: string, };

export type Color = "red" | "black";

export type Ended = { result: string, reason: string, text: string, };

/**
 * The games of a text, or the position.
 */
export type Found = { games: Array<GameView>, 
/**
 * What is wrong with other games of the text; left out for a position, like `more`.
 */
wrong?: Array<string>, 
/**
 * How many games are not listed.
 */
more?: number, };

/**
 * A game as it is shown after some of its plies.
 */
export type GameView = { record: string, position: string, rules: string, tags: { [key in string]: string }, names: [string, string], plies: Array<ShownPly>, ply: number, 
/**
 * Files and ranks.
 */
size: [number, number], 
/**
 * 32 letters, a1 first: pieces, X face down, - empty, # outside.
 */
board: string, seat: number | null, colors: [Color | null, Color | null], actions: Array<string>, bag: { [key in string]: number }, taken: { [key in string]: number }, quiet: number, limit: number, clocks: TimeLeft | null, ending: Ended | null, };

/**
 * What could have come up.
 */
export type JudgedOutcome = { 
/**
 * What, as an event.
 */
event: string, 
/**
 * In how many of all cases.
 */
weight: number, 
/**
 * What it is worth to the side that looks.
 */
value: number, 
/**
 * Whether it came.
 */
came: boolean, };

/**
 * All of it.
 */
export type Lessons = { lessons: Array<ShownLesson>, tasks: Array<ShownTask>, 
/**
 * The letters of the roles, strongest first.
 */
roles: Array<string>, 
/**
 * By mover and victim: `x` by moving onto it, `j` by jumping over one piece, `-` not at all.
 */
takes: Array<Array<string>>, presets: Array<Preset>, };

/**
 * A choice, and how the game goes on.
 */
export type Line = { actions: Array<string>, value: number, win: number, draw: number, loss: number, search: number, fan: Array<Outcome>, };

/**
 * An outcome of the first action of a line.
 */
export type Outcome = { event: string, weight: number, probability: number, value: number, };

/**
 * What one player did.
 */
export type Part = { 
/**
 * Its name; players of one name are told apart.
 */
name: string, 
/**
 * How many of its choices count: those where something was at stake, which excludes the only legal ones.
 */
choices: number, 
/**
 * How many of these were as good as the judge's own choice: see [`CLOSE`].
 */
accurate: number, 
/**
 * What all its choices cost.
 */
lost: number, 
/**
 * The share of counted choices that were as good as the judge's own; none without such choices.
 */
accuracy: number | null, };

/**
 * A rule set by its name.
 */
export type Preset = { name: string, 
/**
 * Who plays by it.
 */
who: string, endings: Array<string>, };

/**
 * How far a review is, sent before its answer.
 */
export type Progress = { ply: number, of: number, };

/**
 * A question, by the name in `ask`.
 */
export type Question = { "ask": "begin", rules: string, position?: string, tags: Array<[string, string]>, lang: string, } | { "ask": "look", record: string, ply?: number, lang: string, } | { "ask": "act", record: string, action?: string, seed: number, took: number, lang: string, } | { "ask": "told", record: string, ply: number, event: string, lang: string, } | { "ask": "resign", record: string, seat: number, lang: string, } | { "ask": "undo", record: string, plies: number, lang: string, } | { "ask": "think", record: string, player: string, seed: number, study: boolean, profile?: string, lang: string, } | { "ask": "analyse", record: string, ply?: number, nodes: number, } | { "ask": "review", record: string, nodes: number, side: number, lang: string, } | { "ask": "read", text: string, lang: string, } | { "ask": "setup", cells: string, bag: string, side: string | null, rules: string, lang: string, } | { "ask": "lessons", lang: string, };

/**
 * Why a choice was a mistake.
 */
export type Reason = { "kind": "hanging", 
/**
 * What follows.
 */
capture: Capture, } | { "kind": "missed-capture", 
/**
 * What could have been.
 */
capture: Capture, } | { "kind": "risky-flip", 
/**
 * The worst of what may follow.
 */
capture: Capture, 
/**
 * In so many of a hundred cases a piece is lost.
 */
percent: number, } | { "kind": "quiet-draw", 
/**
 * Plies that are left for a capture or a flip.
 */
left: number, } | { "kind": "repetition", 
/**
 * Whether the judge sees the game drawn by it.
 */
drawn: boolean, } | { "kind": "missed-escape", 
/**
 * What follows.
 */
capture: Capture, 
/**
 * In so many of a hundred cases.
 */
percent: number, } | { "kind": "other", 
/**
 * What the other side does then, where that is known.
 */
reply: string | null, };

/**
 * The object of `anglerfish review --json`, and its text.
 */
export type Review = { 
/**
 * The same for people.
 */
text: string, 
/**
 * By ply, why a choice was a mistake, in words.
 */
whys: { [key in number]: string }, mistakes: Array<number>, luckiest: Array<number>, unluckiest: Array<number>, turns: Array<Turn>, swings: Array<Turn>, 
/**
 * The version of its JSON.
 */
schema: number, 
/**
 * Who judged.
 */
judge: string, 
/**
 * The rules, as text.
 */
rules: string, 
/**
 * Whether values were fitted to games under such rules.
 */
calibrated: boolean, 
/**
 * The first player and the second.
 */
players: [Part, Part], 
/**
 * Who sees it: a place in `players`.
 */
for: number, 
/**
 * `1-0`, `0-1` or `1/2-1/2`; none in a game that was broken off.
 */
result: string | null, 
/**
 * The word of the record, such as `no-pieces`.
 */
reason: string | null, 
/**
 * Plies of the opening, which no player chose.
 */
opened: number, 
/**
 * The account.
 */
sums: Balance, 
/**
 * Every ply that a player chose.
 */
plies: Array<Step>, };

export type ShownDiagram = { before: string, 
/**
 * Where something is played.
 */
after: string | null, last: string | null, legal: Array<string>, refused: Array<string>, said: Array<string>, };

export type ShownLesson = { key: string, title: string, text: string, diagrams: Array<ShownDiagram>, };

export type ShownPly = { text: string, seat: number, ms: number, said: string, };

/**
 * Something to do on a board.
 */
export type ShownTask = { key: string, 
/**
 * Whether it belongs to the course of two minutes.
 */
course: boolean, title: string, text: string, 
/**
 * What is said when it is done.
 */
done: string, look: GameView, 
/**
 * The actions that do it.
 */
accepts: Array<string>, };

/**
 * What one ply did, as the side that looks sees it.
 */
export type Step = { 
/**
 * Which, counted from 1.
 */
ply: number, 
/**
 * Whose: a place in `players`.
 */
player: number, 
/**
 * What was played, as an event.
 */
played: string, 
/**
 * The value before it.
 */
before: number, 
/**
 * The value after it.
 */
after: number, 
/**
 * What came up, less what could be expected.
 */
luck: number, 
/**
 * What the choice cost its player; never less than nothing.
 */
mistake: number, 
/**
 * What the judge saw only after it.
 */
correction: number, 
/**
 * Whether there was nothing else to play.
 */
forced: boolean, 
/**
 * What the judge would have played, and how it would have gone on.
 */
line: Array<string>, 
/**
 * What could have come of the choice; empty where that was certain.
 */
fan: Array<JudgedOutcome>, 
/**
 * Why the choice was a mistake; none where it was none that is told of, and in other games than Banqi.
 */
reason: Reason | null, };

export type Style = { name: string, said: string, probability: number, };

/**
 * A choice, and the estimate of the opponent.
 */
export type Thought = { action: string, nodes: number | null, profile: string | null, games: number | null, 
/**
 * Plies of the opponent that the profile rests on.
 */
seen: number | null, styles: Array<Style>, trust: number, 
/**
 * The choice of full strength with this estimate, and without it, where they differ.
 */
changed: [string, string] | null, };

/**
 * Milliseconds by seat, and whether the clocks run.
 */
export type TimeLeft = { left: [number, number], run: boolean, };

/**
 * A ply that changed the game, and why.
 */
export type Turn = { ply: number, why: Why, };

/**
 * What the most of a change was.
 */
export type Why = "luck" | "mistake" | "correction";
