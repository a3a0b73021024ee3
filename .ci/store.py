"""Runs the code blocks of docs/store.md on a store that is half compacted, and compares their counts.

Usage: store.py PROGRAM. Needs duckdb, pandas, polars and pyarrow, which `.ci/run store` provides.
"""

import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import duckdb

MANIFEST = """
pairing = "round-robin"
games = {games}
unit = 20
openings = "random:1"
annotate = 1
seed = {seed}
[each]
nodes = 30
[[engine]]
player = "greedy"
[[engine]]
player = "random"
"""


def fish(*words):
    return subprocess.run(["anglerfish", *words], check=True, capture_output=True, text=True).stdout


def query(sql):
    return [json.loads(line) for line in fish("store", "query", "games", sql, "--json").splitlines()]


def make_store():
    """Units in a large file, units of their own, and one that came late: in both places."""
    pathlib.Path("one.toml").write_text(MANIFEST.format(games=200, seed=1))
    fish("selfplay", "one.toml", "--store", "games")
    late = sorted(pathlib.Path("games/units").iterdir())[0]
    shutil.copy(late, "late.parquet")
    fish("store", "compact", "games")
    shutil.copy("late.parquet", late)
    pathlib.Path("two.toml").write_text(MANIFEST.format(games=200, seed=2))
    fish("selfplay", "two.toml", "--store", "games")
    fish("store", "positions", "games")


def rounded(rows):
    return [tuple(float(f"{v:.6g}") if isinstance(v, float) else v for v in row) for row in rows]


def number(value):
    # DuckDB has decimals where others have floats.
    return value if value is None or isinstance(value, (int, str)) else float(value)


def main():
    page = (pathlib.Path(__file__).parent.parent / "docs" / "store.md").read_text()
    blocks = re.findall(r"^```(\S+)( ours)?\n(.*?)^```$", page, re.M | re.S)
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "bin", "anglerfish")
        program.parent.mkdir()
        program.symlink_to(pathlib.Path(sys.argv[1]).resolve())
        os.environ["PATH"] = f"{program.parent}:{os.environ['PATH']}"
        os.chdir(folder)
        make_store()
        verified = json.loads(fish("store", "verify", "games", "--json"))
        files = fish("store", "files", "games").split()
        held = len(os.listdir("games/units"))
        assert len(files) == held, f"one large file and {held} - 1 small ones, found {files}"
        truth = {row["reason"]: row["n"] for row in query("SELECT reason, count(*) AS n FROM games GROUP BY reason")}
        assert sum(truth.values()) == verified["games"] == 400, (truth, verified)
        everywhere = duckdb.sql("SELECT count(*) FROM read_parquet('games/*/*.parquet', union_by_name = true) WHERE first IS NOT NULL").fetchall()[0][0]
        assert everywhere > 400, "without the list of files the late unit counts twice, or this test shows nothing"

        queries = pythons = compared = 0
        duckdb.sql(f"CREATE VIEW games AS SELECT * FROM read_parquet({files!r})")
        for kind, ours, text in blocks:
            if kind != "sql":
                continue
            found = query(text)
            assert found, text
            queries += 1
            if not ours:
                theirs = duckdb.sql(text)
                ordered = "ORDER BY" in text
                here = rounded(tuple(row.values()) for row in found)
                there = rounded(tuple(number(value) for value in row) for row in theirs.fetchall())
                assert (here if ordered else sorted(here)) == (there if ordered else sorted(there)), f"{text}\n{here}\n{there}"
                compared += 1
        space = {}
        for kind, _, text in blocks:
            if kind != "python":
                continue
            space.pop("counts", None)
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(text, "docs/store.md", "exec"), space)
            pythons += 1
            if "counts" in space:
                assert space["counts"] == truth, f"{text}\n{space['counts']}\nexpected {truth}"
                compared += 1
        assert space["games"][0] == 400, "every game begins with the same position"
        assert space["plies"] == verified["plies"] == query("SELECT count(*) AS n FROM positions")[0]["n"]
        assert queries >= 8 and pythons >= 6 and compared >= 9, (queries, pythons, compared)
        print(f"store: {queries} queries and {pythons} blocks of Python of docs/store.md on {verified['games']} games, {compared} compared")


main()
