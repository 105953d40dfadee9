"""Challenge and response: a vector that anybody can compute, and what is no proof."""

from protocol.proof import key, proof, proves

TOKEN, CHALLENGE = "correct-horse", "00112233445566778899aabbccddeeff"


def test_a_proof_is_what_the_page_says() -> None:
    # KEY=$(printf correct-horse | openssl dgst -sha256 -r | cut -c-64)
    # printf '%s Ada' $CHALLENGE | openssl dgst -sha256 -mac hmac -macopt hexkey:$KEY
    assert key(TOKEN).hex() == "9dca666eb54730714630d1519264a7bf1eeaad00b8f2edc90d3ecbfad928d163"
    assert proof(TOKEN, CHALLENGE, "Ada") == "56365353dc078a0e97d3004f450b5fed447682bb6509bb725e814f0ae1b43aca"


def test_only_the_same_token_challenge_and_name_prove() -> None:
    held = key(TOKEN)
    good = proof(TOKEN, CHALLENGE, "Ada")
    assert proves(held, CHALLENGE, "Ada", good)
    assert not proves(held, CHALLENGE, "Bob", good)
    assert not proves(held, CHALLENGE[::-1], "Ada", good)
    assert not proves(key("other"), CHALLENGE, "Ada", good)
    for given in ("", good[:-1], good + "0", good.upper(), "é" * 64, "\ud800"):
        assert not proves(held, CHALLENGE, "Ada", given)
