"""Converts the characters on the pieces into outlines: python3 tools/glyphs.py NotoSerifCJK-Bold.ttc > src/board/glyphs.ts

The font is Noto Serif CJK TC Bold (Debian: fonts-noto-cjk), under the SIL Open Font License 1.1. Needs fonttools."""

import sys

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTCollection

CHARACTERS = "帥仕相俥傌炮兵將士象車馬砲卒帅将车马"
SIZE = 100  # Outlines fit a square of this size around 0, 0.

fonts = TTCollection(sys.argv[1]).fonts
font = next(f for f in fonts if "TC" in f["name"].getDebugName(1))
glyphs, names = font.getGlyphSet(), font.getBestCmap()
print("// Made by tools/glyphs.py from Noto Serif CJK TC Bold, (c) Adobe, SIL Open Font License 1.1.")
print("/** Outlines of the characters on the pieces, in a square of 100 around 0, 0. */")
print("export const GLYPHS: Record<string, string> = {")
for character in CHARACTERS:
    glyph = glyphs[names[ord(character)]]
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    left, low, right, high = bounds.bounds
    scale = SIZE / max(right - left, high - low)
    pen = SVGPathPen(glyphs, ntos=lambda n: f"{n:.0f}")
    move = (scale, 0, 0, -scale, -scale * (left + right) / 2, scale * (low + high) / 2)
    glyph.draw(TransformPen(pen, move))
    print(f'  {character}: "{pen.getCommands()}",')
print("};")
