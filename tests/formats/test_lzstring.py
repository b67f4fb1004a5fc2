"""lz-string: known payloads, the law that unpacking undoes packing, and hostile payloads."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from csp_sudoku.errors import FormatError
from csp_sudoku.formats.lzstring import BASE64, URI, compress, decompress

KNOWN = {
    "aaab": "IYhGQ===",  # a code that its own step defines
    '{"size":4}': "N4IgzglgXgpiBcAWAvkA",
    '{"size":3,"grid":[[{},{},{}],[{},{},{}],[{},{},{}]]}': (
        "N4IgzglgXgpiBcBmANCA5gJwgEwQbT2AF9ljSiBdZQks4qm88iiooA=="
    ),
    "é": "JdA=",  # the last 8-bit character
}


@pytest.mark.parametrize(("text", "payload"), KNOWN.items())
def test_known_payloads(text, payload):
    assert compress(text) == payload
    assert decompress(payload) == text


@given(st.text(st.characters()), st.sampled_from([BASE64, URI]))
def test_unpacking_undoes_packing(text, alphabet):
    assert decompress(compress(text, alphabet), alphabet) == text


@given(st.text("ab", max_size=300))
def test_texts_that_repeat_themselves(text):
    assert decompress(compress(text)) == text


def test_an_empty_text():
    assert compress("") == "Q==="
    assert decompress("Q===") == ""


def test_what_follows_the_end_is_ignored():
    assert decompress(KNOWN["aaab"].rstrip("=") + "A" * 20) == "aaab"


@given(st.text(st.sampled_from(BASE64)))
def test_any_payload_is_read_or_refused(payload):
    with suppress(FormatError):
        decompress(payload, limit=1000)


@pytest.mark.parametrize("payload", ["", "I", "N4IgzglgXgp", "////", "N4Ig\n", "é"])
def test_cut_off_corrupt_and_foreign_payloads(payload):
    with pytest.raises(FormatError):
        decompress(payload)


def test_a_bomb_is_stopped_while_it_unpacks():
    bomb = compress("a" * 100_000)
    assert len(bomb) < 1000
    with pytest.raises(FormatError, match="more than 50,000 characters"):
        decompress(bomb, limit=50_000)
