"""Acts: which words claim them, and which words in a tool call show them.

The built-in acts are those of a help desk. A workflow adds its own: the verbs that its writing tools are named after,
and the statuses that its state knows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from harness.model.material import Tables
from tools_sandbox.call import Json
from tools_sandbox.schema import FieldType, SandboxSchema, ToolSpec

ANYTHING, STATUS, OPEN = "anything", "status", "open"
"""Acts without signs of their own: something was done, something stands so, a verb that is not listed."""

_ACTS = {
    "refund": ("refunded reimbursed credited repaid", "refund|reimburs|repa(?:y|id)|credit(?!.?card)"),
    "cancel": (
        "cancelled canceled voided terminated stopped withdrawn ended",
        "cancel|void|terminat|stop|withdr|end\\b",
    ),
    "escalate": (
        "escalated transferred forwarded connected routed",
        "escalat|transfer|forward|hand.?(?:off|over)|human",
    ),
    "change": (
        "updated modified changed adjusted corrected amended edited replaced swapped exchanged upgraded downgraded "
        "added applied switched moved rescheduled extended removed deleted erased set",
        "updat|modif|chang|adjust|correct|amend|edit|replac|swap|exchang|upgrad|downgrad|add(?:s|ed)?\\b|"
        "appl(?:y|ied)|switch|mov|reschedul|extend|remov|delet|eras|set\\b",
    ),
    "return": ("returned", "return"),
    "book": (
        "booked reserved scheduled ordered purchased",
        "book|reserv|schedul|purchas|buy|check.?out|ordered\\b|(?:place|create|submit|new) order",
    ),
    "send": ("sent emailed mailed texted shipped dispatched", "sen[dt]|e?mail|text|ship|dispatch"),
    "notify": ("notified informed", "notif|inform|sen[dt]|e?mail|text|escalat|transfer|human|hand.?(?:off|over)"),
    "create": (
        "created opened filed logged recorded registered raised",
        "creat|open|file|log|regist|record|rais|add\\b|note|ticket|case|report",
    ),
    "charge": ("charged billed debited", "charg|bill|debit|pay|price"),
    "block": ("blocked locked frozen suspended deactivated disabled", "block|lock|fr[eo]+z|suspend|deactivat|disabl"),
    "unblock": (
        "unblocked unlocked reactivated activated enabled restored resumed reinstated",
        "unblock|unlock|unfr|(?:re)?activ|enabl|resum|restor|reinstat",
    ),
    "close": ("closed", "clos|delet|terminat|cancel|resolv"),
    "verify": ("verified authenticated", "verif|authentic|identif"),
    ANYTHING: (
        "processed completed made initiated handled finalized finalised arranged executed submitted issued placed "
        "resolved solved fixed settled",
        "",
    ),
}  # fmt: skip
"""Acts: the participles that claim them, and the beginnings of words that show them in a call. A participle that says
no more than that something was done claims the act of the noun it stands with.
"""
BUILT_IN = frozenset(_ACTS)
STATES = frozenset({"complete", "done", "through", "confirmed", "approved", "given", "gave", "granted"})
"""Words that claim the act of the noun they stand with, and nothing without one."""
NOUNS = {
    "refund": "refund",
    "reimbursement": "refund",
    "cancellation": "cancel",
    "escalation": "escalate",
    "exchange": "change",
    "replacement": "change",
    "update": "change",
    "upgrade": "change",
    "downgrade": "change",
    "return": "return",
    "booking": "book",
    "payment": "charge",
}
_NOT_OF_PEOPLE = frozenset(
    {"refund", "charge", "change", "verify", "return", "send", "notify", "block", "unblock", "close"}
)
"""Acts that "you are …" tells no deed of: "you are charged 5 euros" is how things are."""
_SIGNS = {act: re.compile(rf"\b(?:{shown})") for act, (_, shown) in _ACTS.items() if shown}
_VERB = re.compile(r"[a-z]{3,}")
_WORDS = re.compile(r"[a-z]+")
_GAPS = re.compile(r"[\s_-]+")
_JOINTS = re.compile(r"[_.-]+|(?<=[a-z])(?=[A-Z])")
STATUS_FIELD = re.compile(r"status|state$|outcome|event|action|stage")
_ROWS = 1000
"""Rows of a table without declared choices that are looked through for statuses."""


@dataclass(frozen=True, slots=True, eq=False)
class Acts:
    """What may be claimed in a workflow: `participles` with the act that each claims, the `signs` of acts in a call,
    the acts that "you are …" claims (`of_people`: a tool marked writes is named for them), and the `statuses`, of one
    word each, that things may have.
    """

    participles: dict[str, str]
    signs: dict[str, re.Pattern[str]]
    of_people: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()

    @classmethod
    def of(cls, tools: Collection[ToolSpec], statuses: Iterable[str] = ()) -> Acts:
        """The built-in acts, and those that tools marked writes are named after (`waive_fee`: "waived")."""
        participles = {word: act for act, (words, _) in _ACTS.items() for word in words.split()}
        participles |= dict.fromkeys(STATES, ANYTHING)
        signs = dict(_SIGNS)
        for tool in tools:
            verb = _VERB.match(words_of_name(tool.name))
            if tool.kind == "writes" and verb is not None:
                stem = stem_of(verb[0])
                for past in (f"{stem}ed", f"{stem}ied", f"{stem}{stem[-1:]}ed"):
                    act = participles.setdefault(past, stem)
                    if act not in signs:
                        signs[act] = re.compile(rf"\b{stem}")
        names = [words_of_name(tool.name) for tool in tools if tool.kind == "writes"]
        written = {act for act, sign in signs.items() if any(map(sign.match, names))}
        written |= {NOUNS[word] for name in names for word in name.split() if word in NOUNS}
        return cls(participles, signs, frozenset(written - _NOT_OF_PEOPLE), frozenset(statuses))

    def act_of(self, participle: str) -> str | None:
        """The act that a participle claims; what is rebooked is booked."""
        return self.participles.get(participle) or self.participles.get(participle.removeprefix("re"))

    def act_of_verb(self, verb: str) -> str | None:
        """The act that a verb in its base form claims: `refund` as in "I was able to refund"."""
        forms = (f"{verb}ed", f"{verb}d", f"{verb}{verb[-1:]}ed", f"{verb[:-1]}ied")
        return next((self.participles[form] for form in forms if form in self.participles), None)


def words_of_name(name: str) -> str:
    """A tool's name as words: `issue refund` of issue_refund, IssueRefund and issue-refund."""
    return _JOINTS.sub(" ", name).lower()


def stem_of(verb: str) -> str:
    """What the forms of an English verb have in common: `wav` of waive … `appl` of apply."""
    return verb.removesuffix("e").removesuffix("y")


@lru_cache(maxsize=4096)
def spoken(status: str) -> str:
    """A status as one says it: lower case, blanks for joints, and the British spelling of cancelled."""
    return _GAPS.sub(" ", status.lower()).strip().replace("canceled", "cancelled")


def statuses_of(schema: SandboxSchema, start: Tables) -> frozenset[str]:
    """The one-word statuses that rows may have: the declared choices of a field that is named for it (`status`) or
    that are participles, and where none are declared the values of such fields at the start.
    """
    found: set[str] = set()
    for name in {*schema.tables, *start}:
        table = schema.tables.get(name)
        fields = table.fields if table else {}
        for key, field in fields.items():
            found.update(word for word in _choices(field.type) if STATUS_FIELD.search(key) or word.endswith("ed"))
        for row in islice(start.get(name, {}).values(), _ROWS):
            for key, value in row.items():
                if STATUS_FIELD.search(key) and isinstance(value, str):
                    found.add(value)
    return frozenset(word for word in map(spoken, found) if _WORDS.fullmatch(word))


def _choices(kind: FieldType) -> Iterator[str]:
    yield from kind.choices
    for inner in (*((kind.of,) if kind.of else ()), *kind.fields.values()):
        yield from _choices(inner)


def statuses_in(value: Json, key: str = "") -> Iterator[str]:
    """The texts of a JSON value that say how things stand, as they are spoken: those under a key such as `status`."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from statuses_in(member, name)
    elif isinstance(value, list):
        for member in value:
            yield from statuses_in(member, key)
    elif isinstance(value, str) and STATUS_FIELD.search(key):
        yield spoken(value)
