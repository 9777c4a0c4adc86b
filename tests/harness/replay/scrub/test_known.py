"""What only its field tells to be personal, wherever a tool wrote the field."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.replay.scrub.known import known_in

ANA = {("name", "Ana"), ("name", "Ruiz")}
HOME = {("address", "12 Elm Street"), ("address", "90210")}


@pytest.mark.parametrize(
    "value",
    [
        {"first_name": "Ana", "last_name": "Ruiz", "address1": "12 Elm Street", "zip": "90210"},
        {
            "name": {"first": "Ana", "last": "Ruiz"},
            "address": {"street": "12 Elm Street", "zip": 90210, "city": "Here"},
        },
        {"name": [{"given": ["Ana"], "family": "Ruiz"}], "home": {"addr": "12 Elm Street", "postcode": "90210"}},
        {"firstName": "Ana", "lastName": "Ruiz", "streetAddress": "12 Elm Street", "ZipCode": "90210"},
        {"nombre": "Ana", "apellidos": "Ruiz", "dirección": "12 Elm Street", "código_postal": "90210"},
        "first_name: Ana\nlast_name: Ruiz\nstreet: 12 Elm Street\nzip: '90210'\ncity: Here",
        "Found one.\n- **First name:** Ana\n- **Last name:** Ruiz\n- **Address:** 12 Elm Street\n- **Zip code:** 90210",
        "{'first_name': 'Ana', 'last_name': 'Ruiz', 'street': '12 Elm Street', 'zip': 90210, 'orders': []}",
        "first_name=Ana, last_name=Ruiz, street=12 Elm Street, zip=90210",
        "<c><first_name>Ana</first_name><last-name>Ruiz</last-name><street>12 Elm Street</street><zip>90210</zip></c>",
        '{"first_name": "Ana", "last_name": "Ruiz", "street": "12 Elm Street", "zip": "90210",',
        [{"type": "text", "text": '{"first_name":"Ana","last_name":"Ruiz","street":"12 Elm Street","zip":"90210"}'}],
        json.dumps(json.dumps({"first_name": "Ana", "last_name": "Ruiz", "street": "12 Elm Street", "zip": "90210"})),
    ],
)
def test_however_it_is_written(value):
    assert set(known_in(value)) >= ANA | HOME


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"first_name": "Ana", "middle_name": "B.", "last_name": "Ruiz"}, ("name", "Ana Ruiz")),
        ({"name": {"first": "Ana", "last": "Ruiz"}}, ("name", "Ana Ruiz")),
        ({"customer": "Ana Ruiz"}, ("name", "Ana Ruiz")),
        ({"owner": {"display_name": "Ana Ruiz"}}, ("name", "Ana Ruiz")),
        ({"delivery_address": "Flat 3, 12 Elm Street, Houston, TX 90210"}, ("address", "12 Elm Street")),
        ({"delivery_address": "Flat 3, 12 Elm Street, Houston, TX 90210"}, ("address", "90210")),
        ({"address": {"street_name": "Elm Street", "house_number": "1204"}}, ("address", "Elm Street")),
        ({"姓名": "李雷", "地址": "朝阳区光华路12号"}, ("name", "李雷")),
        ({"姓名": "李雷", "地址": "朝阳区光华路12号"}, ("address", "朝阳区光华路12号")),
        ("姓名：李雷\n手机：13912345678", ("name", "李雷")),
        ("(user_id: ana_ruiz_77) is known", ("id", "ana_ruiz_77")),
        ("Name: Ana Ruiz\nEmail: ana@example.com", ("name", "Ana Ruiz")),
        ("Order O-1 of customer name: Ana Ruiz, delivered", ("name", "Ana Ruiz")),
    ],
)
def test_what_else_it_tells(value, told):
    assert told in set(known_in(value))


@pytest.mark.parametrize(
    "value",
    [
        {"name": "Blender", "price": 10},
        {"customer": "C-7", "user": "none"},
        {"customer": "Not Found"[:3]},
        "Name: Blender\nPrice: 10",
        "Error: user name: is required",
        "Address: \nZip code: ",
        "https://example.com/?q=1: see 10:30",
        {"given": {"orders": 3}, "family": "refunds", "first": "A", "last": "Z"},
        {"address": {"city": "Houston", "country": "USA"}},
    ],
)
def test_what_is_nobodys(value):
    assert set(known_in(value)) == set()


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    list(known_in(text))


@pytest.mark.parametrize("text", ["name: " * 30_000, "a" * 200_000, "<a>" * 50_000, "'x': '" * 30_000, "[" * 50_000])
def test_hostile_text_takes_time_by_its_length(text):
    list(known_in(text))
