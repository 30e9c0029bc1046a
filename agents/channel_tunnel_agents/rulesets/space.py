"""A distribution over the rulesets of a game, and what lies outside it.

A draw begins with one of the game's built-in rulesets. A share of its figures is turned, a small one in some
draws and a large one in others: so rulesets near the box are common, and far ones are seen, too. A number goes a
few steps up or down within its range, a word becomes another one. What several figures say together (how many
tokens, which cards, where a barrier stands) is changed first, as a whole. Where a space has themes (what designers
change together), most draws apply some of them before anything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from channel_tunnel_env import Ruleset, RulesetError, load_ruleset
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.rulesets.overlay import NAMING_KEYS

SHARES = (0.02, 0.06, 0.15, 0.35)  # of the figures that a draw turns, if there are hundreds
STEP_STOPS = 0.5  # chance that a number's way ends with each step
THEMED = 0.75  # of the draws apply themes, if the space has any ...
MORE_THEMES = (0.6,)  # ... one, and another with one of these chances, again and again
ATTEMPTS = 1000  # draws that a ruleset's own checks may refuse, one after the other
_VARIES = r"\\[wd]\+?|\[ab\]"  # parts of a pattern
Plain = dict[str, Any]
Value = int | str | bool | None


@dataclass(frozen=True)
class Numbers:
    """Whole numbers from `low` to `high`; `turned` by itself, or only together with other figures."""

    low: int
    high: int
    turned: bool = True

    def __contains__(self, value: Value) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"

    def turn(self, value: Value, rng: np.random.Generator) -> Value:
        """Another number near this one."""
        assert type(value) is int
        step = int(rng.geometric(STEP_STOPS)) * (1 if rng.random() < 0.5 else -1)
        return int(np.clip(value + step, self.low, self.high))


@dataclass(frozen=True)
class WordValues:
    """Some words, or numbers without an order."""

    values: tuple[Value, ...]
    turned: bool = True

    def __contains__(self, value: Value) -> bool:
        return any(value == one and type(value) is type(one) for one in self.values)

    def __str__(self) -> str:
        return ", ".join(map(_as_written, self.values))

    def turn(self, value: Value, rng: np.random.Generator) -> Value:
        """Any of the others."""
        others = [one for one in self.values if one != value]
        return others[int(rng.integers(len(others)))] if others else value


def _as_written(value: Value) -> str:
    """A value as a ruleset's file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)


@dataclass(frozen=True)
class Outside:
    """A figure that draws never reach: its key, value and the values that they do reach."""

    key: str
    value: Value
    allowed: str

    def __str__(self) -> str:
        return f"{self.key} {_as_written(self.value)} ({self.allowed})"


@dataclass(frozen=True)
class RulesetSpace:
    """The distribution of one game.

    Attributes:
        game: its name.
        version: changes with every change of what is drawn; a policy's card names it.
        bases: rulesets that draws begin with, each as often; names of built-in ones, or rulesets.
        figures: pattern of dotted keys -> the values they take; every other figure stays as it is in the base.
        names: patterns of keys that are no rules.
        reshapes: changes of several figures that belong together; each changes a plain ruleset in place.
        themes: ideas that move many figures at once; each changes a plain ruleset in place.
        shares: of the figures that are turned; each draw takes one of them.
        more_themes: chances of another theme after each; a draw takes one of them.
        of_table: keys of figures on which the observation's size depends, such as the seats: one run has one value.
        earlier: what policies were trained on before, of lower versions.
    """

    game: str
    version: int
    bases: tuple[str | Ruleset, ...]
    figures: Mapping[str, Numbers | WordValues]
    names: tuple[str, ...]
    reshapes: tuple[Callable[[Plain, np.random.Generator], None], ...]
    themes: tuple[Callable[[Plain, np.random.Generator], None], ...] = ()
    shares: tuple[float, ...] = SHARES
    more_themes: tuple[float, ...] = MORE_THEMES
    of_table: tuple[str, ...] = ()
    earlier: tuple[RulesetSpace, ...] = ()
    _figures: dict[str, Numbers | WordValues | None] = field(init=False, default_factory=dict, repr=False)

    def at(self, version: int) -> RulesetSpace:
        """This space or an earlier one; this one for a version that is not known."""
        return next((each for each in self.earlier if each.version == version), self)

    def at_table_of(self, ruleset: Ruleset) -> RulesetSpace:
        """This space, its draws for as many seats as a ruleset."""
        table = {key: ruleset.flat[key] for key in self.of_table}
        if not table:
            return self
        bases = tuple(load_ruleset(base).with_values(table) for base in self.bases)
        return replace(self, bases=bases)

    def figure_of(self, key: str) -> Numbers | WordValues | None:
        """The values that a dotted key takes in draws; None: those of the bases."""
        if key not in self._figures:
            fitting = (each for name, each in self.figures.items() if re.fullmatch(name, key))
            self._figures[key] = next(fitting, None)
        return self._figures[key]

    def table(self) -> list[tuple[str, str]]:
        """Every kind of figure that is drawn.

        Returns:
            Pairs of a key, with * for a part that varies, and the values that it takes.
        """
        return [(re.sub(_VARIES, "*", p).replace("\\", ""), str(v)) for p, v in self.figures.items()]

    def draw(self, count: int, seed: int) -> list[Ruleset]:
        """Draw rulesets, named `drawn-SEED-0` and so on; ruleset i is the same for every `count`.

        Args:
            count: how many.
            seed: of the draws.

        Returns:
            Valid rulesets of the game.
        """
        return self.draw_from(0, count, seed)

    def draw_from(self, first: int, end: int, seed: int) -> list[Ruleset]:
        """Rulesets `first` to `end - 1` of those that `draw` gives."""
        return [self._draw(seed, i) for i in range(first, end)]

    def _draw(self, seed: int, place: int) -> Ruleset:
        rng = np.random.default_rng([self.version, given_seed(seed), place])
        for _ in range(ATTEMPTS):
            try:
                return self._draw_once(f"drawn-{seed}-{place}", rng)
            except RulesetError:  # figures that do not go together
                continue
        raise AssertionError(f"{self.game}: no valid ruleset in {ATTEMPTS} draws")

    def _draw_once(self, name: str, rng: np.random.Generator) -> Ruleset:
        base = load_ruleset(self.bases[int(rng.integers(len(self.bases)))])
        share = self.shares[int(rng.integers(len(self.shares)))]
        plain = base.plain()
        self._apply_themes(plain, rng)
        for reshape in self.reshapes:
            if rng.random() < share:
                reshape(plain, rng)
        plain |= {"name": name, "title": f"Drawn around {base.name}"}
        reshaped = load_ruleset(plain)
        changes = {}
        for key, value in reshaped.flat.items():
            figure = self.figure_of(key)
            if figure is not None and figure.turned and rng.random() < share:
                changes[key] = figure.turn(value, rng)
        return reshaped.with_values(changes, name)

    def _apply_themes(self, plain: Plain, rng: np.random.Generator) -> None:
        if not self.themes or rng.random() >= THEMED:
            return
        chances = self.more_themes
        more = chances[int(rng.integers(len(chances)))] if len(chances) > 1 else chances[0]
        count = min(int(rng.geometric(1 - more)), len(self.themes))
        for place in rng.permutation(len(self.themes))[:count]:
            self.themes[place](plain, rng)

    def rules_of(self, ruleset: Ruleset) -> dict[str, Value]:
        """The figures of a ruleset by dotted key, its names left out."""
        return {
            key: value
            for key, value in ruleset.flat.items()
            if key not in NAMING_KEYS and not any(re.fullmatch(name, key) for name in self.names)
        }

    def outside(self, ruleset: Ruleset) -> Sequence[Outside]:
        """The figures of a ruleset that no draw can have.

        Args:
            ruleset: of the game.

        Returns:
            One entry per figure, in the order of the file.
        """
        found, bases = [], [load_ruleset(base).flat for base in self.bases]
        for key, value in self.rules_of(ruleset).items():
            figure = self.figure_of(key) or WordValues(tuple(dict.fromkeys(own[key] for own in bases if key in own)))
            if value not in figure:
                found.append(Outside(key, value, str(figure) or "never drawn"))
        return found
