"""Experiments on the order of backward, step and zero_grad (TL201, TL202)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from .gradients import Account, copied, dense, listen, norm, overall
from .names import ParameterNames
from .protocol import ABSENT, OPEN, SHOWN, Observation, Series, measured
from .recorder import Observer

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

STALE_STEPS = 2
CLEAN_STEPS = 3
ROUNDS = 20
ROUNDS_AT_LEAST = 3


@dataclass(frozen=True)
class StaleStep:
    """A step that used a gradient which an earlier step had used already."""

    number: int
    name: str
    gradient: float
    fresh: float
    leftover: float

    def sentence(self) -> str:
        """The evidence."""
        return (
            f"at step {self.number} the gradient of {self.name} is step {self.number - 1}'s plus "
            f"the fresh one: |gradient| = {self.gradient:.3g}, |fresh| = {self.fresh:.3g}, "
            f"|left over| = {self.leftover:.3g}"
        )


class StaleGradients(Observer):
    """Looks for steps whose gradient still holds what the step before has used (TL201)."""

    def __init__(self) -> None:
        super().__init__()
        self._names = ParameterNames()
        self._accounts: dict[int, Account] = {}
        self._hooks: list[Any] = []
        self._uses: dict[int, int] = {}
        self._stepping: dict[int, torch.optim.Optimizer] = {}
        self._closures: set[int] = set()
        self.passes = 0
        self.first_steps = 0
        self.stale: list[StaleStep] = []
        self.clean: list[str] = []
        self.unclear = 0
        self._norms: dict[int, list[tuple[float, float]]] = {}
        self._first_judged = 0

    def watching(self) -> AbstractContextManager[Any]:
        """Parameters are called by their names in the modules that use them."""
        return self._names

    def before_backward(self, roots: tuple[Tensor, ...], at_target: bool) -> None:
        """Look at what is in every gradient, and listen to what comes."""
        self.passes += at_target
        for account in self._known():
            account.open_backward()
            if account.parameter.requires_grad:
                self._hooks.append(listen(account.parameter, self._listener(account, at_target)))

    def after_backward(self, at_target: bool) -> None:
        """Look at what is in every gradient now; within a closure this is what the step uses."""
        while self._hooks:
            self._hooks.pop().remove()
        for account in self._known():
            account.held = copied(dense(account.parameter.grad))
        for optimizer in self._stepping.values():
            self._closures.add(id(optimizer))
            self._judge(optimizer)
            self._use(optimizer)

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """The step uses what is there."""
        self._judge(optimizer)
        self._stepping[id(optimizer)] = optimizer

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """What the step leaves is what the next backward may find."""
        self._stepping.pop(id(optimizer), None)
        if id(optimizer) in self._closures:
            self._closures.discard(id(optimizer))
            self._uses[id(optimizer)] -= 1
        self._use(optimizer)

    def has_seen_enough(self) -> bool:
        """A few steps tell."""
        return len(self.stale) >= STALE_STEPS or len(self.clean) >= CLEAN_STEPS

    def conclude(self, ended: bool) -> Observation:
        """Stale steps show it; only clean ones speak against it."""
        if len(self.stale) >= STALE_STEPS:
            return Observation(SHOWN, evidence=self.stale[0].sentence(), measured=self._measured())
        if len(self.clean) >= 2 and not self.stale and not self.unclear:
            return Observation(ABSENT, evidence=self.clean[0], measured=self._measured())
        if not self.passes:
            return Observation(OPEN, reason="the flagged backward did not run")
        if self.stale or self.unclear:
            return Observation(OPEN, reason="steps differ in what they find in the gradients")
        judged = self.first_steps + len(self.clean)
        return Observation(
            OPEN, reason=f"the run made {judged} step(s) with the flagged backward's gradients"
        )

    def _known(self) -> list[Account]:
        found = {id(parameter): parameter for _, parameter in self.held_parameters()}
        return [
            self._accounts.setdefault(key, Account(parameter)) for key, parameter in found.items()
        ]

    def _of(self, optimizer: torch.optim.Optimizer) -> list[Account]:
        groups = optimizer.param_groups
        parameters = [parameter for group in groups for parameter in group["params"]]
        return [self._accounts.setdefault(id(item), Account(item)) for item in parameters]

    def _listener(self, account: Account, at_target: bool) -> Any:
        def note(gradient: Tensor) -> None:
            account.add(gradient)
            account.flagged |= at_target

        return note

    def _judge(self, optimizer: torch.optim.Optimizer) -> None:
        accounts = [account for account in self._of(optimizer) if account.flagged]
        alive = [item for item in accounts if item.fresh is not None and bool(item.fresh.any())]
        if not alive:
            return
        number = self._uses.get(id(optimizer), 0) + 1
        norms = overall(item.held for item in alive), overall(item.fresh for item in alive)
        self._norms.setdefault(id(optimizer), []).append(norms)
        stale = [account for account in alive if account.holds_leftover()]
        if stale:
            self._first_judged = self._first_judged or id(optimizer)
            self.stale.append(self._stale_step(stale, number))
        elif all(account.is_fresh() for account in alive):
            self._note_clean(alive, number, optimizer)
        else:
            self.unclear += 1

    def _stale_step(self, stale: list[Account], number: int) -> StaleStep:
        worst = max(stale, key=lambda account: norm(account.leftover))
        return StaleStep(
            number=number,
            name=self._names.of(worst.parameter),
            gradient=norm(worst.held),
            fresh=norm(worst.fresh),
            leftover=norm(worst.leftover),
        )

    def _note_clean(
        self, alive: list[Account], number: int, optimizer: torch.optim.Optimizer
    ) -> None:
        if not any(account.stepped for account in alive):
            self.first_steps += 1
            return
        self._first_judged = self._first_judged or id(optimizer)
        account = max(alive, key=lambda item: norm(item.fresh))
        self.clean.append(
            f"at step {number} the gradient of {self._names.of(account.parameter)} is what was "
            f"added since the step before, and no more: |gradient| = {norm(account.held):.3g}"
        )

    def _measured(self) -> tuple[Series, ...]:
        """What the gradients of the optimizer that is spoken of came to at its steps."""
        norms = self._norms.get(self._first_judged, [])
        return (
            *measured("|gradient|", "step", (held for held, _ in norms)),
            *measured("|fresh|", "step", (fresh for _, fresh in norms)),
        )

    def _use(self, optimizer: torch.optim.Optimizer) -> None:
        self._uses[id(optimizer)] = self._uses.get(id(optimizer), 0) + 1
        for account in self._of(optimizer):
            account.close_step()


class StillParameters(Observer):
    """Looks for parameters that get gradients, are an optimizer's, and never change (TL202)."""

    def __init__(self) -> None:
        super().__init__()
        self._names = ParameterNames()
        self._watched: dict[int, Watched] = {}
        self._hooks: list[Any] = []
        self._steps: set[int] = set()
        self.rounds = 0

    def watching(self) -> AbstractContextManager[Any]:
        """Parameters are called by their names in the modules that use them."""
        return self._names

    def before_backward(self, roots: tuple[Tensor, ...], at_target: bool) -> None:
        """Listen which parameters get a gradient."""
        if at_target:
            self.rounds += 1
            for parameter, optimizers in self._held().values():
                if parameter.requires_grad:
                    listener = self._listener(parameter, optimizers)
                    self._hooks.append(listen(parameter, listener))

    def after_backward(self, at_target: bool) -> None:
        """Stop listening."""
        while self._hooks:
            self._hooks.pop().remove()

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer that steps is not the one that is missing its step."""
        self._steps.add(id(optimizer))

    def has_seen_enough(self) -> bool:
        """Enough rounds, or few in which everything changed."""
        if self.rounds <= ROUNDS_AT_LEAST:
            return False
        return self.rounds > ROUNDS or all(item.has_changed() for item in self._watched.values())

    def conclude(self, ended: bool) -> Observation:
        """Nothing that one optimizer holds has changed, though it had gradients in every round."""
        least = ROUNDS_AT_LEAST + (not ended)
        watched = [item for item in self._watched.values() if item.rounds >= least]
        if not watched:
            return Observation(OPEN, reason=self._too_little())
        still = self._still(watched)
        if still:
            return Observation(SHOWN, evidence=self._sentence(still))
        if all(item.has_changed() for item in watched):
            return Observation(
                ABSENT, evidence=f"all {len(watched)} parameters changed in {self.rounds} rounds"
            )
        return Observation(OPEN, reason="an optimizer steps, and yet parameters stay as they are")

    def _held(self) -> dict[int, tuple[Tensor, list[torch.optim.Optimizer]]]:
        """Every parameter with the optimizers that hold it."""
        found: dict[int, tuple[Tensor, list[torch.optim.Optimizer]]] = {}
        for optimizer, parameter in self.held_parameters():
            found.setdefault(id(parameter), (parameter, []))[1].append(optimizer)
        return found

    def _still(self, watched: list[Watched]) -> list[Watched]:
        """What is held by optimizers that never stepped, if nothing of it has changed."""
        unstepped = [item for item in watched if not self._steps & item.held_by]
        changed = [item.held_by for item in unstepped if item.has_changed()]
        return [item for item in unstepped if not any(item.held_by & other for other in changed)]

    def _sentence(self, still: list[Watched]) -> str:
        largest = max(still, key=lambda item: item.gradient)
        optimizer = type(largest.optimizers[-1]).__name__
        several = f"all {len(still)} parameters that {optimizer} holds are"
        unchanged = several if len(still) > 1 else f"the parameter that {optimizer} holds is"
        return (
            f"after {largest.rounds} rounds {unchanged} bit-identical, in spite of gradients: "
            f"|gradient| of {self._names.of(largest.parameter)} is {largest.gradient:.3g}"
        )

    def _too_little(self) -> str:
        if not self.rounds:
            return "the flagged backward did not run"
        if not self._watched:
            return "no optimizer holds a parameter that gets a gradient from the flagged backward"
        return f"the flagged backward ran in {self.rounds} round(s) only"

    def _listener(self, parameter: Tensor, optimizers: list[torch.optim.Optimizer]) -> Any:
        def note(gradient: Tensor) -> None:
            size = norm(dense(gradient))
            if size > 0:
                watched = self._watched.get(id(parameter))
                if watched is None:
                    watched = Watched(parameter, copied(parameter), optimizers)
                    self._watched[id(parameter)] = watched
                watched.optimizers = optimizers
                watched.rounds += 1
                watched.gradient = size

        return note


@dataclass
class Watched:
    """A parameter, its value when the first gradient came, and how often one came."""

    parameter: Tensor
    value: Tensor
    optimizers: list[torch.optim.Optimizer]
    rounds: int = 0
    gradient: float = 0.0

    @property
    def held_by(self) -> set[int]:
        """The optimizers that hold it."""
        return {id(optimizer) for optimizer in self.optimizers}

    def has_changed(self) -> bool:
        """Whether any bit of the parameter is another one now."""
        return not torch.equal(self.parameter.detach(), self.value)
