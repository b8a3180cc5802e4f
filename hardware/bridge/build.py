"""Builds the bridge for the host, where there is a C++ compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


def compiler() -> str | None:
    """The system's C++ compiler; None where there is none."""
    return shutil.which("g++") or shutil.which("c++") or shutil.which("clang++")


def build(out: Path) -> None:
    """Compiles ``bridge`` (the protocol part) and ``sketch`` (all of it, pins simulated) into a folder. RuntimeError
    with the compiler's words where that fails."""
    out.mkdir(parents=True, exist_ok=True)
    strict = [compiler() or "g++", "-std=c++11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
    core = str(HERE / "table_bridge" / "table_line.cpp")
    for name, source in (("bridge", "main.cpp"), ("sketch", "sketch.cpp")):
        folders = [f"-I{HERE / 'host'}", f"-I{HERE / 'table_bridge'}"]
        command = [*strict, *folders, "-o", str(out / name), str(HERE / "host" / source), core]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
