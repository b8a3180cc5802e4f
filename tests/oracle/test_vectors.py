"""The oracles against the golden vectors: an oracle that misreads its sheet would prove nothing about the product."""

from __future__ import annotations

import importlib
import json
import pathlib
from typing import Any

import pytest

from tests.oracle.common import Malformed

HERE = pathlib.Path(__file__).parent
ORACLES = sorted(p.stem for p in HERE.glob("[a-z]*.py") if p.stem != "common" and not p.stem.startswith("test_"))
VECTORS = [
    pytest.param(rules, vector, id=f"{rules}-{vector['name']}")
    for rules in ORACLES
    for vector in json.loads((HERE.parent / "vectors" / f"{rules}.json").read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("rules", "vector"), VECTORS)
def test_oracle_settles_the_vector(rules: str, vector: dict[str, Any]) -> None:
    oracle = importlib.import_module(f"tests.oracle.{rules}")
    expected = vector["expect"]
    if expected.get("error"):
        with pytest.raises(Malformed):
            oracle.settle(vector["record"])
        return
    settled = oracle.settle(vector["record"])
    assert settled["legal"] == expected.get("legal", settled["legal"]), vector["why"]
    assert settled["deltas"] == expected["deltas"], vector["why"]
