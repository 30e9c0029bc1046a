"""Paints the sample reports of docs/reports into the site, which links to them; a hook of mkdocs."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from channel_tunnel_agents.balance.report.stored import paint_pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add report-NAME.html for every stored page."""
    for name, html in paint_pages(Path(config.docs_dir) / "reports").items():
        files.append(File.generated(config, name, content=html))
    return files
