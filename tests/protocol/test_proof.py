"""Challenge and response: a vector that anybody can compute, and what is no proof."""

import hashlib
import hmac

from protocol.proof import hash_secret, is_valid_proof, make_proof, token_key

TOKEN, CHALLENGE = "correct-horse", "00112233445566778899aabbccddeeff"


def test_key_and_proof_are_what_the_page_says() -> None:
    # SECRET=$(printf correct-horse | openssl dgst -sha256 -r | cut -c-64)
    # KEY=$(printf $SECRET | xxd -r -p | openssl dgst -sha256 -r | cut -c-64)
    # MASK=$(printf '%s Ada' $CHALLENGE | openssl dgst -sha256 -mac hmac -macopt hexkey:$KEY -r | cut -c-64)
    secret = "9dca666eb54730714630d1519264a7bf1eeaad00b8f2edc90d3ecbfad928d163"
    mask = "5b40b9277a93a5121bfbaba441dca4e44de534de1b1dafa44cfd5f6b1cecfff4"
    assert token_key(TOKEN).hex() == "62dbe50cc19a976d8b42bc5778cf5361a5fc9788ca7d4c156bdbbf98ce6a6de4"
    assert make_proof(TOKEN, CHALLENGE, "Ada") == f"{int(secret, 16) ^ int(mask, 16):064x}"


def test_only_the_same_token_challenge_and_name_prove() -> None:
    held = token_key(TOKEN)
    good = make_proof(TOKEN, CHALLENGE, "Ada")
    assert is_valid_proof(held, CHALLENGE, "Ada", good)
    assert not is_valid_proof(held, CHALLENGE, "Bob", good)
    assert not is_valid_proof(held, CHALLENGE[::-1], "Ada", good)
    assert not is_valid_proof(token_key("other"), CHALLENGE, "Ada", good)
    for given in ("", good[:-1], good[:-2], good + "0", good + "00", good.upper(), f" {good}", "é" * 64, "\ud800"):
        assert not is_valid_proof(held, CHALLENGE, "Ada", given)


def test_what_a_server_keeps_makes_no_proof() -> None:
    held = token_key(TOKEN)
    mask = hmac.digest(held, f"{CHALLENGE} Ada".encode(), hashlib.sha256)
    with_the_key_as_secret = f"{int.from_bytes(held) ^ int.from_bytes(mask):064x}"
    assert not is_valid_proof(held, CHALLENGE, "Ada", with_the_key_as_secret)
    assert is_valid_proof(hash_secret(held), CHALLENGE, "Ada", proof_of(held)), "it is the secret of another key"


def proof_of(secret: bytes) -> str:
    mask = hmac.digest(hash_secret(secret), f"{CHALLENGE} Ada".encode(), hashlib.sha256)
    return f"{int.from_bytes(secret) ^ int.from_bytes(mask):064x}"


def test_where_there_is_no_key_there_is_no_proof() -> None:
    assert not is_valid_proof(b"", CHALLENGE, "Ada", "0" * 64)
    assert not is_valid_proof(b"", CHALLENGE, "Ada", make_proof(TOKEN, CHALLENGE, "Ada"))
