"""The options of requests, for type checkers. Each call takes them as keyword arguments."""

from __future__ import annotations

from typing import Mapping, Optional, Sequence, TypedDict

from .literals import Fit, Level, Mask, OperationName, Output, Retention


class StepOptions(TypedDict, total=False):
    """The options of one operation."""

    level: Optional[Level]
    strength: Optional[float]
    """0 to 1; of smooth_skin and auto_enhance."""
    scale: Optional[int]
    """2 or 4; of upscale."""
    width: Optional[int]
    """Pixels; of upscale."""
    height: Optional[int]
    fit: Optional[Fit]
    model: Optional[str]
    """Pins the version of a model, such as ``upscale@2``."""
    mask: Optional[Mask]
    """Corrects the cutout of bg_remove. In a batch, it applies to every item; presets cannot have one."""


class _Operation(TypedDict):
    operation: OperationName


class Step(_Operation, StepOptions, total=False):
    """One of several ``operations``."""


class RequestOptions(StepOptions, total=False):
    """What to do with an image."""

    operations: Optional[Sequence[Step]]
    """1 to 6 operations, each on the result of the one before, instead of ``operation``."""
    preset: Optional[str]
    """The name of a preset, instead of ``operation``. ``output`` overrides that of the preset as a whole."""
    output: Optional[Output]
    metadata: Optional[Mapping[str, str]]
    cache: Optional[bool]
    """True uses the results of equal earlier jobs, which are free; False enhances again."""


class BatchOptions(RequestOptions, total=False):
    """Options for each job of a batch, and its output."""

    callback_url: Optional[str]
    """Called when the job, or every item of the batch, has ended; signed with the callback secret of the account."""
    cancel_after: Optional[str]
    """Such as ``60s``: a job that has not ended by then is canceled."""
    expires_in: Optional[int]
    """Seconds that the result is kept."""
    retention: Optional[Retention]
    """``deliver`` erases result and source once the result was read or has expired, or the job is deleted."""


class DryRunOptions(RequestOptions, total=False):
    """Options for the estimate of a job."""


class JobOptions(BatchOptions, total=False):
    """The options of a job, and its output."""
