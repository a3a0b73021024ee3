#!/usr/bin/env python3
"""A complete program for Chinese Dark Chess tournaments, as a start for your own.

It speaks DCTP, the tournament platform's protocol: one command per line on standard input, one answer per line on
standard output. It tracks the board, knows the rules, takes the best piece that it can, and otherwise plays at random.
Improve `choose`; the rest can stay as it is.

    anglerfish compliance python3 examples/bots/starter.py
    anglerfish match --engine cmd=python3 arg=examples/bots/starter.py proto=dctp --engine player=random --rounds 10
"""

import random
import sys

SQUARES = [file + rank for rank in "12345678" for file in "abcd"]
RANKS = {letter: rank for rank, letter in enumerate("pcnrmgk")}  # pawn, cannon, knight, rook, minister, guard, king
HIDDEN, EMPTY = "X", "-"


def color(piece):
    """Capital letters are red."""
    return "red" if piece.isupper() else "black"


def takes(mover, victim):
    """Whether a piece takes a neighbor. Cannons only take by jumping."""
    mover, victim = mover.lower(), victim.lower()
    if mover == "c" or (mover, victim) == ("k", "p"):
        return False
    return (mover, victim) == ("p", "k") or RANKS[mover] >= RANKS[victim]


class Board:
    def __init__(self):
        self.at = dict.fromkeys(SQUARES, HIDDEN)

    def lines(self, square):
        """The squares from here up, down, left and right, nearest first."""
        file, rank = "abcd".index(square[0]), int(square[1])
        for df, dr in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            line, f, r = [], file + df, rank + dr
            while 0 <= f < 4 and 1 <= r <= 8:
                line.append("abcd"[f] + str(r))
                f, r = f + df, r + dr
            if line:
                yield line

    def actions(self, us):
        """Every legal action as a pair of squares; a flip is the same square twice."""
        found = [(s, s) for s in SQUARES if self.at[s] == HIDDEN]
        for square in SQUARES:
            piece = self.at[square]
            if piece in (HIDDEN, EMPTY) or color(piece) != us:
                continue
            for line in self.lines(square):
                near = self.at[line[0]]
                if near == EMPTY or (self.is_enemy(near, us) and takes(piece, near)):
                    found.append((square, line[0]))
                if piece.lower() == "c":
                    # A cannon can take the second piece on the line.
                    standing = [s for s in line if self.at[s] != EMPTY]
                    if len(standing) > 1 and self.is_enemy(self.at[standing[1]], us):
                        found.append((square, standing[1]))
        return found

    @staticmethod
    def is_enemy(piece, us):
        return piece not in (HIDDEN, EMPTY) and color(piece) != us


def choose(board, us):
    """Chooses an action. Improve this function."""
    actions = board.actions(us)
    worth = {piece: RANKS[piece.lower()] + 1 for piece in board.at.values() if piece.lower() in RANKS}
    best = max(worth.get(board.at[to], 0) if to != at else 0 for at, to in actions)
    return random.choice([(at, to) for at, to in actions if (worth.get(board.at[to], 0) if to != at else 0) == best])


NAMES = (
    "protocol_version name version known_command list_commands quit boardsize reset_board num_repetition num_moves_to_draw "
    "move flip genmove game_over ready time_settings time_left showboard"
).split()


def main():
    board = Board()
    for line in sys.stdin:
        code, *words = line.split() or [""]
        name, args = (words or [""])[0], words[1:]
        answer = ""
        if name == "protocol_version":
            answer = "1.1.0"
        elif name == "name":
            answer = "starter-python"
        elif name == "version":
            answer = "1.0"
        elif name == "known_command":
            answer = "true" if args and args[0] in NAMES else "false"
        elif name == "list_commands":
            answer = "\n".join(NAMES)
        elif name == "reset_board":
            board = Board()
        elif name == "move":
            at, to = args
            board.at[to], board.at[at] = board.at[at], EMPTY
        elif name == "flip":
            board.at[args[0]] = args[1]
        elif name == "genmove":
            # The board changes only when we are told that the move was played.
            answer = "{} {}".format(*choose(board, args[0]))
        elif name not in NAMES and name != "time_setting":
            print(f"?{code} unknown command", flush=True)
            continue
        print(f"={code} {answer}".rstrip(), flush=True)
        if name == "quit":
            return


if __name__ == "__main__":
    main()
