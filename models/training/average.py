"""The mean of several runs' classifiers, weight by weight: of runs that went on from one another, often better than each.

`python -m models.training.average OUT NAME=SHARE NAME=SHARE...` writes OUT.pt in the cache folder, with the first run's
localiser. It pays only for runs that share a beginning; means of others are of no use.
"""

import argparse

import torch
from torch import Tensor

from models.training.bank import cache_folder

Weights = dict[str, Tensor]


def mean(states: list[tuple[Weights, float]]) -> Weights:
    """Of (weights, share) of networks of one shape; counters, which are no floats, are the first one's."""
    total = sum(share for _, share in states)
    first = states[0][0]
    return {name: sum(state[name] * (share / total) for state, share in states) if value.dtype.is_floating_point else value
            for name, value in first.items()}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("runs", nargs="+", metavar="NAME=SHARE")
    arguments = parser.parse_args()
    kept = []
    for run in arguments.runs:
        name, _, share = run.partition("=")
        kept.append((torch.load(cache_folder() / f"{name}.pt")["kept"], float(share)))
    classifier = mean([(state["classifier"], share) for state, share in kept])
    torch.save({"kept": {"localiser": kept[0][0]["localiser"], "classifier": classifier}},
               cache_folder() / f"{arguments.out}.pt")  # fmt: skip


if __name__ == "__main__":
    main()
