"""Wengert beside its peers, measured in one run: each framework in a process of its own, all taking turns."""

from wengert.benchmark.report import run_benchmark
from wengert.benchmark.runner import WorkerError, find_peers_python

__all__ = ["WorkerError", "find_peers_python", "run_benchmark"]
