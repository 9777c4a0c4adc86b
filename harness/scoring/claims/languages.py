"""Claims that something was done, in the commonest Spanish and Chinese forms.

"He reembolsado", "se ha cancelado", "su pedido está cancelado", "cancelé"; "已经退款", "已为您取消", "退款已完成".
Conditions, negations, questions, futures and deeds of the person spoken to are no claims.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from harness.scoring.claims.acts import ANYTHING, STATUS
from harness.scoring.claims.sentences import sentence_at

Claim = tuple[str, int, int, str, bool]
"""Act, start and end of the claim, the word or status that claims it, whether the speaker tells it as an own deed."""

_ACTS = {
    "refund": "reembolsad devuelt abonad reintegrad 退款 退还 退回 到账",
    "cancel": "cancelad anulad 取消",
    "escalate": "escalad transferid derivad pasad traspasad remitid 转接 转给 转交 移交 升级",
    "change": "actualizad modificad cambiad corregid eliminad borrad añadid agregad 更新 修改 更改 变更 删除 移除 更换",
    "book": "reservad agendad 预订 预定 预约",
    "send": "enviad mandad 发送 寄出 发出",
    "create": "cread abiert registrad generad 创建 提交 登记",
    "charge": "cobrad cargad 扣款",
    "block": "bloquead congelad suspendid 冻结 锁定",
    "close": "cerrad 关闭",
    ANYTHING: "procesad completad realizad hech efectuad emitid gestionad tramitad 处理 办理 完成",
}
_NOUNS = {
    "refund": "reembolso devolución 退款",
    "cancel": "cancelación anulación 取消",
    "change": "cambio modificación actualización 修改 更改",
    "book": "reserva 预订 预定",
    "charge": "pago",
}
_STATUSES = {"delivered": "entregad 送达 签收", "shipped": "enviad 发货 寄出", "paid": "pagad 支付"}


def _by_word(words: dict[str, str]) -> dict[str, str]:
    return {word: act for act, listed in words.items() for word in listed.split()}


_ACT_OF, _NOUN_OF, _STATUS_OF = _by_word(_ACTS), _by_word(_NOUNS), _by_word(_STATUSES)
_SPANISH = "|".join(word for word in {**_ACT_OF, **_STATUS_OF} if word.isascii() or "ñ" in word)
_CHINESE = "|".join(word for word in {**_ACT_OF, **_STATUS_OF} if word >= "一")
_PAST_STEM = "|".join(word[:-2] for word in _ACT_OF if word.endswith("ad"))
_SPANISH_DONE = re.compile(
    rf"""\b(?:
        (?P<own>(?:he|hemos)\s(?:ya\s)?)
      | (?:se\s(?:(?:le|te)\s)?h[ae]n?|h[ae]n?\s(?:ya\s)?sido|fue|fueron|h[ae]n?\squedado|quedan?|quedó|están?)\s
        (?:(?:ya|ahora|correctamente)\s)?
    )(?P<word>{_SPANISH})[oa]s?\b
    | \b(?P<past>{_PAST_STEM})é(?!\w) | \bse\s(?:(?:le|te)\s)?(?P<passed>{_PAST_STEM})(?:ó|aron)(?!\w)
    | \b(?:he|hemos)\sprocedido\sa\s(?P<base>{_PAST_STEM})ar""",
    re.VERBOSE,
)
_SPANISH_SIGNS = (
    " he ",
    "hemos ",
    " ha ",
    " han ",
    " se ",
    "\nse ",
    "\nhe ",
    " fue",
    " está",
    " esta ",
    " qued",
    "é",
    "ó ",
)
"""One of them stands in every such claim: other texts are passed over quickly."""
_SPANISH_OPEN = re.compile(
    r"\b(?:si|cuando|una vez|hasta|antes|después|tras|para que|no|nunca|tampoco|ni|ningún|ningun[oa]|nada|nadie|"
    r"puede|podría|será|serán|usted|aunque|en cuanto|mientras|(?:me|nos) (?:dice|dijo|comenta))\b|¿[^?]*$|\bque\s$"
)
_SPANISH_END = re.compile(r"[;:!?\n]|\.(?=\s|$)|,\s(?:pero|así|si)\b|\s(?:pero|porque)\b")
_SPANISH_MONEY = re.compile(r"\b(?:dinero|importe|monto|euros|dólares)\b|[$€]\s?\d|\d[.,]\d\d\b")
_SPANISH_HOURS = re.compile(r"están? (?:ya |ahora )?(?:cerrad|abiert)")
_SPANISH_YOURS = re.compile(r"\b(?:su|tu|sus|tus)\b")
_GIVES_BACK = ("transferid", "enviad", "pasad")
_CHINESE_DONE = re.compile(
    r"(?:已经?|刚刚?|成功)(?:[将把][^，。！？；\n将把已]{1,16}?)?(?:成功|全额|申请|办理|安排|(?:帮|为|给|替|向)[您你]){0,2}"
    rf"(?P<word>{_CHINESE})(?![^，。！？；\n您你]{{0,3}}的)"
    rf"|(?:帮|为|给|替)[您你][^，。！？；\n]{{0,8}}?(?P<told>{_CHINESE})了|(?P<well>{_CHINESE})(?:已经?)?(?:成功|完毕)"
)
_CHINESE_OPEN = re.compile(
    r"如果|若|要是|一旦|是否|没|未|尚|不|无法|请问|可以|能否|会|等|将于|[您你]$|[您你](?:说|提到)"
)
_CHINESE_AFTER = re.compile(r"[^，。！？；\n]{0,12}(?:吗|？|\?|之?后|时[，,]|的话)")


def claimed(lowered: str, statuses: Collection[str]) -> Iterator[Claim]:
    """The finished deeds that a text claims; `lowered` is in lower case, `statuses` are those that things may have."""
    spanish = any(map(f" {lowered}".__contains__, _SPANISH_SIGNS))
    for match in _SPANISH_DONE.finditer(lowered) if spanish else ():
        first, last = sentence_at(lowered, match.start(), match.end())
        if _SPANISH_OPEN.search(lowered[first : match.start()]) or lowered[last - 1 : last] == "?":
            continue
        if _SPANISH_HOURS.match(lowered, match.start()) and not _SPANISH_YOURS.search(lowered, first, match.start()):
            continue  # a shop is closed on Sundays; "su caso está cerrado" is a deed
        end = _SPANISH_END.search(lowered, match.end(), last)
        stop = end.start() if end else last
        word = match["word"] or f"{match['past'] or match['passed'] or match['base']}ad"
        act = "refund" if word in _GIVES_BACK and _SPANISH_MONEY.search(lowered, first, stop) else _ACT_OF.get(word)
        own = bool(match["own"] or match["past"] or match["base"])
        yield from _claim(act, word, own, lowered, (first, stop), statuses)
    for match in () if lowered.isascii() else _CHINESE_DONE.finditer(lowered):
        first, last = sentence_at(lowered, match.start(), match.end())
        clause = max(first, *(lowered.rfind(mark, first, match.start()) + 1 for mark in "，,；;"))
        if _CHINESE_OPEN.search(lowered[clause : match.start()]) or _CHINESE_AFTER.match(lowered, match.end()):
            continue
        word = match["word"] or match["told"] or match["well"]
        yield from _claim(_ACT_OF.get(word), word, False, lowered, (first, last), statuses)


def _claim(
    act: str | None, word: str, own: bool, lowered: str, place: tuple[int, int], statuses: Collection[str]
) -> Iterator[Claim]:
    """The claim of a word: its act (that of the noun beside it, if it says no more than "done"), or its status."""
    first, last = place
    status = _STATUS_OF.get(word, "")
    if status in statuses and not own:
        yield STATUS, first, last, status, own
    elif act == ANYTHING:
        yield next((of for noun, of in _NOUN_OF.items() if noun in lowered[first:last]), act), first, last, word, own
    elif act is not None:
        yield act, first, last, word, own
