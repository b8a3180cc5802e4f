"""A property computed once. Like ``functools.cached_property`` without its lock, which costs more than most of the facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - reads as a decorator
    """``@lazy`` on a method: the first access stores the value under the method's name in the instance."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make, self.__doc__ = make, make.__doc__
        self.name = make.__name__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: type) -> lazy[T] | T:
        if instance is None:
            return self
        keeper = self.keeper(instance)
        value: T = self.make(instance) if keeper is None else getattr(keeper, self.name)
        # not by way of its __dict__, which Python does not make for an object until it is asked for
        setattr(instance, self.name, value)
        return value

    def keeper(self, instance: Any) -> Any:
        """What else keeps the value, for others made from it."""
        return None


class claim_fact(lazy[T]):  # noqa: N801 - reads as a decorator
    """The same on a method of a claim that hangs on no reading: the claim keeps the value for all its cases."""

    def keeper(self, instance: Any) -> Any:
        return instance.claim


class reading_fact(lazy[T]):  # noqa: N801 - reads as a decorator
    """The same on a method of a case that hangs on its reading, not on where the winning tile stands in it."""

    def keeper(self, instance: Any) -> Any:
        return instance.unplaced
