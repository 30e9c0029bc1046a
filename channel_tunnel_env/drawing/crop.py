"""A window cut out of a picture: what lies in a box, as a file of its own, without the shapes and style rules beyond.

    python -m channel_tunnel_env.drawing.crop docs/images/board.svg window.svg 401 86 400 150

The numbers are the box: left, upper edge, width, height. Where the window is shown small, a fifth is the least size of
letters, and classes behind it are left out. The picture must be one that this package drew, without parts that are shown
by reference; what its groups are turned by is not looked at.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as Tree

from channel_tunnel_env.outside.files import KEPT_BYTES, read_whole, write_whole

SVG = "http://www.w3.org/2000/svg"
Box = tuple[float, float, float, float]
"""Left, upper, right and lower edge."""
Place = tuple[float, float, float, float]
"""How a group is placed: moved by the first two, scaled by the others."""
_NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")
_MOVED = re.compile(r"(translate|scale)\(([^)]+)\)")
_RULE = re.compile(r"(\.[\w-]+) \.([\w-]+)\{[^}]*\}")
_LETTERS = re.compile(r"(?<=font-size:)[\d.]+(?=px)")
_MARGIN = 20.0  # for the width of lines and the breadth of words


def cut(picture: str, box: Box, least: float = 0, left_out: Sequence[str] = ()) -> str:
    """What a picture shows in a box.

    Args:
        least: the size that letters have at least, in units of the picture.
        left_out: classes of shapes.
    """
    Tree.register_namespace("", SVG)
    root = Tree.fromstring(picture)
    left, top, right, bottom = box
    near = (left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN)
    _drop(root, near, (0.0, 0.0, 1.0, 1.0), frozenset(left_out))
    for name in ("width", "height", "role", "aria-label"):
        root.attrib.pop(name, None)
    root.set("viewBox", f"{left:g} {top:g} {right - left:g} {bottom - top:g}")
    used = {name for each in root.iter() for name in each.get("class", "").split()}
    for each in root.iter(f"{{{SVG}}}style"):
        kept = _RULE.sub(lambda rule: rule[0] if rule[2] in used else "", each.text or "")
        each.text = _LETTERS.sub(lambda size: f"{max(float(size[0]), least):g}", kept)
    return Tree.tostring(root, encoding="unicode") + "\n"


def _drop(parent: Tree.Element, near: Box, place: Place, left_out: frozenset[str]) -> None:
    """Remove the shapes below an element that lie outside or are left out."""
    for child in list(parent):
        kind = child.tag.rpartition("}")[2]
        if kind in ("style", "defs"):
            continue
        inner = _placed(child.get("transform", ""), place)
        for name in [name for name in child.attrib if name.startswith(("data-", "aria-"))]:
            del child.attrib[name]
        child.attrib.pop("role", None)
        if kind == "title" or child.get("class") in left_out:
            parent.remove(child)
        elif kind == "g":
            _drop(child, near, inner, left_out)
            if not len(child):
                parent.remove(child)
        elif not _touches(_extent(child, kind, inner), near):
            parent.remove(child)


def _placed(words: str, place: Place) -> Place:
    x, y, across, down = place
    for kind, numbers in _MOVED.findall(words):
        first, *rest = map(float, _NUMBER.findall(numbers))
        if kind == "translate":
            x, y = x + across * first, y + down * (rest[0] if rest else 0.0)
        else:
            across, down = across * first, down * (rest[0] if rest else first)
    return x, y, across, down


def _extent(shape: Tree.Element, kind: str, place: Place) -> Box | None:
    """The box around a shape; None if it cannot be told."""
    found = {name: float(shape.get(name, "0")) for name in ("x", "y", "cx", "cy", "r", "width", "height")}
    if kind == "path":
        if re.search(r"[a-zHVA]", shape.get("d", "")):
            return None
        numbers = [float(n) for n in _NUMBER.findall(shape.get("d", ""))]
        across, down = numbers[::2], numbers[1::2]
    elif kind == "circle":
        across = [found["cx"] - found["r"], found["cx"] + found["r"]]
        down = [found["cy"] - found["r"], found["cy"] + found["r"]]
    elif kind in ("rect", "text"):
        across = [found["x"], found["x"] + found["width"]]
        down = [found["y"], found["y"] + found["height"]]
    else:
        return None
    x, y, wide, high = place
    return (x + wide * min(across), y + high * min(down), x + wide * max(across), y + high * max(down))


def _touches(extent: Box | None, near: Box) -> bool:
    if extent is None:
        return True
    left, top, right, bottom = extent
    return left <= near[2] and right >= near[0] and top <= near[3] and bottom >= near[1]


def main(picture: str, window: str, *words: str) -> None:
    """Cut a window out of a file's picture and write it."""
    left, top, across, down, least = map(float, [*words[:5], "0"][:5])
    box = (left, top, left + across, top + down)
    found = cut(read_whole(picture, KEPT_BYTES).decode(), box, least, words[5:])
    write_whole(Path(window), found.encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
