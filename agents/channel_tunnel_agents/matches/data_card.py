"""The card of a Minari data set: who played, under which licence, how much it is, and how it is made again.

The digest is of what the data set says when it is read, episode by episode, and not of its files, which hold times and
versions of libraries.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.matches.dataset import LICENCE, MAIN_FILE, agents_of_games
from channel_tunnel_agents.matches.kept_data import load_dataset, reading
from channel_tunnel_agents.matches.store import PLAN
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_env import Ruleset, __version__
from channel_tunnel_env.errors import ChannelTunnelError
from channel_tunnel_env.outside.documents import LINE, StrictModel, describe_errors, read_json
from channel_tunnel_env.outside.files import read_lines, write_whole

CARD = "data-card.json"  # in the folder of the games
Whole = Annotated[int, Field(ge=1)]
Hex = Annotated[str, Field(pattern="^[0-9a-f]+$")]
ARRAYS = (
    (("observations",), "<f4"),
    (("actions",), "<i8"),
    (("rewards",), "<f8"),
    (("infos", "action_mask"), "i1"),
    (("infos", "seat"), "i1"),
    (("infos", "player"), "i1"),
)
"""What the digest is of, in this order, as which bytes."""


class DataCardError(ChannelTunnelError, ValueError):
    """A file that is not a data card, or a data set that is not the one of a card."""


class DataCard(StrictModel):
    """What a Minari data set is.

    Attributes:
        dataset: its id.
        agents: who played, in the order of the infos' `player`; with a digest of the files of each policy.
        seats: whose episodes there are, in the order of the infos' `seat`.
        games, episodes, steps: how many. An episode is one seat's part of a game, a step one of its decisions.
        seed: of the deals and of the agents' luck.
        bytes: of the file.
        sha256: of the content, see `content_digest`.
        command: that makes it.
    """

    data_card: Literal[1]
    dataset: str
    title: str
    licence: str
    game: str
    ruleset: str
    ruleset_digest: Hex
    agents: dict[str, Hex | None]
    seats: list[str]
    games: Whole
    episodes: Whole
    steps: Whole
    observation_version: Whole
    observation_size: Whole
    action_version: Whole
    num_actions: Whole
    seed: int
    bytes: Whole
    sha256: Hex
    command: str
    package: str


def content_digest(dataset: Any) -> str:
    """SHA-256 of a Minari data set's episodes in order: their seeds and their arrays.

    Raises:
        AgentError: they cannot be read.
    """
    digest = hashlib.sha256()
    with reading(dataset.spec.dataset_id):
        known = dataset.storage.get_episode_metadata(dataset.episode_indices)
        for each, episode in zip(known, dataset.iterate_episodes(), strict=True):
            digest.update(np.array([int(each["seed"])], "<i8").tobytes())
            for path, form in ARRAYS:
                array: Any = episode
                for key in path:
                    array = array[key] if isinstance(array, dict) else getattr(array, key)
                digest.update(np.ascontiguousarray(array, form).tobytes())
    return digest.hexdigest()


def make_data_card(dataset_id: str, folder: Path, ruleset: Ruleset, seats: list[str], command: str) -> DataCard:
    """The card of a local data set, written from the games of a folder.

    Args:
        seats: whose episodes it holds.
        command: that makes it again.
    """
    from minari.storage import get_dataset_path

    dataset, spec = load_dataset(dataset_id), ruleset.spec
    form, plan = FORMS[spec.name], read_json(folder / PLAN)
    episodes = int(dataset.total_episodes)
    return DataCard(
        data_card=1,
        dataset=dataset_id,
        title=f"{agents_of(spec.name).title}: what {', '.join(seats)} saw and did",
        licence=LICENCE,
        game=spec.name,
        ruleset=ruleset.name,
        ruleset_digest=ruleset.digest,
        agents=agents_of_games(folder),
        seats=seats,
        games=sum(1 for _ in _lines(folder)),
        episodes=episodes,
        steps=int(dataset.total_steps),
        observation_version=form.observation_version,
        observation_size=spec.observation.size(ruleset),
        action_version=form.action_version,
        num_actions=spec.actions.count,
        seed=int(plan["seed"]),
        bytes=(get_dataset_path(dataset_id) / "data" / MAIN_FILE).stat().st_size,
        sha256=content_digest(dataset),
        command=command,
        package=__version__,
    )


def _lines(folder: Path) -> Any:
    for path in (folder / "records").glob("*.jsonl"):
        yield from read_lines(path, LINE.size)


def write_data_card(card: DataCard, path: Path) -> None:
    """Write a card."""
    write_whole(path, (card.model_dump_json(indent=1) + "\n").encode())


def read_data_card(path: Path) -> DataCard:
    """A card from its file.

    Raises:
        DocumentError: not JSON.
        DataCardError: not a data card; one line for all that is wrong.
    """
    try:
        return DataCard.model_validate(read_json(path))
    except ValidationError as error:
        lines = describe_errors(error, lambda item: f"{'.'.join(map(str, item['loc']))}: {item['msg']}")
        raise DataCardError(f"{path}: not a data card: {'; '.join(lines)}") from None


def check_data(card: DataCard) -> None:
    """Check that the local data set is that of a card.

    Raises:
        AgentError: it does not exist.
        DataCardError: it is another one.
    """
    dataset = load_dataset(card.dataset)
    found = content_digest(dataset)
    if found != card.sha256:
        raise DataCardError(
            f"{card.dataset}: content {found[:16]}..., its card says {card.sha256[:16]}...: {int(dataset.total_steps):,} steps, "
            f"{card.steps:,} on the card"
        )
