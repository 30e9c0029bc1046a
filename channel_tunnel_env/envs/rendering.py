"""What the environments' `render` returns in each mode.

| mode | gives | needs |
|---|---|---|
| "ansi" | the board as text | nothing |
| "rgb_array" | the picture, uint8 (height, width, 3), 1200 pixels wide | the extra `render` |
| "human" | None; a window shows the picture after every decision | the extra `render` |
"""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.core.spec import GameSpec
from channel_tunnel_env.drawing.png import Pixels
from channel_tunnel_env.drawing.window import Window
from channel_tunnel_env.faces.registry import pictures_of
from channel_tunnel_env.outside.foreign import need

RENDER_MODES = ("ansi", "rgb_array", "human")
RENDER_FPS = 2  # decisions per second in a window or a film
_NEEDS = {"rgb_array": ("resvg_py", "PIL"), "human": ("resvg_py", "PIL", "pygame")}


class Renderer:
    """Renders games in one mode.

    Raises:
        ValueError: the game offers no such mode.
        ImportError: a library that the mode needs is missing.
    """

    def __init__(self, mode: str | None, spec: GameSpec) -> None:
        offered = spec.render_modes
        if mode not in (None, *offered):
            raise ValueError(f"render_mode {mode!r}: allowed: {', '.join(offered)} or None")
        for module in _NEEDS.get(str(mode), ()):
            need(module)
        self.mode = mode
        self._window: Window | None = None

    def render(self, game: Any, viewer: int | None = None) -> str | Pixels | None:
        """The game in this mode.

        Args:
            viewer: a seat, to show only what it knows; None shows everything.
        """
        if self.mode == "ansi":
            return game.render(viewer)
        if self.mode == "rgb_array":
            return self._pixels(game, viewer)
        if self.mode == "human":
            if self._window is None:
                self._window = Window(game.ruleset.data.title, RENDER_FPS)
            self._window.show(self._pixels(game, viewer))
        return None

    @staticmethod
    def _pixels(game: Any, viewer: int | None) -> Pixels:
        pixels: Pixels = pictures_of(game.spec).to_rgb(game, viewer=viewer)
        return pixels

    def show(self, game: Any, viewer: int | None = None) -> None:
        """Update the window, if there is one; environments call it after every decision."""
        if self.mode == "human":
            self.render(game, viewer)

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close()

    def __getstate__(self) -> dict[str, Any]:
        """A window stays with its environment; a copy opens its own."""
        return {"mode": self.mode, "_window": None}
