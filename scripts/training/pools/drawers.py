"""Batches for the training of `bg_remove`, drawn in this process or by several concurrent ones."""

from __future__ import annotations

import mmap
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Semaphore
from types import TracebackType
from typing import Protocol, Self

import numpy as np
import torch
from torch import Tensor

Rng = np.random.Generator
Batch = tuple[Tensor, Tensor]
"""float32 images [N,3,S,S] 0..1 and truths [N,2,S,S] 0..1: subject, skin; a negative skin is not known."""
CHANNELS = 5
"""Of a packed picture: red, green, blue, subject, skin."""
WHOLE, UNKNOWN = 254, 255
"""Bytes of a packed truth: what stands for 1, and for a value that is not known."""
SLOTS = 3
"""Batches that a drawer draws ahead."""
WATCH_EVERY = 0.5
"""Seconds after which a drawer looks whether the trainer still runs."""


class Pool(Protocol):
    """A pool that draws scenes: `SegPool` or `MixedPool`."""

    def batch(self, count: int, size: int) -> Batch: ...

    def renew(self) -> None: ...


class DrawerDied(RuntimeError):
    """A drawer ended while batches were still needed."""


@dataclass(frozen=True)
class Wanted:
    """The properties of every batch."""

    count: int
    """Pictures of a batch."""
    sizes: tuple[int, ...]
    """Edges in pixels; one is drawn for each batch."""


class DrawnHere:
    """Batches that are drawn in this process on request."""

    def __init__(self, pool: Pool, rng: Rng, wanted: Wanted) -> None:
        self._pool, self._rng, self._wanted = pool, rng, wanted

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def pictures(self, count: int, size: int) -> Tensor:
        """float32 images [count,3,size,size] 0..1."""
        return self._pool.batch(count, size)[0]

    def next(self, device: torch.device) -> Batch:
        """A new batch on `device`."""
        images, truths = self._pool.batch(self._wanted.count, int(self._rng.choice(self._wanted.sizes)))
        self._pool.renew()
        return images.to(device), truths.to(device)


class Drawers:
    """Processes that draw batches concurrently, each with its own pool.

    A drawer puts packed batches into slots of shared memory, and sends their size to the trainer through a
    pipe. Drawers are forks: they start immediately, and must not touch the GPU. They have the lowest
    priority. They end with `close`, and within a second after the trainer has ended.
    """

    def __init__(self, make: Callable[[Rng], Pool], seeds: list[tuple[int, ...]], wanted: Wanted) -> None:
        """`make` is called in each drawer, with a generator from one of the `seeds`."""
        self._wanted = wanted
        self._kept: deque[Tensor] = deque()
        self._ready: deque[Connection] = deque()
        self._drawers: dict[Connection, _Drawer] = {}
        for number, seed in enumerate(seeds, 1):
            drawer = _Drawer(number, make, seed, wanted)
            self._drawers[drawer.reader] = drawer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def pictures(self, count: int, size: int) -> Tensor:
        """float32 images [count,3,size,size] 0..1 of batches that `next` returns later."""
        if size not in self._wanted.sizes:
            raise ValueError(f"no batch is {size} pixels wide, only {self._wanted.sizes}")
        found: list[Tensor] = []
        while sum(map(len, found)) < count:
            packed = self._received(pinned=False)
            self._kept.append(packed)
            if packed.shape[-1] == size:
                found.append(unpacked(packed)[0])
        return torch.cat(found)[:count]

    def next(self, device: torch.device) -> Batch:
        """The next finished batch, on `device`. Raises DrawerDied when a drawer has ended."""
        packed = self._kept.popleft() if self._kept else self._received(pinned=device.type == "cuda")
        return unpacked(packed.to(device, non_blocking=True))

    def close(self) -> None:
        """End all drawers, regardless of their state."""
        for drawer in self._drawers.values():
            drawer.process.kill()
        for drawer in self._drawers.values():
            drawer.process.join()

    def _received(self, *, pinned: bool) -> Tensor:
        """A packed batch, uint8 [count,CHANNELS,S,S], copied to its own memory."""
        if not self._ready:
            sentinels = {d.process.sentinel: d for d in self._drawers.values()}
            found = wait([*self._drawers, *sentinels])
            for dead in (sentinels[s] for s in found if s in sentinels):
                raise dead.died()
            self._ready.extend(r for r in found if isinstance(r, Connection))
        return self._drawers[self._ready.popleft()].take(pinned=pinned)


class _Drawer:
    """One drawer process, as seen by the trainer."""

    def __init__(
        self, number: int, make: Callable[[Rng], Pool], seed: tuple[int, ...], wanted: Wanted
    ) -> None:
        context = multiprocessing.get_context("fork")
        self._number, self._wanted, self._taken = number, wanted, 0
        self._free = context.Semaphore(SLOTS)
        most = wanted.count * CHANNELS * max(wanted.sizes) ** 2
        self._memory = np.frombuffer(mmap.mmap(-1, SLOTS * most), np.uint8).reshape(SLOTS, most)
        self.reader, writer = context.Pipe(duplex=False)
        self.process: BaseProcess = context.Process(
            target=_draw,
            args=(make, seed, wanted, self._memory, self._free, writer, os.getpid()),
            name=f"drawer {number}",
            daemon=True,
        )
        self.process.start()
        writer.close()

    def take(self, *, pinned: bool) -> Tensor:
        """The oldest finished batch. Its slot becomes free again."""
        try:
            size = self.reader.recv()
        except (EOFError, ConnectionError):
            raise self.died() from None
        slot = _slot(self._memory, self._taken, self._wanted.count, size)
        packed = torch.empty(slot.shape, dtype=torch.uint8, pin_memory=pinned)
        packed.copy_(torch.from_numpy(slot))
        self._taken += 1
        self._free.release()
        return packed

    def died(self) -> DrawerDied:
        """Describes how it ended."""
        self.process.join(1)
        code = self.process.exitcode
        reason = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        return DrawerDied(f"drawer {self._number} (process {self.process.pid}) died: {reason}")


def packed_into(slot: np.ndarray, images: Tensor, truths: Tensor) -> None:
    """Write a batch to uint8 [N,CHANNELS,S,S]: a quarter of the bytes, with an error of at most 1/500 per
    value.

    Overwrites the batch, because allocating memory would take longer than the arithmetic.
    """
    target, unknown = torch.from_numpy(slot), truths < 0
    target[:, :3].copy_(images.mul_(255).add_(0.5))
    target[:, 3:].copy_(truths.mul_(WHOLE).add_(0.5).masked_fill_(unknown, UNKNOWN))


def unpacked(packed: Tensor) -> Batch:
    """The batch in uint8 [N,CHANNELS,S,S], on the same device. Unknown values are below 0."""
    images = packed[:, :3].contiguous().float() / 255
    codes = packed[:, 3:].contiguous().float()
    return images, torch.where(codes == UNKNOWN, -1.0, codes / WHOLE)


def _slot(memory: np.ndarray, number: int, count: int, size: int) -> np.ndarray:
    """The slot of a drawer's batch with this number, uint8 [count,CHANNELS,size,size]."""
    shape = (count, CHANNELS, size, size)
    return memory[number % SLOTS, : np.prod(shape)].reshape(shape)


def _draw(
    make: Callable[[Rng], Pool],
    seed: tuple[int, ...],
    wanted: Wanted,
    memory: np.ndarray,
    free: Semaphore,
    writer: Connection,
    trainer: int,
) -> None:
    """The main loop of a drawer, which runs until it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the trainer, which ends its drawers
    os.nice(19)
    threading.Thread(target=_watch, args=(trainer,), daemon=True).start()
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    pool, number = make(rng), 0
    while True:
        size = int(rng.choice(wanted.sizes))
        images, truths = pool.batch(wanted.count, size)
        pool.renew()
        free.acquire()
        packed_into(_slot(memory, number, wanted.count, size), images, truths)
        writer.send(size)
        number += 1


def _watch(trainer: int) -> None:
    """End this process when it is no longer a child of the trainer."""
    while os.getppid() == trainer:
        time.sleep(WATCH_EVERY)
    os._exit(1)
