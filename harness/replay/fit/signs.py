"""Whether what the user said then fits what the agent says now: cheap signs first, each with the words that show it.

The recorded message was an answer to what another agent said. Where it is none to what this one says, to feed it in
would book nonsense as the agent's failure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from harness.episodes.outcome import asks_for_nothing
from harness.model.episode import Ask, AskKind, Message
from harness.model.replay import Fit, FitReason
from harness.replay.canonical import canonical
from harness.replay.divergence.acts import acts
from harness.replay.fit.references import missing_reference
from harness.replay.fit.short_answers import is_short_answer
from harness.replay.recorded import RecordedTalk, RecordedTurn
from harness.replay.setting import Setting
from harness.users.acts import best
from harness.users.stance import proposed
from harness.users.view import View
from tools_sandbox.call import Call, Change, net_changes
from tools_sandbox.text import mentions

_OPEN_TO_YES = (AskKind.PROPOSAL, AskKind.READBACK, AskKind.CHOICE, AskKind.OTHER)
_FIGURE = re.compile(r"\d[\d.,]*\d|\d")


@dataclass(frozen=True)
class _Moment:
    """The moment before a recorded message: `before` and `now` are the replies that it followed then, and would follow
    now; `said` is all that the agent has said so far.
    """

    turn: RecordedTurn
    view: View
    talk: RecordedTalk
    setting: Setting
    before: Sequence[Message]
    said: Sequence[str]

    @property
    def text(self) -> str:
        return self.turn.said.text

    @property
    def now(self) -> Sequence[Message]:
        return self.view.replies

    @cached_property
    def asked_then(self) -> list[Ask]:
        return [ask for message in self.before for ask in message.asks]

    @cached_property
    def asked_now(self) -> list[Ask]:
        return [ask for message in self.now for ask in message.asks]

    @cached_property
    def short(self) -> bool:
        return is_short_answer(self.text)

    def gives(self, slot: str) -> bool:
        """Whether the message gives the value of a slot; one that nobody knows the value of, if it was asked for it."""
        value = self.talk.knows.get(slot)
        if value is None:
            return not self.short and any(ask.slot == slot for ask in self.asked_then)
        return mentions(value, self.text) is not None


_Sign = Callable[[_Moment], Fit | None]
Fitting = Callable[[RecordedTurn, View, Sequence[str]], Fit]
"""Whether a recorded turn fits a conversation as it stands, in which the agent has said this."""


def fitting(talk: RecordedTalk, setting: Setting) -> Fitting:
    """Decides for the turns of one recording whether they fit a conversation as it stands."""

    def fits(turn: RecordedTurn, view: View, said: Sequence[str]) -> Fit:
        earlier = talk.turns[: turn.number - 1]
        moment = _Moment(turn, view, talk, setting, earlier[-1].replies if earlier else talk.greeting, said)
        return next((fit for sign in _SIGNS if (fit := sign(moment)) is not None), Fit(turn.number, fits=True))

    return fits


def _unfit(moment: _Moment, reason: FitReason, why: str, quote: str) -> Fit:
    return Fit(moment.turn.number, fits=False, reason=reason, why=why, quote=quote)


def _closed(moment: _Moment) -> Fit | None:
    """The agent has handed over, or ended the matter by a tool, as it had not then."""
    then = moment.talk.calls(moment.turn.number - 1)
    ended = next((call for call in moment.view.calls if call.ok and call.ends), None)
    if ended is None or any(call.ok and call.ends for call in then):
        return None
    why = f"the agent has already {ended.ends} the matter, by `{ended.tool}` in turn {ended.turn}"
    return _unfit(moment, "closed", why, _last_words(moment))


def _done(moment: _Moment) -> Fit | None:
    """What the user asks for is done: a write that came of this message then has been made, or all that was changed
    then is so already.
    """
    wrote = [call for call in moment.turn.calls if call.alters(moment.setting.free)]
    made = next((call for call in wrote if _was_made(call, moment)), None)
    if made is None and wrote and _stands(net_changes(moment.turn.calls), moment):
        made = wrote[-1]
    if made is None:
        return None
    return _unfit(moment, "already_done", f"`{made.tool}`, which came of it then, is done already", moment.text)


def _same_words(moment: _Moment) -> Fit | None:
    """The agent says what was said then, white space apart."""
    then, now = ([message.text.split() for message in said] for said in (moment.before, moment.now))
    return Fit(moment.turn.number, fits=True) if then == now else None


def _refused(moment: _Moment) -> Fit | None:
    """The agent turns down now what it did not then, and the user goes on as if it had not."""
    turned_down = next((message for message in moment.now if message.refusal), None)
    if turned_down is None or any(message.refusal for message in moment.before) or asks_for_nothing(moment.text):
        return None
    return _unfit(moment, "closed", "the agent turns the request down, which it did not then", turned_down.text)


def _yes_to_nothing(moment: _Moment) -> Fit | None:
    """A bare yes or no, and no question to be answered by it, or one about something else."""
    if not moment.short:
        return None
    open_ = [ask for ask in moment.asked_now if ask.kind in _OPEN_TO_YES]
    if not open_:
        if moment.asked_now or not asks_for_nothing(moment.text):
            return _unfit(
                moment, "yes_to_nothing", "it answers a question that the agent has not put", _last_words(moment)
            )
        return None
    then = [ask for ask in moment.asked_then if ask.kind in _OPEN_TO_YES]
    meant, put = (_proposed(asks, moment) for asks in (then, open_))
    if meant and put and meant.isdisjoint(put):
        why = f"it answers a question about {_listed(meant)}, and the agent's is about {_listed(put)}"
        return _unfit(moment, "yes_to_nothing", why, open_[0].quote)
    for figure in _FIGURE.findall(" ".join(ask.quote for ask in then)):
        if not any(mentions(figure, message.text) for message in moment.now):
            why = f"it answers a question about {figure}, of which the agent says nothing"
            return _unfit(moment, "absent_from_talk", why, open_[0].quote)
    return None


def _not_asked(moment: _Moment) -> Fit | None:
    """It answers what the agent did not ask for now, and nothing that it did."""
    slots = [ask.slot for ask in moment.asked_then if ask.slot is not None and moment.gives(ask.slot)]
    if not slots or any(ask.slot is not None and moment.gives(ask.slot) for ask in moment.asked_now):
        return None
    why = f"it answers an ask for {_listed(dict.fromkeys(slots))}, which the agent has not put"
    return _unfit(moment, "slot_not_asked", why, moment.text)


def _absent(moment: _Moment) -> Fit | None:
    """It refers to an option, a number or a promise that the new talk has not."""
    earlier = moment.talk.turns[: moment.turn.number - 1]
    then = [message.text for message in (*moment.talk.greeting, *(each for turn in earlier for each in turn.replies))]
    own = [turn.said.text for turn in earlier]
    found = missing_reference(moment.text, own, then, moment.asked_then, moment.said, moment.asked_now)
    return None if found is None else _unfit(moment, "absent_from_talk", found.why, found.quote)


def _left_open(moment: _Moment) -> Fit | None:
    """The agent asks something, and this is no answer to any of it."""
    if not moment.asked_now or any(_answers(ask, moment) for ask in moment.asked_now):
        return None
    return _unfit(moment, "left_open", "it is no answer to what the agent asks", moment.asked_now[0].quote)


_SIGNS: tuple[_Sign, ...] = (
    _closed,
    _done,
    _same_words,
    _refused,
    _yes_to_nothing,
    _not_asked,
    _absent,
    _left_open,
)


def _answers(ask: Ask, moment: _Moment) -> bool:
    """Whether the message answers an ask: with a value that it gives, or as it answered one of its kind then."""
    if ask.slot is not None and ask.kind is not AskKind.READBACK:
        return moment.gives(ask.slot)
    return any(other.kind in _OPEN_TO_YES for other in moment.asked_then)


def _was_made(call: Call, moment: _Moment) -> bool:
    """Whether a recorded call has been made, more often than by then on record."""
    canon, schema = moment.setting.policy.canon, moment.setting.schema
    wanted = next(acts([call], schema, canon)).key

    def made(calls: Sequence[Call]) -> int:
        return sum(act.key == wanted and act.call.ok for act in acts(calls, schema, canon))

    return made(moment.view.calls) > made(moment.talk.calls(moment.turn.number - 1))


def _stands(changes: Sequence[Change], moment: _Moment) -> bool:
    """Whether all of this is so in the state already."""
    fields = [
        (f"{change.table}.{change.key}.{name}", change.after[name])
        for change in changes
        if change.after is not None
        for name in change.beyond(moment.setting.free)
        if name in change.after
    ]
    return bool(fields) and all(canonical(moment.view.value(path)) == canonical(value) for path, value in fields)


def _proposed(asks: Sequence[Ask], moment: _Moment) -> set[str]:
    """The tools that questions name most clearly."""
    return {tool for ask in asks for tool in best(moment.setting.acts.spoken_of(proposed(ask.quote)))}


def _last_words(moment: _Moment) -> str:
    return moment.now[-1].text if moment.now else ""


def _listed(names: Collection[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
