"""Changes of YAML and JSON as text: words, lines, constructs of the language, odd characters, cuts."""

from __future__ import annotations

import re

from channel_tunnel_env.outside.documents import printable
from tests.fuzz.mutations import Random, pick

LONGEST_MESSAGE = 10_000
ODD_WORDS = (
    "-1", "0", "1", "3", "40", "012", "1:40", "1:40.5", ".inf", "-.inf", ".nan", "1.0e+999", "1e999", "0x7F",
    "0b1", "1_0", "9223372036854775808", "18446744073709551616", "9" * 30, "9" * 5000, "2.5", "true", "no",
    "null", "~", "[]", "{}", "[[]]", "[null]", "{value: 3}", "{value: }", "{source: 1}", "''", '"\\e[2J"',
    '"\\u0000"', '"\\ud800"', "\u202e", "é", "\U0001f600", "&a x", "*a", "&a [*a]", "!!set {a}", "!!int '3'",
    "!!python/object/apply:os.system [ls]", "<<", "? [1]", "base", "value", "standard", "tiny", "y" * 3000, "|",
    ">", "#", "2024-01-01", "=", "blue", "\t", "...", "---", "%YAML 1.1",
)  # fmt: skip
ODD_CHARACTERS = "\x00\x07\x1b\x7f\x85\u2028\ufeff\ufffe\U0010ffff{}[],:'\"\\&*!|>%@`- \t\n\r#?"
_WORD = re.compile(r"[^\s:,{}\[\]\"]+")


def check_message(error: Exception) -> None:
    """A refusal is short and steers no terminal.

    Raises:
        AssertionError: it does not.
    """
    text = str(error)
    assert len(text) < LONGEST_MESSAGE, f"a message of {len(text)} characters"
    assert text == printable(text), "control characters in a message"


def change_text(rng: Random, text: str, most: int = 3) -> str | bytes:
    """A text with up to `most` changes; now and then as bytes that are no text."""
    for _ in range(int(rng.integers(1, most + 1))):
        text = _CHANGES[int(rng.choice(len(_CHANGES), p=_CHANCES))](rng, text)
    if rng.random() < 0.03:
        data = bytearray(text.encode("utf-8", "replace"))
        for _ in range(min(3, len(data))):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        return bytes(data)
    return text


def _number(rng: Random, text: str) -> str:
    """A number a little larger or smaller: the change that is accepted most often."""
    return _replace_one(rng, text, r"(?<![\w.-])-?\d+(?![\w.])", _shift)


def _shift(rng: Random, word: str) -> str:
    return str(int(word) + int(rng.integers(-2, 4))) if len(word) < 20 else word


def _odd_word(rng: Random, text: str) -> str:
    return _replace_one(rng, text, _WORD, lambda rng, _: pick(rng, ODD_WORDS))


def _other_word(rng: Random, text: str) -> str:
    words = _WORD.findall(text) or [""]
    return _replace_one(rng, text, _WORD, lambda rng, _: pick(rng, words))


def _replace_one(rng: Random, text: str, pattern, change) -> str:  # type: ignore[no-untyped-def]
    found = list(re.finditer(pattern, text))
    if not found:
        return text + pick(rng, ODD_WORDS)
    chosen = found[int(rng.integers(len(found)))]
    return text[: chosen.start()] + change(rng, chosen[0]) + text[chosen.end() :]


def _line(rng: Random, text: str) -> str:
    """A line dropped, doubled, moved or indented otherwise."""
    lines = text.splitlines() or [""]
    at, way = int(rng.integers(len(lines))), rng.random()
    if way < 0.3:
        del lines[at]
    elif way < 0.6:
        lines.insert(int(rng.integers(len(lines) + 1)), lines[at])
    elif way < 0.8:
        lines.insert(int(rng.integers(len(lines))), lines.pop(at))
    else:
        lines[at] = " " * int(rng.integers(5)) + lines[at].lstrip()
    return "\n".join(lines) + "\n"


def _character(rng: Random, text: str) -> str:
    at = int(rng.integers(len(text) + 1))
    return text[:at] + pick(rng, ODD_CHARACTERS) + text[at:]


def _cut(rng: Random, text: str) -> str:
    return text[: int(rng.integers(len(text) + 1))]


def _nest(rng: Random, text: str) -> str:
    """A value within many others."""
    depth = int(rng.choice([2, 10, 39, 41, 1100, 20_000]))
    opening, closing = [("[", "]"), ("{a: ", "}"), ('{"a": ', "}")][int(rng.integers(3))]
    nested = opening * depth + "1" + closing * depth
    return _replace_one(rng, text, _WORD, lambda *_: nested)


def _grow(rng: Random, text: str) -> str:
    """Many more keys or items."""
    count = int(rng.choice([30, 1000, 60_000]))
    if rng.random() < 0.5:
        return text + "".join(f"k{i}: 1\n" for i in range(count))
    return _replace_one(rng, text, _WORD, lambda *_: "[" + "1, " * count + "1]")


_CHANGES = (_number, _odd_word, _other_word, _line, _character, _cut, _nest, _grow)
_CHANCES = (0.36, 0.2, 0.14, 0.12, 0.08, 0.05, 0.03, 0.02)
