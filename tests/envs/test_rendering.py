"""Render modes: text, pixels and a window, in PettingZoo and Gymnasium."""

from __future__ import annotations

import copy
import importlib.util
import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo, RenderCollection
from pettingzoo.test import render_test

import channel_tunnel_env
from channel_tunnel_env.drawing import window
from channel_tunnel_env.envs import rendering
from channel_tunnel_env.envs.rendering import RENDER_MODES, Renderer
from channel_tunnel_env.games.tunnel_1987.faces.pictures import to_rgb
from channel_tunnel_env.games.tunnel_1987.spec import SPEC

pytest.importorskip("resvg_py", reason="needs the extra `render`")
pygame = pytest.importorskip("pygame", reason="needs the extra `render`")


@pytest.fixture(autouse=True)
def _without_a_screen_or_waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(rendering, "RENDER_FPS", 10_000)
    yield
    pygame.display.quit()


def test_pettingzoos_render_test_passes_in_all_modes() -> None:
    assert channel_tunnel_env.env().metadata["render_modes"] == list(RENDER_MODES)
    render_test(channel_tunnel_env.env)


def test_a_referee_sees_everything_and_a_learner_what_its_seat_knows() -> None:
    env = channel_tunnel_env.env(ruleset="tiny", render_mode="rgb_array")
    env.reset(seed=4)
    assert (env.render() == to_rgb(env.unwrapped.game)).all()
    for side, seat in (("britain", 0), ("france", 1)):
        env = gymnasium.make("ChannelTunnel-v1", side=side, render_mode="rgb_array").unwrapped
        env.reset(seed=4)
        assert (env.render() == to_rgb(env.game, viewer=seat)).all()
        assert (env.render() != to_rgb(env.game)).any()
    env = gymnasium.make("ChannelTunnel-v1", side="france", render_mode="ansi").unwrapped
    env.reset(seed=4)
    assert env.render() == env.game.render("france") != env.game.render()


def test_no_mode_renders_nothing() -> None:
    env = channel_tunnel_env.raw_env()
    env.reset(seed=1)
    assert env.render() is None
    env.close()


def test_frames_are_collected_one_a_decision_all_of_a_size() -> None:
    env = RenderCollection(gymnasium.make("ChannelTunnel-v1", render_mode="rgb_array"))
    _, info = env.reset(seed=1)
    for _ in range(4):
        *_, info = env.step(int(info["action_mask"].argmax()))
    frames = env.render()
    assert len(frames) == 5
    assert {frame.shape for frame in frames} == {frames[0].shape}


@pytest.mark.skipif(importlib.util.find_spec("moviepy") is None, reason="RecordVideo needs moviepy, not installed")
def test_record_video_writes_a_film(tmp_path: Path) -> None:
    env = gymnasium.make("ChannelTunnel-v1", ruleset="tiny", render_mode="rgb_array")
    env = RecordVideo(env, str(tmp_path), episode_trigger=lambda episode: True)
    _, info = env.reset(seed=1)
    done = False
    while not done:
        action = int(np.flatnonzero(info["action_mask"])[0])
        *_, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    env.close()
    assert list(tmp_path.glob("*.mp4"))


def test_a_window_opens_follows_the_game_and_closes() -> None:
    env = channel_tunnel_env.raw_env(ruleset="tiny", render_mode="human")
    env.reset(seed=1)
    assert pygame.display.get_init()
    before = pygame.surfarray.array3d(pygame.display.get_surface())
    env.step(env.game.legal_ids()[0])
    after = pygame.surfarray.array3d(pygame.display.get_surface())
    assert (before != after).any()
    assert (after.swapaxes(0, 1) == to_rgb(env.game)).all()
    assert env.render() is None
    env.close()
    assert not pygame.display.get_init()


def test_a_window_closed_by_hand_ends_the_showing_not_the_game() -> None:
    env = gymnasium.make("ChannelTunnel-v1", ruleset="tiny", render_mode="human").unwrapped
    _, info = env.reset(seed=1)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    *_, info = env.step(int(info["action_mask"].argmax()))
    assert not pygame.display.get_init()
    env.step(int(info["action_mask"].argmax()))
    assert not pygame.display.get_init()


def test_an_environment_with_a_window_can_be_copied() -> None:
    env = channel_tunnel_env.raw_env(ruleset="tiny", render_mode="human")
    env.reset(seed=1)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.step(twin.game.legal_ids()[0])
        assert len(twin.game.actions) == 1
    assert env.game.actions == []


def test_a_mode_says_at_once_what_it_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(module: str) -> None:
        raise ImportError(f"drawing pixels needs {module}")

    monkeypatch.setattr(rendering, "need", missing)
    with pytest.raises(ImportError, match="drawing pixels needs resvg_py"):
        channel_tunnel_env.raw_env(render_mode="rgb_array")
    assert Renderer("ansi", SPEC).mode == "ansi", "text needs nothing"


def test_a_window_waits_for_its_frame_rate() -> None:
    shown = window.Window("test", frames_per_second=10_000)
    for _ in range(2):
        shown.show(np.zeros((20, 30, 3), np.uint8))
    assert pygame.display.get_surface().get_size() == (30, 20)
    shown.close()
    shown.show(np.zeros((20, 30, 3), np.uint8))
    assert pygame.display.get_init(), "another window opens"
    shown.close()
