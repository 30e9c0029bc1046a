"""Who vouches for a card: a signature of OpenSSH beside it, `CARD.json.sig`, by a key of the file `maintainers` in its folder.

ssh-keygen -Y sign -n channel-tunnel-card -f KEY CARD.json     # a maintainer, who has checked the card
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from channel_tunnel_env.tracks import TrackError

NAMESPACE = "channel-tunnel-card"  # what the key says yes to
MAINTAINERS = "maintainers"  # a line for each: maintainer ssh-ed25519 KEY
SECONDS = 30.0


def is_verified(card: Path) -> bool:
    """Whether a maintainer has signed a card; without a signature it is only claimed.

    Raises:
        TrackError: the signature is a stranger's or of another card, or there is nothing to read it with.
    """
    signature, keys = card.with_name(f"{card.name}.sig"), card.with_name(MAINTAINERS)
    if not signature.exists():
        return False
    words = ["ssh-keygen", "-Y", "verify", "-n", NAMESPACE, "-I", "maintainer", "-f", str(keys), "-s", str(signature)]
    try:
        done = subprocess.run(words, input=card.read_bytes(), capture_output=True, timeout=SECONDS, check=False)
    except FileNotFoundError:
        raise TrackError(f"{signature}: ssh-keygen, which reads it, is not installed") from None
    if done.returncode:
        raise TrackError(f"{signature}: expected a signature of {card.name} by a key of {keys}; it is not one")
    return True
