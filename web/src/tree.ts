// A recorded game with the variations that were tried beside it, and comments. Only data: the engine says what is legal.

export interface Node {
  /** Its number: 0 is the start, then the plies of the game, then what was tried, in that order. */
  id: number;
  parent: number | null;
  /** What led here, such as `b3-b4` or `b3(k)`; empty at the start. */
  event: string;
  children: number[];
  comment: string;
  /** A record with this position after `ply` plies. */
  record: string;
  ply: number;
}

/** What an address or a file adds to the record of the game. */
export interface Extra {
  /** Each tried ply: the number of the node before it, and the event. */
  tried: [number, string][];
  notes: [number, string][];
}

const MOST_TRIED = 2000;
const MOST_COMMENT = 2000;

export class Tree {
  readonly nodes: Node[];
  /** How many plies the game itself has. */
  readonly plies: number;
  /** The node that is shown. */
  at = 0;
  /** Which child was last shown, by node: stepping on follows it. */
  #way = new Map<number, number>();

  constructor(
    readonly record: string,
    events: string[],
  ) {
    this.plies = events.length;
    this.nodes = ["", ...events].map((event, ply) => ({
      id: ply,
      parent: ply ? ply - 1 : null,
      event,
      children: ply < events.length ? [ply + 1] : [],
      comment: "",
      record,
      ply,
    }));
  }

  get node(): Node {
    return this.nodes[this.at] as Node;
  }

  /** Shows a node; a number that is none is left alone. */
  go(id: number): void {
    if (!this.nodes[id]) return;
    this.at = id;
    for (const [before, after] of this.#steps(id)) this.#way.set(before, after);
  }

  /** The node after an event here, if it was tried or played before. */
  child(event: string): Node | undefined {
    return this.node.children.map((id) => this.nodes[id] as Node).find((node) => node.event === event);
  }

  /** Adds what was tried here, and shows it. `record` ends with it. */
  add(event: string, record: string): void {
    const there = this.child(event);
    if (there) {
      this.go(there.id);
      return;
    }
    if (this.nodes.length - this.plies > MOST_TRIED) throw new RangeError(`expected at most ${MOST_TRIED} tried moves`);
    const { id: parent, ply } = this.node;
    const id = this.nodes.length;
    this.nodes.push({ id, parent, event, children: [], comment: "", record, ply: ply + 1 });
    this.node.children.push(id);
    this.go(id);
  }

  /** The nodes from the start to the shown one, and on as it went when it was last shown. */
  line(): Node[] {
    const line = [this.node];
    for (let { parent } = this.node; parent !== null; parent = (line[0] as Node).parent) line.unshift(this.nodes[parent] as Node);
    for (;;) {
      const last = line.at(-1) as Node;
      const next = this.#way.get(last.id) ?? last.children[0];
      if (next === undefined) return line;
      line.push(this.nodes[next] as Node);
    }
  }

  /** The nodes where the game or a variation begins, in the order of the board: the children of every node that has several. */
  branches(): { from: Node; ways: Node[] }[] {
    return this.nodes.filter((node) => node.children.length > 1).map((from) => ({ from, ways: from.children.map((id) => this.nodes[id] as Node) }));
  }

  /** Goes `by` plies on, or back if negative, along the line; as far as it goes. */
  step(by: number): void {
    const line = this.line();
    const place = Math.min(Math.max(this.node.ply + by, 0), line.length - 1);
    this.go((line[place] as Node).id);
  }

  note(comment: string): void {
    this.node.comment = comment.slice(0, MOST_COMMENT);
  }

  extra(): Extra {
    return {
      tried: this.nodes.slice(this.plies + 1).map(({ parent, event }) => [parent as number, event]),
      notes: this.nodes.filter((node) => node.comment).map(({ id, comment }) => [id, comment]),
    };
  }

  /** The text of what was added; empty if nothing was. */
  text(): string {
    const extra = this.extra();
    return extra.tried.length || extra.notes.length ? JSON.stringify(extra) : "";
  }

  #steps(id: number): [number, number][] {
    const steps: [number, number][] = [];
    for (let node = this.nodes[id] as Node; node.parent !== null; node = this.nodes[node.parent] as Node) steps.push([node.parent, node.id]);
    return steps;
  }
}

/** Reads what `text` writes. What is not ours is refused. */
export function extraOf(text: string): Extra {
  const found: unknown = JSON.parse(text);
  const pairs = (list: unknown): [number, string][] => {
    if (!Array.isArray(list) || list.length > MOST_TRIED) throw new Error(`expected a list of at most ${MOST_TRIED} entries`);
    return list.map((entry: unknown) => {
      const [node, said] = Array.isArray(entry) ? (entry as unknown[]) : [];
      if (!Number.isInteger(node) || typeof said !== "string") throw new Error(`expected a number and a text, found ${JSON.stringify(entry)}`);
      return [node as number, said];
    });
  };
  if (typeof found !== "object" || found === null) throw new Error(`expected variations, found ${text.slice(0, 40)}`);
  const { tried, notes } = found as Partial<Extra>;
  return { tried: pairs(tried ?? []), notes: pairs(notes ?? []) };
}

/**
 * Adds to a game what an address carries. `told` asks the engine for the record after an event that follows some plies of a record; it throws
 * if the event is not legal there.
 */
export async function grow(tree: Tree, { tried, notes }: Extra, told: (record: string, ply: number, event: string) => Promise<string>): Promise<void> {
  for (const [parent, event] of tried) {
    tree.go(parent);
    if (tree.at !== parent) throw new Error(`expected one of ${tree.nodes.length} moves, found number ${parent}`);
    const { record, ply } = tree.node;
    tree.add(event, await told(record, ply, event));
  }
  for (const [id, comment] of notes) {
    tree.go(id);
    if (tree.at === id) tree.note(comment);
  }
  tree.go(0);
}
