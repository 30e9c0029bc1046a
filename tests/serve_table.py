"""Starts the table of the installed package and prints, as JSON, its first two lines and what it offers.

A script: it runs in environments that have neither pytest nor this project's sources.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request

COMMAND = [sys.executable, "-m", "channel_tunnel_env", "table", "--port", "0", "--folder", "games"]

if __name__ == "__main__":
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True) as table:
        try:
            said = [table.stdout.readline() for _ in range(2)]  # type: ignore[union-attr]
            address = re.search(r"http://[^/]+", "".join(said))[0]  # type: ignore[index]
            with urllib.request.urlopen(f"{address}/api/offers") as answer:
                print(json.dumps({"said": said, "offers": json.load(answer)}))
        finally:
            table.terminate()
