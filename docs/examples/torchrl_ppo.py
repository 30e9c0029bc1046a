"""TorchRL: PPO with a masked categorical policy in one seat of the Gymnasium environment."""

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import Compose, GymWrapper, InitTracker, RewardSum, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from channel_tunnel_env.envs.mask_in_observation import MaskInObservation
from channel_tunnel_env.envs.single import ChannelTunnelEnv
from channel_tunnel_env.games.tunnel_1987.engine.actions import NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_SIZE

DECISIONS = 2048  # a smoke test; millions make a player
BATCH = 1024


def make_env() -> TransformedEnv:
    env = MaskInObservation(ChannelTunnelEnv(side="france", opponent="random"))
    gym = GymWrapper(env, categorical_action_encoding=True)
    return TransformedEnv(gym, Compose(InitTracker(), RewardSum()))


def mlp(outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(OBSERVATION_SIZE, 128), nn.Tanh(), nn.Linear(128, outputs))


torch.manual_seed(0)
actor = ProbabilisticActor(
    TensorDictModule(mlp(NUM_ACTIONS), in_keys=["observation"], out_keys=["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
critic = ValueOperator(mlp(1), in_keys=["observation"])
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
advantage = GAE(gamma=1.0, lmbda=0.8, value_network=critic)
optimiser = torch.optim.Adam(loss.parameters(), lr=3e-4)

results = []
for batch in Collector(make_env, actor, frames_per_batch=BATCH, total_frames=DECISIONS):
    advantage(batch)
    for _ in range(4):
        for rows in batch[torch.randperm(BATCH)].split(256):
            terms = loss(rows)
            optimiser.zero_grad()
            sum(value for name, value in terms.items() if name.startswith("loss_")).backward()
            optimiser.step()
    results += batch["next", "episode_reward"][batch["next", "done"]].tolist()

wins = sum(result > 0 for result in results)
print(f"{DECISIONS} decisions; France won {wins} of {len(results)} games while it learned")
