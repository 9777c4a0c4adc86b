"""Credentials are masked before anything is stored; personal data is not, for it is the user's own test data.

A secret becomes `[masked:3f2a]`: four hex digits of its SHA-256, so that equal secrets stay equal and a stored episode
still matches a stored scenario, while the digits tell next to nothing of the secret. Masking twice changes nothing.
"""

from __future__ import annotations

import hashlib
import re
from itertools import pairwise
from typing import Any

from pydantic_core import SchemaValidator, core_schema

_STAND_IN = re.compile(r"\[masked:[0-9a-f]{4}\]")

_SHAPES = re.compile(
    r"""
      -----BEGIN\ (?P<kind>[A-Z ]*PRIVATE\ KEY)-----.*?(?:-----END\ (?P=kind)-----|\Z)
    | (?<![A-Za-z0-9]) (?:
        sk-[A-Za-z0-9_-]{8,}                                        # OpenAI, Anthropic and their like
      | [srp]k_(?:live|test)_[A-Za-z0-9]{8,}                        # Stripe
      | (?:AKIA|ASIA)[0-9A-Z]{16}                                   # AWS access key id
      | (?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,}                 # GitHub
      | glpat-[A-Za-z0-9_-]{20,}                                    # GitLab
      | xox[abeprs]-[A-Za-z0-9-]{10,}                               # Slack
      | AIza[0-9A-Za-z_-]{35}                                       # Google
      | hf_[A-Za-z0-9]{30,}                                         # Hugging Face
      | lsv2_(?:pt|sk)_[A-Za-z0-9_]{16,}                            # LangSmith
      | gsk_[A-Za-z0-9]{20,}                                        # Groq
      | npm_[A-Za-z0-9]{30,}                                        # npm
      | pplx-[A-Za-z0-9]{30,}                                       # Perplexity
      | xai-[A-Za-z0-9]{30,}                                        # xAI
      | r8_[A-Za-z0-9]{30,}                                         # Replicate
      | dapi[0-9a-f]{32}                                            # Databricks
      | pypi-[A-Za-z0-9_-]{16,}                                     # PyPI
      | SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}                  # SendGrid
      | whsec_[A-Za-z0-9+/]{16,}=*                                  # Stripe's webhooks
      | shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}                          # Shopify
      | do[opr]_v1_[0-9a-f]{32,}                                    # DigitalOcean
      | sntry[su]_[A-Za-z0-9+/_=-]{16,}                             # Sentry
      | ya29\.[A-Za-z0-9_-]{16,}                                    # Google's OAuth
      | eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*  # JSON web token
    )
    """,
    re.VERBOSE | re.DOTALL,
)

_NAME = (
    r"(?:pass(?:word|wd|phrase)|(?<![a-z])pwd|(?<![a-z])secret(?:[_-]?(?:access[_-]?)?key)?|client[_-]?secret"
    r"|(?:api|access|private|secret)[_ -]?key|(?:access|auth|refresh|session|bearer|id|api)[_-]?token)"
)
_KEY = re.compile(
    rf"(?:.*[_.-])?(?:{_NAME}|authorization|(?:set-)?cookie)|.*{_NAME}", re.IGNORECASE | re.ASCII | re.DOTALL
)
"""Names of fields whose values are secrets, whatever they look like."""

_FLAG = rf"--?(?:(?:[a-z0-9]{{1,20}}[_-]){{0,4}}{_NAME}|token)"
_ARGUMENT_OF = re.compile(_FLAG, re.IGNORECASE | re.ASCII)
"""Options of a command line that are followed by a secret."""

_OPEN = r"(?!\[masked:)"
_NAMED = re.compile(
    rf"""
    {_NAME} \\{{0,16}}["']? \s{{0,3}} (?:
        (?:=>|=|:)\s{{0,3}} (?P<quote>\\{{0,16}}["']) {_OPEN} (?P<quoted>.{{1,2048}}?) (?P=quote)
      | =\s{{0,3}} {_OPEN} (?P<given>[^\s"'\\&;,<>()\[\]{{}}]+)
      | (?:[:=]\s{{0,3}}|(?<=\s)is\s{{1,3}}) {_OPEN}
        (?P<told>(?=\S{{0,64}}[\d!@#$%^*+~])[^\s"'\\&;,<>()\[\]{{}}]{{6,}})
    )
    | (?<![\w-]){_FLAG} (?:\s{{1,3}}|\\{{0,16}}["']\s{{0,3}},\s{{0,3}}) (?!-) (?:
        (?P<mark>\\{{0,16}}["']) {_OPEN} (?P<argument>(?!-).{{1,2048}}?) (?P=mark)
      | {_OPEN} (?P<word>(?=\S{{0,64}}[\d!@#$%^*+~])[^\s"'\\&;,<>()\[\]{{}}]{{6,}})
    )
    | (?:(?<![A-Za-z0-9_-])|(?<=--)|(?<=\\[nrt])) token \s{{0,3}}=\s{{0,3}} (?:\\{{0,16}}["'])?
      (?P<token>(?=[\w.~+/-]{{0,64}}\d)(?=[\w.~+/-]{{0,64}}[A-Za-z])[\w.~+/-]{{8,}}=*)  # no count, no word
    | bearer\s{{1,3}} (?P<bearer>(?=\S{{0,64}}\d)[\w.~+/-]{{8,}}=*|[\w.~+/-]{{16,}}=*)
    | authorization \\{{0,16}}["']? \s{{0,3}} [:=] \s{{0,3}} \\{{0,16}}["']?
      basic\s{{1,3}} (?P<basic>[A-Za-z0-9+/]{{4,}}=*)
    | [A-Za-z][A-Za-z0-9+.-]{{1,20}}:// [^\s/:@"]{{0,256}}: {_OPEN} (?P<url>[^\s/@"]{{1,256}}) @
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""Every repetition that something must follow is bounded, so that hostile text costs no more than its length."""

_SECRETS = ("quoted", "given", "told", "argument", "word", "token", "bearer", "basic", "url")
"""The groups of it that are secrets: one of them is there."""

_SIGNS = tuple(
    SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    for pattern in (
        r"sk-|_live_|_test_|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AIza|hf_|eyJ"
        r"|lsv2_|gsk_|npm_|pplx-|xai-|r8_|dapi|pypi-|SG\.|whsec_|_v1_|sntry|ya29|PRIVATE KEY"
        r"|shp(?:at|ca|pa|ss)_"
        r"|://[^ /@\"]*:[^ /@\"]*@",
        r"(?i-u)passw|passphrase|pwd|secret",
        r"(?i-u)(?:private|api|access)[_ -]?key",
        r"(?i-u)token[\"'\\=: ]|cookie",
        r"(?i-u)bearer|authorization",
    )
)
"""Every secret that is looked for comes with one of these in its JSON text. The patterns are in the hands of pydantic's
engine, twenty times as fast as `re`: it leaps to the next of some few words, and all of them in one would be too many.
"""


def may_hold_secret(json_text: str | bytes) -> bool:
    """Whether a closer look at a JSON document, in valid UTF-8, is worth its time. Never False where there is something
    to mask.
    """
    return any(sign.isinstance_python(json_text) for sign in _SIGNS)


def mask_text(text: str) -> str:
    """The text with every secret in it masked."""
    if text.isascii() and text.isprintable() and not may_hold_secret(text):  # such text is as it is in JSON
        return text
    text = _SHAPES.sub(lambda found: _stand_in(found[0]), text)
    return _NAMED.sub(_mask_named, text)


def mask(value: Any) -> Any:
    """A JSON value with every secret in it masked, in keys too; fields named for a secret are masked whole."""
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, dict):
        return {
            mask_text(key): _mask_all(member) if _KEY.fullmatch(key) else mask(member) for key, member in value.items()
        }
    if isinstance(value, list):
        return [
            _mask_all(member) if _follows_flag(before, member) else mask(member)
            for before, member in pairwise((None, *value))
        ]
    return value


def _follows_flag(before: Any, member: Any) -> bool:
    """Whether a member of a list, and the one before it, are a secret and the option of a command line before it."""
    return (
        isinstance(before, str)
        and isinstance(member, str)
        and not member.startswith("-")
        and _ARGUMENT_OF.fullmatch(before) is not None
    )


def _mask_all(value: Any) -> Any:
    if isinstance(value, dict):
        return {mask_text(key): _mask_all(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_mask_all(member) for member in value]
    if value is None or isinstance(value, bool) or value == "":
        return value
    text = str(value)
    return text if _STAND_IN.fullmatch(text) else _stand_in(text)


def _stand_in(secret: str) -> str:
    return f"[masked:{hashlib.sha256(secret.encode('utf-8', 'surrogatepass')).hexdigest()[:4]}]"


def _mask_named(found: re.Match[str]) -> str:
    name = next(name for name in _SECRETS if found[name] is not None)
    start, end = found.start(name) - found.start(), found.end(name) - found.start()
    return f"{found[0][:start]}{_stand_in(found[name])}{found[0][end:]}"
