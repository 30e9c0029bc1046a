# The table in the browser, with the trained players of all games.
#
#   docker build -t channel-tunnel .
#   docker run --rm -p 8000:8000 -v channel-tunnel-games:/home/player/games channel-tunnel
#
# Open the address that it prints, with 127.0.0.1 for the container's own.
FROM python:3.12-slim
RUN useradd --create-home --uid 1000 player
WORKDIR /home/player
COPY pyproject.toml README.md LICENSE constraints.txt source/
COPY channel_tunnel_env source/channel_tunnel_env
COPY agents source/agents
COPY configs source/configs
RUN PIP_CONSTRAINT=source/constraints.txt pip install --no-cache-dir './source[play,table]' && rm -r source
USER 1000
RUN mkdir games && channel-tunnel warm-up
EXPOSE 8000
CMD ["channel-tunnel", "table", "--host", "0.0.0.0", "--folder", "games", "--name", "127.0.0.1:8000"]
