"""A window that shows the board, through pygame."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.drawing.png import Pixels
from channel_tunnel_env.outside.foreign import need


class Window:
    """Shows one picture after another.

    If the user closes it, the game continues: `show` then does nothing.

    Raises:
        ImportError: pygame-ce is missing.
    """

    def __init__(self, caption: str, frames_per_second: float) -> None:
        self._pygame: Any = need("pygame")
        self._caption = caption
        self._frames_per_second = frames_per_second
        self._screen: Any = None
        self._clock = self._pygame.time.Clock()
        self.closed_by_hand = False

    def show(self, pixels: Pixels) -> None:
        """Show pixels, uint8 (height, width, 3), for one frame's time."""
        if self.closed_by_hand:
            return
        pygame = self._pygame
        height, width, _ = pixels.shape
        if self._screen is None:
            pygame.display.init()
            pygame.display.set_caption(self._caption)
            self._screen = pygame.display.set_mode((width, height))
        picture = pygame.image.frombuffer(pixels.tobytes(), (width, height), "RGB")
        self._screen.blit(picture, (0, 0))
        pygame.display.flip()
        self._clock.tick(self._frames_per_second)
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self.closed_by_hand = True

    def close(self) -> None:
        """Close the window; the next `show` opens another."""
        if self._screen is not None:
            self._screen = None
            self._pygame.display.quit()
