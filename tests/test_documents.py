"""YAML and JSON from outside: bounded, unambiguous, and refused with the place of the fault."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
import yaml

from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside import documents
from channel_tunnel_env.outside.documents import (
    WRITTEN,
    Bounds,
    TextPlace,
    check_plain,
    parse_json,
    parse_yaml,
    quote,
    read_json,
    read_yaml,
)
from channel_tunnel_env.outside.terminal import printable

# Ten levels of nine references each: 432 bytes that stand for three billion values.
BOMB = "a: &a [x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)


@pytest.fixture(params=["libyaml", "python"])
def parser(request, monkeypatch) -> str:
    """Each of the two parsers of PyYAML: no bound may depend on which is installed."""
    if request.param == "python":
        monkeypatch.setattr(documents, "_LOADER", yaml.SafeLoader)
    elif not yaml.__with_libyaml__:
        pytest.skip("PyYAML without libyaml")
    return str(request.param)


def refused(text: str | bytes, bounds: Bounds = WRITTEN) -> str:
    with pytest.raises(DocumentError) as caught:
        parse_yaml(text, "f.yaml", bounds)
    assert len(str(caught.value)) < 400
    return str(caught.value)


@pytest.mark.parametrize(
    "path",
    [
        *documents.Path(documents.__file__).parents[2].glob("configs/*/*.yaml"),
        *documents.Path(documents.__file__).parents[1].glob("games/*/rulesets/*.yaml"),
    ],
    ids=lambda path: path.stem,
)
def test_shipped_files_mean_what_yaml_says(path: Path, parser: str) -> None:
    assert read_yaml(path).content == yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "f.yaml: line 2, column 8: alias *a: aliases are not allowed; write the values out"),
        ("a: 1\nb: 2\na: 3", "f.yaml: line 3, column 1: duplicate key 'a', first in line 1"),
        ("x: {a: 1, a: 1}", "line 1, column 11: duplicate key 'a', first in line 1"),
        ("seed: 012", "line 1, column 7: '012': YAML 1.1 and 1.2 read this number differently"),
        ("a:\n  b: 1:40", "line 2, column 6: '1:40': YAML 1.1 and 1.2 read this number"),
        ("a: 1:40.5", "'1:40.5': YAML 1.1 and 1.2 read this number differently"),
        ("a: -190:20:30", "'-190:20:30': YAML 1.1 and 1.2 read this number differently"),
        ("a: 1_0", "line 1, column 4: '1_0': YAML 1.1 and 1.2 read this number differently"),
        ("a: 1__0", "'1__0': YAML 1.1 and 1.2 read this number differently"),
        ("1_0: a", "line 1, column 1: '1_0': YAML 1.1 and 1.2 read this number differently"),
        ("a: 12_000.5", "'12_000.5': YAML 1.1 and 1.2 read this number differently"),
        ("a: 0b11", "'0b11': YAML 1.1 and 1.2 read this number differently"),
        ("a: 0x1_F", "'0x1_F': YAML 1.1 and 1.2 read this number differently"),
        ("a: -0x1F", "'-0x1F': YAML 1.1 and 1.2 read this number differently"),
        ("a: -017", "'-017': YAML 1.1 and 1.2 read this number differently"),
        ("a: .inf", "a number must be finite"),
        ("a: .NaN", "a number must be finite"),
        ("a: 1.0e+999", "out of range"),
        ("a: " + "9" * 5000, "a number of more than 100 digits"),
        ("[" * 1100, "line 1, column 41: nested more than 40 deep"),
        ("- " * 1100, "nested more than 40 deep"),
        ("a: !!python/object/apply:os.system [ls]", "YAML tags are not allowed"),
        ("? [1]\n: 2", "a list or mapping as a key"),
        ("a: 1\n---\na: 2", "line 2, column 1: a second document; one is expected"),
        ('a: "\\e[31m"', r"line 1, column 4: '\x1b[31m': control characters are not allowed in a text"),
        ('a: "\\u202e"', "control characters are not allowed in a text"),
        ("a: [1", "not valid YAML: line"),
        ("a: \x00", "not valid YAML"),
        (b"a: \xff", "not valid UTF-8: byte 3"),
        ("\ud800", "not valid YAML"),
    ],
)  # fmt: skip
def test_what_is_refused_is_named_with_its_place(text: str, message: str, parser: str) -> None:
    assert message in refused(text)


def test_numbers_and_texts_are_read_as_they_are_written(parser: str) -> None:
    text = (
        "{a: 12000, b: 0x1F, c: -3, d: 0, e: 1.5, f: '012', g: 2024-01-01, h: ~, i: yes, j: 1e3x,"
        " k: '1_0', l: +7, m: .5, n: 2.0e-4, o: 0o17, p: 1e3}"
    )
    assert parse_yaml(text, "f").content == {
        "a": 12_000, "k": "1_0", "l": 7, "m": 0.5, "n": 0.0002, "o": "0o17", "p": "1e3", "b": 31, "c": -3, "d": 0, "e": 1.5,
        "f": "012", "g": "2024-01-01", "h": None, "i": True, "j": "1e3x",
    }  # fmt: skip
    assert parse_yaml("", "f").content is None and parse_yaml("", "f").mapping() == {}
    assert parse_yaml("\ufeffa: 1", "f").content == {"a": 1}


def test_size_and_number_of_values_are_bounded_before_memory_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    path.write_bytes(b"- a\n" * 20_000_000)
    tracemalloc.start()
    with pytest.raises(DocumentError, match="larger than 1,000,000 bytes"):
        read_yaml(path)
    with pytest.raises(DocumentError, match="larger than 1,000,000 bytes"):
        read_json(path, WRITTEN)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
    assert "more than 10 values" in refused("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", Bounds(100, 5, 10))


def test_a_small_file_takes_little_memory_however_much_it_might_hold(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    path.write_text("[1]")
    tracemalloc.start()
    assert read_json(path, Bounds(500_000_000)) == [1]
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_a_document_knows_where_its_keys_stand(parser: str) -> None:
    document = parse_yaml("a:\n  b: [1,\n    {c: 2}]\n", "f")
    assert document.place(["a", "b"]) == TextPlace(2, 3)
    assert document.place(["a", "b", 1, "c"]) == TextPlace(3, 6)
    assert document.place(["a", "b", 1, "missing", 5]) == TextPlace(3, 5)
    assert document.place(["missing"]) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "b": 2, "a": 3}', "f: not valid JSON: duplicate key 'a'"),
        ('{"a": }', "f: not valid JSON: column 7: Expecting value"),
        ('{"a":\n }', "f: not valid JSON: line 2, column 2: Expecting value"),
        ("[NaN]", "NaN is not a number"),
        ("[1e999]", "out of range"),
        ("9" * 5000, "a number of more than 100 digits"),
        ("[" * 50 + "]" * 50, "nested more than 40 deep"),
        ("[" * 100_000, "nested more than 40 deep"),
        (r'["\u001b[31m"]', "control characters are not allowed in a text"),
        (r'{"\u001b": 1}', "control characters are not allowed in a text"),
        (r'["\ud800"]', "control characters are not allowed in a text"),
        (b"\xff", "not valid UTF-8"),
    ],
)
def test_json_is_bounded_likewise(text: str | bytes, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_json(text, "f")
    assert message in str(caught.value) and len(str(caught.value)) < 400


def test_json_within_bounds_is_what_was_written() -> None:
    content = {"a": [1, 2.5, None, True, "ü\n\t"], "b": {"c": -3}}
    assert parse_json(json.dumps(content), "f") == content
    with pytest.raises(DocumentError, match="more than 3 values"):
        parse_json("[1, 2, 3]", "f", Bounds(100, values=3))


def test_values_are_bounded_however_they_are_shared() -> None:
    value: object = "x"
    for _ in range(30):
        value = [value] * 9
    with pytest.raises(DocumentError, match="more than 20,000 values"):
        check_plain(value, "ruleset")
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(DocumentError, match="deep"):
        check_plain(circle, "ruleset")


def test_a_quoted_value_is_short() -> None:
    assert quote(12) == "12" and quote([0, 1, 2, 3, 4]) == "[0, 1, 2, 3, 4]" and quote("x") == "'x'"
    long = "x" * 10**6
    many = {f"key {i}": [long] * 1000 for i in range(1000)}
    for value in (many, long, [many] * 1000, 10**5000, "\x1b[31m" * 100):
        assert len(quote(value)) <= 100 and "\x1b" not in quote(value)


def test_no_text_steers_a_terminal() -> None:
    assert printable("a\x1b[2J\tb\nc\r\u202ed ü") == "a\\x1b[2J\tb\nc\\r\\u202ed ü"
