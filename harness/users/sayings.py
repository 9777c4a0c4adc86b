"""How a user says things, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sayings:
    """Ready sentences. `{}` is where a value goes. `facts`: a clause for each usual slot kind, `names`: what a kind is
    called. Clauses of facts come last in a message and carry no full stop, since an address that a full stop is glued
    to is easily misread.
    """

    facts: Mapping[str, str]
    names: Mapping[str, str]
    by_name: frozenset[str]
    """Kinds that have many names (a user ID, a member number): such a fact is called by its own."""
    other_fact: str
    """A fact of no usual kind: its name, its value."""
    lacking: str
    """Of a fact that the user does not have: what it is called."""
    yes: str
    no: str
    right: str
    wrong: str
    """Before the fact that corrects what was read back."""
    pick: str
    neither: str
    about: str
    """An answer to one of several proposals: the proposal, the answer."""
    otherwise: str
    between_sentences: str
    between_facts: str


_ENGLISH = Sayings(
    facts={
        "order_id": "my order number is {}",
        "reservation_id": "my reservation number is {}",
        "user_id": "my user ID is {}",
        "account_number": "my account number is {}",
        "email": "my e-mail address is {}",
        "name": "my name is {}",
        "phone": "my phone number is {}",
        "address": "my address is {}",
        "postcode": "my postcode is {}",
        "date": "the date is {}",
        "date_of_birth": "my date of birth is {}",
        "time": "the time is {}",
        "item": "the item is {}",
        "quantity": "{} in all",
        "amount": "the amount is {}",
        "reason": "the reason is: {}",
        "payment_method": "the payment method is {}",
        "origin": "from {}",
        "destination": "to {}",
    },
    names={
        "order_id": "order number",
        "reservation_id": "reservation number",
        "user_id": "user ID",
        "email": "e-mail address",
        "phone": "phone number",
    },
    by_name=frozenset({"user_id"}),
    other_fact="my {} is {}",
    lacking="As for the {}, I don't have that.",
    yes="Yes, please.",
    no="No, thank you.",
    right="Yes, that's right.",
    wrong="No, {}",
    pick="{}, please.",
    neither="Neither, thank you.",
    about="“{}” {}",
    otherwise="I can't say.",
    between_sentences=" ",
    between_facts=", ",
)

_SPANISH = Sayings(
    facts={
        "order_id": "mi número de pedido es {}",
        "reservation_id": "mi número de reserva es {}",
        "user_id": "mi identificador de usuario es {}",
        "account_number": "mi número de cuenta es {}",
        "email": "mi correo electrónico es {}",
        "name": "me llamo {}",
        "phone": "mi teléfono es {}",
        "address": "mi dirección es {}",
        "postcode": "mi código postal es {}",
        "date": "la fecha es {}",
        "date_of_birth": "mi fecha de nacimiento es {}",
        "time": "la hora es {}",
        "item": "el artículo es {}",
        "quantity": "{} en total",
        "amount": "el importe es {}",
        "reason": "el motivo es: {}",
        "payment_method": "la forma de pago es {}",
        "origin": "desde {}",
        "destination": "a {}",
    },
    names={
        "order_id": "número de pedido",
        "reservation_id": "número de reserva",
        "user_id": "identificador de usuario",
        "account_number": "número de cuenta",
        "email": "correo electrónico",
        "name": "nombre",
        "phone": "teléfono",
        "address": "dirección",
        "postcode": "código postal",
        "date": "fecha",
        "date_of_birth": "fecha de nacimiento",
        "time": "hora",
        "item": "artículo",
        "quantity": "cantidad",
        "amount": "importe",
        "reason": "motivo",
        "payment_method": "forma de pago",
        "origin": "origen",
        "destination": "destino",
    },
    by_name=frozenset(),
    other_fact="{}: {}",
    lacking="No tengo {}.",
    yes="Sí, por favor.",
    no="No, gracias.",
    right="Sí, es correcto.",
    wrong="No, {}",
    pick="{}, por favor.",
    neither="Ninguna de las opciones, gracias.",
    about="«{}» {}",
    otherwise="No sabría decirle.",
    between_sentences=" ",
    between_facts=", ",
)

_CHINESE = Sayings(
    facts={
        "order_id": "我的订单号是{}",
        "reservation_id": "我的预订号是{}",
        "user_id": "我的用户名是{}",
        "account_number": "我的账号是{}",
        "email": "我的邮箱是{}",
        "name": "我叫{}",
        "phone": "我的电话是{}",
        "address": "我的地址是{}",
        "postcode": "我的邮编是{}",
        "date": "日期是{}",
        "date_of_birth": "我的出生日期是{}",
        "time": "时间是{}",
        "item": "商品是{}",
        "quantity": "一共{}",
        "amount": "金额是{}",
        "reason": "原因是{}",
        "payment_method": "付款方式是{}",
        "origin": "从{}出发",
        "destination": "到{}",
    },
    names={
        "order_id": "订单号",
        "reservation_id": "预订号",
        "user_id": "用户名",
        "account_number": "账号",
        "email": "邮箱",
        "name": "姓名",
        "phone": "电话",
        "address": "地址",
        "postcode": "邮编",
        "date": "日期",
        "date_of_birth": "出生日期",
        "time": "时间",
        "item": "商品",
        "quantity": "数量",
        "amount": "金额",
        "reason": "原因",
        "payment_method": "付款方式",
        "origin": "出发地",
        "destination": "目的地",
    },
    by_name=frozenset(),
    other_fact="{}：{}",
    lacking="{}我没有。",
    yes="好的，可以。",
    no="不用了，谢谢。",
    right="对，没错。",
    wrong="不对，{}",
    pick="请选{}。",
    neither="都不要，谢谢。",
    about="“{}”{}",
    otherwise="我说不上来。",
    between_sentences="",
    between_facts="，",
)

SAYINGS: Mapping[str, Sayings] = {"en": _ENGLISH, "es": _SPANISH, "zh": _CHINESE}


def sayings_in(language: str) -> Sayings:
    """The sayings of a language tag (`es`, `zh-CN`); English where there are none."""
    return SAYINGS.get(language.replace("_", "-").partition("-")[0].lower(), _ENGLISH)
