"""What players write for others to read, and what is made of it."""

from __future__ import annotations

import pytest

from protocol.errors import Refusal
from server.checks import check_nonce, clean_chat_text

ACUTE, SELECTOR = "\u0301", "\ufe0f"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hello", "hello"),
        ("  two   words ", "two words"),
        ("un\u00a0caf\u00e9", "un caf\u00e9"),
        ("\u2003caf\u00e9  \u3000noir\u2009", "caf\u00e9 noir"),
        (f"e{ACUTE * 4} high", f"e{ACUTE * 4} high"),
        (f"\u2665{SELECTOR} caf\u00e9", "\u2665 caf\u00e9"),
    ],
)
def test_any_run_of_spaces_is_told_as_one_and_what_can_be_read_stays(text: str, told: str) -> None:
    assert clean_chat_text(text) == told


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", ""),
        ("   ", ""),
        ("a\tb", ""),
        ("a\x07b", ""),
        ("\u00a0\u3000", ""),
        ("caf\u00e9\u202e", ""),
        (ACUTE, ""),
        (f" {ACUTE} {ACUTE}", ""),
        (SELECTOR, ""),
        ("caf\u00e9\u115f", "It contains an invisible character."),
        (f"e{ACUTE * 5}", "At most 4 marks stand on one letter."),
    ],
)
def test_what_cannot_be_read_is_told_to_nobody(text: str, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        clean_chat_text(text)
    assert refused.value.code.name == "bad_chat"
    assert why in refused.value.text


@pytest.mark.parametrize(
    ("nonce", "fits"), [("", True), ("!x~", True), ("a b", False), ("b\u00fc", False), ("\x7f", False)]
)
def test_a_nonce_is_printable_ascii_without_spaces(nonce: str, fits: bool) -> None:
    if fits:
        check_nonce(nonce)
        return
    with pytest.raises(Refusal, match="A nonce is printable ASCII without spaces"):
        check_nonce(nonce)
