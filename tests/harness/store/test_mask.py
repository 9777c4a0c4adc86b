import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.store.mask import mask, mask_text, may_hold_secret

SECRETS = [
    "sk-proj-4f9aB2cD8eF1",
    "sk-ant-REDACTED",
    "sk_live_4eC39HqLyjWDarjtT1",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "github_pat_11ABCDEFG0abcdefghij_klmnop",
    "xoxb-2345678901-abcdefgh",
    "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "lsv2_pt_abcdefabcdefabcdefabcdefabcdefab_0123456789",
    "gsk_Zm9yYmFyYmF6cXV4MTIzNDU2Nzg5MFdHZHliM0ZZ",
    "npm_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6",
    "pplx-1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d",
    "xai-aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6",
    "r8_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6",
    "dapi0123456789abcdef0123456789abcdef",
    "pypi-AgEIcHlwaS5vcmcCJDEyMzQ1Njc4",
    "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",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "shpat_0123456789abcdef0123456789abcdef",
    "dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "sntrys_eyJpYXQiOjE2ODczMzY1NDMuNjk4NTksInVybCI6bnVsbH0",
    "ya29.a0AfH6SMBabcdefghij1234567890",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQ==\n-----END RSA PRIVATE KEY-----",
]
NAMED = [
    ("Authorization: Bearer {}", "abc.DEF-123"),
    ("Authorization: Basic {}", "dXNlcjpwYXNz"),
    ("password={}&next=1", "hunter2"),
    ("PASSWORD = {}", "x"),
    ("the password: {}", "hunter2"),
    ("my password is {}", "hunter2!"),
    ('{{"api_key": "{}"}}', "any thing"),
    ("{{'api-key': '{}'}}", "abc"),
    ('{{\\"client_secret\\": \\"{}\\"}}', "nested"),
    ("OPENAI_API_KEY={}", "abc"),
    ("aws_secret_access_key = {}", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    ("my API key is {}", "abcd1234efgh"),
    ("the secret key: {}", "abcd1234efgh"),
    ("access_token={}", "abc"),
    ("postgresql://ana:{}@host/db", "p4ss,word"),
    ("agent --api-key {} --verbose", "rescmdkey888"),
    ("agent --openai-api-key '{}' -v", "any thing"),
    ("agent --token {} -v", "restoken999"),
    ("agent --token={} -v", "restoken999"),
    ("['agent', '--api-key', '{}']", "x"),
    ('[\\"--token\\", \\"{}\\"]', "nested"),
    ("https://x/y?page=2&token={}&next=1", "tk_998877"),
    ("TypeError: connect(token='{}', retries=3)", "stacktok666"),
    ("self.token = {}", "abc12345"),
]
HARMLESS = [
    "risk-free desk-top task-force sk-SK",
    "I forgot my password: what now?",
    "the password is 8 characters long",
    "Bearer of bad news",
    "my secretary: Bob Smith1",
    "https://example.com:8080/path?mail=ana@example.com",
    "ana@example.com, +34 600 123 456, Calle Mayor 1, card 4111 1111 1111 1111",
    "input_tokens: 512, output tokens = 12",
    "token: O-1001",
    "next_token=eyabc12345 nextToken=abc12345 page_token='abc12345' --page-token abc12345 &pageToken=abc12345",
    "max_tokens=256 --max-tokens 4096 token=12345678 token count = 1024000, token='identifier'",
    "gen_ai.usage.input_tokens=123456 gen_ai.token.type=input1234",
    "--api-key must be given; --token is required, --password --verbose",
    "npm_config_registry npm_package_dependencies_left_pad pplx-70b-online gsk_short lsv2_",
    "v1_api dapi r8_ the SG. whsec_short ya29 pypi-server xai-grok, the API key is on its way",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_known_by_its_shape(secret):
    masked = mask_text(f"use {secret}, please")
    assert secret not in masked
    assert masked.startswith("use [masked:")
    assert masked.endswith("], please")


@pytest.mark.parametrize(("text", "secret"), NAMED)
def test_a_secret_is_known_by_its_name(text, secret):
    masked = mask_text(text.format(secret))
    before, after = text.format("\0").split("\0")
    assert masked.startswith(before + "[masked:")
    assert masked.endswith("]" + after)


@pytest.mark.parametrize("text", HARMLESS)
def test_personal_data_and_plain_words_stay(text):
    assert mask_text(text) == text
    assert mask({"text": text}) == {"text": text}


def test_fields_named_for_a_secret_are_masked_whole():
    value = {
        "password": "correct horse",
        "db": {"user_password": ["a", 1, None], "reset_password": True},
        "X-Api-Key": "k",
        "authorization": "abc",
        "Set-Cookie": "a=b",
        "sk-abcdefgh1": 1,
        "input_tokens": 5,
        "password_sent": "yes",
    }
    masked = mask(value)
    assert masked["password"].startswith("[masked:")
    assert masked["db"]["user_password"][2] is None
    assert all(str(each).startswith("[masked:") for each in masked["db"]["user_password"][:2])
    assert masked["db"]["reset_password"] is True
    assert all(masked[name].startswith("[masked:") for name in ("X-Api-Key", "authorization", "Set-Cookie"))
    assert (masked["input_tokens"], masked["password_sent"]) == (5, "yes")
    assert not any("abcdefgh" in key for key in masked)


def test_what_follows_a_flag_in_a_list_of_arguments_is_masked_whole():
    masked = mask(["agent", "--api-key", "x", "--password", "--verbose", "--max-tokens", "256", "--token", "y"])
    assert all(masked.pop(at).startswith("[masked:") for at in (8, 2))
    assert masked == ["agent", "--api-key", "--password", "--verbose", "--max-tokens", "256", "--token"]


def test_equal_secrets_stay_equal():
    assert mask_text("password=hunter2")[9:] == mask({"password": "hunter2"})["password"]


TEXT = st.text(st.characters(exclude_categories=[]), max_size=20)
PLANTED = st.one_of(
    st.tuples(st.sampled_from(SECRETS), TEXT).map(lambda pair: (pair[0], f"{pair[1]} {pair[0]} {pair[1]}")),
    st.sampled_from(NAMED[:6]).map(lambda pair: (pair[1], pair[0].format(pair[1]))),
)


def nested(leaves):
    return st.recursive(leaves, lambda below: st.lists(below, max_size=3) | st.dictionaries(TEXT, below, max_size=3))


@given(PLANTED, nested(TEXT | st.integers() | st.none() | st.booleans()), st.integers(0, 3))
def test_no_secret_survives_wherever_it_stands(planted, around, depth):
    secret, text = planted
    value = {"around": around, "said": text}
    for _ in range(depth):
        value = {"raw": json.dumps(value), "deep": [value]}
    masked = json.dumps(mask(value))
    assert len(secret) < 8 or json.dumps(secret)[1:-1] not in masked
    assert may_hold_secret(json.dumps(value).encode())


WORDS = st.sampled_from(
    ["pass", "word", "Password", "=", ":", " ", "--", '"', "'", "\\", "is", "secret", "KEY", "api", "_", "-", "sk-",
     "token", "access", "Bearer", "://", "@", "ab12cd34", "hunter2!", "eyJ", ".", "\n", "ſ", "AKIA", "K", "x", ",",
     "\x00", "\ud800", "\u00a0"]
)  # fmt: skip
SOUP = st.lists(WORDS, max_size=14).map("".join)


@given(nested(SOUP) | st.dictionaries(SOUP, SOUP, max_size=3))
def test_the_quick_look_misses_nothing_and_masking_twice_changes_nothing(value):
    masked = mask(value)
    if masked != value:
        assert may_hold_secret(json.dumps(value).encode())
        assert may_hold_secret(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    assert mask(masked) == masked


@given(SOUP)
def test_the_short_cut_for_plain_text_misses_nothing(text):
    assert mask_text(text) == mask_text(f"{text}\n")[:-1]  # which a line break rules out
