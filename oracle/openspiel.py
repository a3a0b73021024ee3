"""Compares our rules with OpenSpiel's `banqi`: legal actions, chance outcomes, boards and results, ply by ply.

    cargo xtask openspiel-trace --plies 1000000 --seed 1 | python3 oracle/openspiel.py 1000000

`cargo xtask openspiel-trace` plays random games under the preset `openspiel50` and writes, for each ply,
`legal actions;action;chance outcomes;outcome` in OpenSpiel's numbers, and after each game `=returns;board`. This
script plays the same actions in OpenSpiel and stops with exit code 1 at the first difference. Its argument is the
expected number of plies, so that an empty trace fails.
"""

import sys

import pyspiel


def board(state):
    return "".join(str(state).split("Player")[0].split())


def main():
    wanted = int(sys.argv[1])
    game = pyspiel.load_game("banqi")
    state = game.new_initial_state()
    plies = games = flips = 0

    def differ(what, ours, theirs):
        sys.exit(f"game {games + 1}, ply {plies + 1}: {what}\n  ours   {ours}\n  theirs {theirs}\n{state}")

    for line in sys.stdin:
        line = line.rstrip("\n")
        if line.startswith("="):
            ours, our_board = line[1:].split(";")
            if not state.is_terminal():
                differ("ours is over", ours, "not over")
            theirs = ",".join(str(int(r)) for r in state.returns())
            if ours != theirs:
                differ("returns", ours, theirs)
            if our_board != board(state):
                differ("board", our_board, board(state))
            games += 1
            state = game.new_initial_state()
            continue
        legal, action, chances, outcome = line.split(";")
        if state.is_terminal():
            differ("theirs is over", "not over", state.returns())
        theirs = ",".join(map(str, state.legal_actions()))
        if legal != theirs:
            differ("legal actions", legal, theirs)
        state.apply_action(int(action))
        if state.is_chance_node() != (chances != ""):
            differ("chance node", chances, state.is_chance_node())
        if chances:
            flips += 1
            weights = [tuple(map(int, c.split(":"))) for c in chances.split(",")]
            total = sum(w for _, w in weights)
            theirs = state.chance_outcomes()
            same = len(weights) == len(theirs) and all(
                w == (o, round(p * total)) and abs(p * total - w[1]) < 1e-9 for w, (o, p) in zip(weights, theirs)
            )
            if not same:
                differ("chance outcomes", chances, theirs)
            state.apply_action(int(outcome))
        plies += 1
    if plies < wanted:
        sys.exit(f"expected {wanted} plies, the trace had {plies}")
    print(f"openspiel: {games} games, {plies} plies ({flips} flips): legal actions, chance outcomes, boards and results equal")


main()
