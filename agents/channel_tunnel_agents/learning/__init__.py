"""Self-play training: PPO on games in which one network plays all seats.

config, start, resume          what a run is asked to do, starts from (a policy, a teacher's lessons), goes on with
run, training                  a run in its folder; what trains it; monitor, guards: what is watched and written
sb3_policy, rollout_buffer     the network as Stable-Baselines3's policy; what its PPO learns from
ppo, loop, credit              PPO with a run's budgets; the engine torch; credit for every seat
seeds, hyperparameters         one recipe from several seeds; a search for its numbers
pool, imitation                past selves as rivals; learning from a teacher
checkpoint                     what resumes a run
rllib_training                 the same on Ray's RLlib
exploit                        best responses to a policy

May import: base, games, names, registry, rulesets, players, search, matches.
"""
