"""From the command line to a running server."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.table.errors import TableError, log_config
from channel_tunnel_agents.table.minds.players import PATIENCE_SECONDS, AgentPool
from channel_tunnel_agents.table.rooms.offers import Offers, left_out, plays
from channel_tunnel_agents.table.rooms.rooms import Rooms
from channel_tunnel_agents.table.web.connections import IDLE_SECONDS, Connection, most_connections
from channel_tunnel_agents.table.web.guard import ENTRANCE, host_names
from channel_tunnel_agents.table.web.server import make_app

if TYPE_CHECKING:
    from channel_tunnel_agents.table.design.workshop import Workshop

GOOD_BYE_SECONDS = 1
KEY_BYTES = 24
HERE = "localhost"  # the name that a machine has only for itself


class TableServer(uvicorn.Server):
    """Stops its agents first, so that nothing waits for a hung agent."""

    def __init__(self, config: uvicorn.Config, players: AgentPool) -> None:
        super().__init__(config)
        self.players = players

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the agents, then the connections."""
        self.players.close()
        await super().shutdown(sockets)


def make_server(app: Starlette, players: AgentPool) -> TableServer:
    """A server for an application, with the limits of the table."""
    Connection.most = most_connections()
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_config=log_config(),
        access_log=False,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=GOOD_BYE_SECONDS,
        server_header=False,
        proxy_headers=False,  # what a client says of itself in X-Forwarded-For is not believed
    )
    return TableServer(config, players)


def serve(
    host: str,
    port: int,
    folder: Path,
    rulesets: Sequence[str] = (),
    agents: Sequence[str] = (),
    records: Sequence[Path] = (),
    names: Sequence[str] = (),
    patience: float = PATIENCE_SECONDS,
) -> int:
    """Listen until stopped; prints the address once it can be opened.

    Args:
        names: further host names that browsers may use for the server.
        patience: seconds an agent has per decision, beyond its own budget.

    Raises:
        RulesetError: an invalid ruleset file.
        ValueError: an agent that cannot be made, or patience out of range.
        OSError: the address is in use, or a file is missing.
    """
    if not 0 < patience <= 3600:
        raise ValueError(f"patience {patience:g}: more than 0 s, at most 3600")
    offers = Offers.of(rulesets, agents, records)
    players = AgentPool(patience)
    try:
        _check_agents(players, agents, offers)
        return _listen_and_serve(Rooms(offers, folder), players, host, port, names)
    finally:
        players.close()


def _listen_and_serve(rooms: Rooms, players: AgentPool, host: str, port: int, names: Sequence[str]) -> int:
    listener = _listen(host, port)
    address, port = listener.getsockname()[:2]
    bound = _read_address(address)  # however it was spelled
    is_near, is_everywhere = bound.is_loopback, bound.is_unspecified
    key = None if is_near else secrets.token_urlsafe(KEY_BYTES)
    hosts = [*host_names(host, port), *host_names(str(bound), port), *_more_names(names, port)]
    workshop = make_workshop(rooms.storage.rooms.parent, str(bound), names)
    design: Sequence[Route] = ()
    if workshop:
        from channel_tunnel_agents.table.design.routes import design_routes

        design = design_routes(workshop, rooms, players)
    shown = _own_address() if is_everywhere else host
    far = None if is_near or shown is None else _address(shown, port)
    app = make_app(rooms, hosts, is_everywhere, players, key, design, far)
    _tell(rooms, host, far or _address(host if is_near else HERE, port), key)
    if shown is None:
        print(
            f"Warning: no address in a network was found: from other machines, put this one's in the place of {HERE}.",
            flush=True,
        )
    try:
        make_server(app, players).run(sockets=[listener])
    finally:
        if workshop:
            workshop.close()
    return 0


def make_workshop(folder: Path, address: str, names: Sequence[str]) -> Workshop | None:
    """What the designer's page works with, on a server that listens on an address.

    None for a server that other machines can reach, because the page starts processes, and, with a line that says so,
    without the libraries of the report.
    """
    if not _read_address(address).is_loopback or names:
        return None
    try:
        from channel_tunnel_agents.table.design.workshop import Workshop
    except ModuleNotFoundError as error:
        if not error.name or error.name.startswith("channel_tunnel"):
            raise
        print(f"No designer's page: {error}; pip install 'channel-tunnel-env[report,table]'")
        return None
    return Workshop(folder)


def _tell(rooms: Rooms, host: str, address: str, key: str | None) -> None:
    entrance = f"?{ENTRANCE}={key}" if key else ""
    kept = len(rooms.storage.keys())
    folder = rooms.storage.rooms.parent
    print(f"The table is set: {address}/{entrance}  (Ctrl-C to leave)", flush=True)
    for why in left_out().values():
        print(f"Warning: not offered: {why}", flush=True)
    print(f"Games are kept in {folder}" + (f"; {kept} are there already." if kept else "."))
    if key:
        print(
            f"Warning: {host} can be reached from other machines, unencrypted. Anyone with the whole address "
            "above may play and start games here; nobody else may.",
            flush=True,
        )


def _check_agents(players: AgentPool, agents: Sequence[str], offers: Offers) -> None:
    """Refuse agents of the command line that cannot be made, before anybody plays them."""
    rulesets = (offers.rulesets[offers.first], *offers.rulesets.values())
    for name in agents:
        try:
            players.check(name, next(r for r in rulesets if plays(name, r.spec.name)))
        except (AgentError, TableError) as error:
            raise ValueError(f"--agent {name}: {error}") from None
        except StopIteration:
            raise ValueError(f"--agent {name}: its game is not on offer") from None


def _more_names(names: Sequence[str], port: int) -> list[str]:
    """Names as in a Host header; our own port if none is given."""
    given = [name.lower() for name in names]
    return [name if ":" in name else f"{name}:{port}" for name in given] + given


def _own_address() -> str | None:
    """The address by which other machines can most likely reach this one, None if there is none; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation, on no network
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if _read_address(address).is_loopback else address


def _address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.getaddrinfo(host, None, family)
    except OSError:
        raise OSError(
            f"--host {host}: no address of this machine; leave it out, or take 0.0.0.0 for every one"
        ) from None
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # from now on who comes early waits, instead of being refused
    except (OSError, OverflowError) as error:
        listener.close()
        raise OSError(f"port {port} of {host} cannot be used: {error}; another one: --port 0") from None
    return listener


def _read_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(address.removeprefix("::ffff:").partition("%")[0])
