"""Paints the sample reports of docs/reports and the leaderboard into the site, which links to them; a hook of mkdocs."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from channel_tunnel_agents.balance.report.stored import paint_pages
from channel_tunnel_agents.benchmark.board import paint_board


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add report-NAME.html for every stored page, and leaderboard-plots.html."""
    docs = Path(config.docs_dir)
    pages = {
        **paint_pages(docs / "reports"),
        "leaderboard-plots.html": paint_board(docs / "leaderboard"),
    }
    for name, html in pages.items():
        files.append(File.generated(config, name, content=html))
    return files
