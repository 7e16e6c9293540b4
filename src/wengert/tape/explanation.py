"""What an explanation of a gradient is, and how it is shown."""

from __future__ import annotations

import html
import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wengert.errors import InvalidArgumentError
from wengert.lineage import Place

__all__ = ["Explanation", "Finding", "NoGradientError", "NoGradientWarning", "PathStep"]


class NoGradientError(InvalidArgumentError):
    """A gradient is None, and the tape was made with ``on_none="raise"``; the message explains it."""


class NoGradientWarning(UserWarning):
    """A gradient is None, and the tape was made with ``on_none="warn"``; the message explains it."""


@dataclass(frozen=True)
class PathStep:
    """One operation on the way from the source to the target, or an event beside it."""

    operation: str
    place: Place | None
    #: what went wrong here; empty if nothing did
    remark: str = ""


@dataclass(frozen=True)
class Finding:
    """Why the gradient by one source is what it is."""

    #: a short constant phrase
    reason: str
    source: str
    target: str
    #: a sentence or two
    why: str
    #: what to do; empty if there is nothing to mend
    fix: str
    path: Sequence[PathStep] = ()

    @property
    def is_missing(self) -> bool:
        """Whether the gradient is None, rather than useless or well."""
        return self.reason not in ("zero", "not finite", "connected")


class Explanation:
    """Why gradients are None, zero or not finite; prints as text, and renders in a notebook.

    Attributes:
        findings: one for each source.

    >>> x = tf.constant(2.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> print(tape.explain(y, x).fix)
    Call tape.watch(x) inside the tape before the first use, or make x a tf.Variable.
    """

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)

    @property
    def reason(self) -> str:
        """The reason for the first source, a short constant phrase such as ``"never watched"``."""
        return self.findings[0].reason

    @property
    def reasons(self) -> list[str]:
        """The reason for each source."""
        return [f.reason for f in self.findings]

    @property
    def fix(self) -> str:
        """What to do about the first source."""
        return self.findings[0].fix

    @property
    def path(self) -> Sequence[PathStep]:
        """The operations on the way from the first source to the target."""
        return self.findings[0].path

    def __str__(self) -> str:
        return "\n\n".join(map(_text, self.findings))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "<div class='wengert-explanation'>" + "<hr>".join(map(_html, self.findings)) + "</div>"


def _heading(finding: Finding) -> str:
    if finding.is_missing:
        return f"No gradient: {finding.reason}."
    if finding.reason == "connected":
        return "The gradient exists."
    return f"The gradient is {finding.reason}."


def _text(finding: Finding) -> str:
    lines = [_heading(finding), f"  from  {finding.source}", f"  to    {finding.target}"]
    rows = _rows(finding)
    width = max((len(place) for place, _, _ in rows), default=0)
    for place, code, step in rows:
        if place:
            lines.append(f"    {place:<{width}}  {code}")
        lines.append(f"    {'':<{width}}    {step}")
    lines.append(f"  Why: {finding.why}")
    if finding.fix:
        lines.append(f"  Fix: {finding.fix}")
    return "\n".join(lines)


def _rows(finding: Finding) -> list[tuple[str, str, str]]:
    """(place, code, what happened) down the way; place and code only where a new line of the user's begins."""
    rows = []
    for place, on_line in itertools.groupby(finding.path, key=lambda step: step.place):
        where = f"{os.path.basename(place.filename)}:{place.lineno}" if place else ""
        code = place.text if place else ""
        for remark, steps in itertools.groupby(on_line, key=lambda step: step.remark):
            what = ", ".join(step.operation for step in steps)
            rows.append((where, code, f"{what}  <-- {remark}" if remark else what))
            where = code = ""
    return rows


def _html(finding: Finding) -> str:
    def cell(text: Any) -> str:
        return f"<td style='text-align:left'>{text}</td>"

    rows = "".join(
        "<tr>"
        + cell(html.escape(place))
        + cell(f"<code>{html.escape(code)}</code>")
        + cell(f"<b>{html.escape(what)}</b>" if "<--" in what else html.escape(what))
        + "</tr>"
        for place, code, what in _rows(finding)
    )
    fix = f"<p><b>Fix:</b> {html.escape(finding.fix)}</p>" if finding.fix else ""
    return (
        f"<p><b>{html.escape(_heading(finding))}</b><br>from {html.escape(finding.source)}<br>"
        f"to {html.escape(finding.target)}</p><table>{rows}</table><p><b>Why:</b> {html.escape(finding.why)}</p>{fix}"
    )
