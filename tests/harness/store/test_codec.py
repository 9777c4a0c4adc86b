from pydantic import TypeAdapter

from harness.model.episode import Episode
from harness.store.codec import decode, encode, written
from tests.harness.scoring import build as shop
from tests.harness.store.build import episode


def test_a_document_with_every_field_reads_like_one_without_the_defaults():
    played = episode(events=("Hi", shop.verify(), shop.said("Done.")), confidence=0.5)
    whole = TypeAdapter(Episode).dump_json(played)
    assert len(written(played)) < len(whole)
    assert decode(Episode, whole) == decode(Episode, encode(played)) == played
