# make demo   trains France and Britain by self-play (10 minutes), evaluates them, writes a report
# make test   lint, types and tests; make quick   the inner loop; make light   the tests alone; make heavy   those that are slow by nature
# Both set up .venv first, from the pinned constraints; a second run reinstalls nothing.
# make docs       writes the generated pages of docs/reference; make docs CHECK=1   says which of them are stale
# make site       the documents as a site in build/site
# make package    builds the package and plays from it in empty environments; make libraries runs the examples
# make release    says whether this checkout may be released

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Compiled modules and rewritten tests are kept: without them every process of the tests compiles all anew.
unexport PYTHONDONTWRITEBYTECODE
# The build backend is pinned too; older and newer versions of pip read different names.
PIP := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet \
	--disable-pip-version-check -c constraints.txt

.PHONY: demo quick test light heavy setup lint types bench docs pictures reports site site-serve package libraries release clean

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) torch
	$(PIP) -e '.[train,render,table,data,onnx,docs,dev]'
	touch $(STAMP)

demo: $(STAMP)
	rm -rf runs/demo
	$(BIN)/python train.py demo
	$(BIN)/python evaluate.py tournament random heuristic ppo:runs/demo --deals 2000 --out runs/demo

# The inner loop: style, types, rules and what may import what.
quick: $(STAMP) lint types
	$(BIN)/python -m pytest -n 2 tests/test_layering.py tests/agents/test_layering.py tests/games/tunnel_1987/rules \
		tests/games/tunnel_1987/engine/test_golden.py tests/games/tunnel_1987/engine/test_perft.py \
		tests/games/carcassonne/test_scenarios.py tests/games/eurotunnel/test_scenarios.py tests/games/eurotunnel/test_cases.py

PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# Types are checked while tests wait, for a server or a lock.
test: $(STAMP)
	$(MAKE) --no-print-directory --jobs 2 lint types light

light: $(STAMP)
	$(PYTEST) -m "not heavy"

# What is slow by nature: interpreted games, disasters, browsers, trained runs.
heavy: $(STAMP)
	$(PYTEST) -m heavy

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/python benchmarks/speed.py

docs: $(STAMP)
	$(BIN)/python .ci/write_pages.py $(if $(CHECK),--check)

pictures: $(STAMP)
	$(BIN)/python -m channel_tunnel_env draw docs/images/game.jsonl docs/images/board.svg --ply 93 --theme auto
	$(BIN)/python -m channel_tunnel_env.drawing.crop docs/images/board.svg \
		agents/channel_tunnel_agents/table/static/games/tunnel_1987.svg 401 86 400 150
	$(BIN)/python -m channel_tunnel_env replay docs/images/game.jsonl --animate docs/images/game.webp
	$(BIN)/python -m channel_tunnel_env draw docs/images/carcassonne.jsonl docs/images/carcassonne.svg --ply 112 --theme auto
	$(BIN)/python -m channel_tunnel_env replay docs/images/carcassonne.jsonl --animate docs/images/carcassonne.webp --width 700
	$(BIN)/python -m channel_tunnel_env.games.carcassonne.board.excerpt docs/images/carcassonne.jsonl \
		agents/channel_tunnel_agents/table/static/games/carcassonne.svg
	$(BIN)/python -m channel_tunnel_env draw docs/images/eurotunnel.jsonl docs/images/eurotunnel.svg --ply 349 --theme auto
	$(BIN)/python -m channel_tunnel_env.drawing.crop docs/images/eurotunnel.svg \
		agents/channel_tunnel_agents/table/static/games/eurotunnel.svg 92 714 448 168 13.5 sea-name coast
	$(BIN)/python -m channel_tunnel_env replay docs/images/eurotunnel.jsonl --animate docs/images/eurotunnel.webp --width 700

# The sample reports that the site shows, as pages to open in a browser.
reports: $(STAMP)
	$(BIN)/python -m channel_tunnel_agents.balance.report.stored docs/reports build/reports

site: docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --config-file .ci/mkdocs.yml

site-serve: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve --config-file .ci/mkdocs.yml

package: $(STAMP)
	$(BIN)/python .ci/package.py

libraries:
	$(PYTHON) .ci/libraries.py

release: $(STAMP)
	$(BIN)/python .ci/release.py

clean:
	rm -rf $(VENV) runs build dist .pytest_cache .mypy_cache .ruff_cache
