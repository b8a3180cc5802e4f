"""The product against the oracles, on seeded random records of every rule set.

Truth: ``tests/oracle/ID.py``, each an independent, slow settlement written from the rule sheet alone. Product and
oracle must agree on which wins are legal, on every seat's delta, and on which records are malformed.
"""

from __future__ import annotations

import importlib
import json
import pathlib
import random
from typing import Any

import pytest

from referee.rules.record import RecordError
from referee.rules.settle import settle_record
from tests.oracle.common import Malformed

HERE = pathlib.Path(__file__).parent
ORACLES = sorted(p.stem for p in HERE.glob("[a-z]*.py") if p.stem != "common" and not p.stem.startswith("test_"))
QUICK, SLOW = 25, 2000


def outcome(settle: Any, refusal: type[Exception], record: dict[str, Any]) -> dict[str, Any]:
    """What a settlement says in comparable form; a refused record is an outcome like any other."""
    try:
        settled = settle(record)
    except refusal:
        return {"refused": True}
    legal = settled["legal"] if "legal" in settled else [win["legal"] for win in settled["wins"]]
    return {"legal": legal, "deltas": settled["deltas"]}


def compare(rules: str, count: int, seed: str) -> None:
    oracle = importlib.import_module(f"tests.oracle.{rules}")
    rng = random.Random(f"{rules} {seed}")
    won = 0
    for _ in range(count):
        record = oracle.random_record(rng)
        expected = outcome(oracle.settle, Malformed, record)
        got = outcome(settle_record, RecordError, record)
        assert got.get("legal") == expected.get("legal"), json.dumps(record, ensure_ascii=False)
        assert got.get("deltas") == pytest.approx(expected.get("deltas")), json.dumps(record, ensure_ascii=False)
        won += any(expected.get("legal", ()))
    assert won >= count // 4, "too few winning hands to prove much"


@pytest.mark.parametrize("rules", ORACLES)
def test_product_agrees_with_oracle(rules: str) -> None:
    compare(rules, QUICK, "quick")


@pytest.mark.slow
@pytest.mark.parametrize("rules", ORACLES)
def test_product_agrees_with_oracle_on_many(rules: str) -> None:
    compare(rules, SLOW, "slow")
