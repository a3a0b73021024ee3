#!/usr/bin/env python3
"""Makes terminal.svg, the recording at the top of README.md: a real game, typed by this script.

    cargo build --release && python3 docs/pictures/terminal.py target/release/anglerfish

Each screen is what `anglerfish play` printed up to a prompt. The picture moves by CSS alone and needs no font but a
monospaced one: every letter has its own place, two columns wide where it is Chinese.
"""

import html
import os
import re
import subprocess
import sys
import tempfile
import unicodedata

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "target/release/anglerfish"
TYPED = ["moves", "hint 2", "c4 c5", "c4 c3", "why", "back 2"]
COLUMNS, ROWS, X, Y = 80, 24, 8.4, 18
SECONDS = 3.5
COLORS = {"31": "#ff6b5e", "33": "#e6b450"}


def screens():
    """What was on the screen at each prompt, with what was typed there."""
    command = [PROGRAM, "play", "--from", "examples/first.games", "--ply", "24", "--seed", "21", "--level", "4", "--color", "always", "--orientation", "lying", "--lang", "en"]
    with tempfile.TemporaryDirectory() as home:
        typed = "\n".join(TYPED + ["quit", "y"]) + "\n"
        env = {**os.environ, "XDG_DATA_HOME": home, "COLUMNS": str(COLUMNS)}
        said = subprocess.run(command, input=typed, capture_output=True, text=True, env=env, check=True).stdout
    parts = [part.split("\n") for part in said.split("your move> ")]
    history = []
    for n, line in enumerate(TYPED):
        history += parts[n][:-1] + [f"\x1b[1myour move> {line}"]
        yield (history + parts[n + 1][:-1] + ["\x1b[1myour move> "])[-ROWS:]


def runs(line):
    """Pieces of a line in one color, each with its column."""
    column, color, bold = 0, None, False
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if code:
            words = code.group(1).split(";")
            color = next((COLORS[word] for word in words if word in COLORS), None if "0" in words else color)
            bold = "1" in words and "0" not in words
            continue
        places = []
        for letter in part:
            places.append(round(column * X, 1))
            column += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if part.strip():
            yield part, places, color, bold


def drawn(lines):
    for row, line in enumerate(lines):
        for text, places, color, bold in runs(line):
            # As a style: the sheet above goes before attributes.
            styles = [f"fill:{color}"] * bool(color) + ["font-weight:bold"] * bold
            style = f' style="{";".join(styles)}"' if styles else ""
            xs = " ".join(f"{x + 12:g}" for x in places)
            yield f'<text x="{xs}" y="{row * Y + 48}"{style}>{html.escape(text)}</text>'


def main():
    frames = list(screens())
    width, height, total = int(COLUMNS * X + 24), ROWS * Y + 48, SECONDS * len(frames)
    share = 100 / len(frames)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'aria-label="A game against Anglerfish at the terminal: flips, a hint, and what a flip may bring">',
        "<style>text{font:14px ui-monospace,Menlo,Consolas,'Noto Sans Mono CJK TC',monospace;fill:#d7dae0;white-space:pre}"
        f"g{{opacity:0}}g:first-of-type{{opacity:1}}g{{animation:f {total}s steps(1) infinite}}"
        f"@keyframes f{{0%{{opacity:1}}{share:.4g}%{{opacity:0}}}}"
        # Who wants no motion sees the first screen.
        "@media(prefers-reduced-motion){g{animation:none}g:first-of-type{opacity:1}}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#1b1e24"/>',
        *(f'<circle cx="{20 + 18 * n}" cy="18" r="6" fill="{c}"/>' for n, c in enumerate(("#ff5f56", "#ffbd2e", "#27c93f"))),
    ]
    for n, lines in enumerate(frames):
        out.append(f'<g style="animation-delay:{n * SECONDS:g}s">')
        out += drawn(lines)
        out.append("</g>")
    out.append("</svg>")
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "terminal.svg")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")
    print(f"wrote {path}: {len(frames)} screens")


if __name__ == "__main__":
    main()
