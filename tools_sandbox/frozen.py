"""Lists, dicts and sets that can't be changed: for rows and tools' schemas, which all episodes share."""

from __future__ import annotations

from typing import Any, NoReturn

from pydantic import BaseModel


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    raise TypeError(
        "this is shared by all episodes and can't be changed in place: change a copy (`copy.deepcopy`), or in a tool "
        "give the table a new value, as in `self.orders.update(order_id, items=[*order.items, item])`"
    )


class FrozenList(list[Any]):
    """A list whose changing methods raise TypeError. Copies and pickles are plain lists."""

    __slots__ = ()
    append = extend = insert = remove = pop = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[Any]]]:
        return list, (list(self),)


class FrozenDict(dict[str, Any]):
    """A dict whose changing methods raise TypeError. Copies and pickles are plain dicts."""

    __slots__ = ()
    pop = popitem = clear = update = setdefault = _refuse
    __setitem__ = __delitem__ = __ior__ = _refuse

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        return dict, (dict(self),)


class FrozenSet(set[Any]):
    """A set whose changing methods raise TypeError. Copies and pickles are plain sets."""

    __slots__ = ()
    add = discard = remove = pop = clear = update = _refuse
    difference_update = intersection_update = symmetric_difference_update = _refuse
    __iand__ = __ior__ = __isub__ = __ixor__ = _refuse

    def __reduce__(self) -> tuple[type[set[Any]], tuple[list[Any]]]:
        return set, (list(self),)


def freeze(value: Any) -> Any:
    """The value with every list, dict and set in it replaced by one that can't be changed.

    Raises TypeError for a pydantic model that can be changed.
    """
    if isinstance(value, FrozenList | FrozenDict | FrozenSet):
        return value
    if isinstance(value, list):
        return FrozenList(map(freeze, value))
    if isinstance(value, dict):
        return FrozenDict({key: freeze(member) for key, member in value.items()})
    if isinstance(value, tuple):
        return tuple(map(freeze, value)) if type(value) is tuple else value
    if isinstance(value, set):
        return FrozenSet(value)
    if isinstance(value, BaseModel) and not value.model_config.get("frozen"):
        raise TypeError(f"{type(value).__name__} can be changed, so it can't be part of a row: derive it from Row")
    return value
