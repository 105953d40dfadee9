"""The pseudo-code of docs/protocol-verification.md, against its vectors, the code, and real deals."""

import hashlib
import hmac
import re
from collections.abc import Iterator

import pytest

from games.api import to_map
from games.chance import Chance, deal_key, seed_commitment
from games.registry import get_game
from protocol.page.overview import ROOT

PAGE = ROOT / "docs" / "protocol-verification.md"
SECTION = PAGE.read_text(encoding="utf-8").partition("<!-- vectors -->\n```\n")[2].partition("```")[0]
VECTORS = {name.strip(): value for name, value in re.findall(r"^(.*?)  +(.*)$", SECTION, re.MULTILINE)}
SEED, SALT = bytes.fromhex(VECTORS["seed"]), bytes.fromhex(VECTORS["salt"])
NONCES = [nonce.strip('"') for nonce in VECTORS["nonces"].split()]


class Stranger:
    """Somebody who has the page and no code of ours."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.uses: dict[str, int] = {}

    def block(self, label: str, use: int, number: int) -> bytes:
        return hmac.new(self.key, f"{label} {use} {number}".encode(), hashlib.sha256).digest()

    def words(self, label: str) -> Iterator[int]:
        use = self.uses.get(label, 0)
        self.uses[label] = use + 1
        number = 0
        while True:
            block = self.block(label, use, number)
            yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
            number += 1

    def below(self, words: Iterator[int], bound: int) -> int:
        limit = 2**32 - 2**32 % bound
        return next(word for word in words if word < limit) % bound

    def draw(self, label: str, bound: int) -> int:
        return self.below(self.words(label), bound)

    def shuffle(self, label: str, entries: list[str]) -> list[str]:
        words = self.words(label)
        for i in range(len(entries) - 1, 0, -1):
            j = self.below(words, i + 1)
            entries[i], entries[j] = entries[j], entries[i]
        return entries


def key_of(seed: bytes, nonces: list[str]) -> bytes:
    return hmac.new(seed, "\n".join(["deal", *nonces]).encode(), hashlib.sha256).digest()


def numbers(name: str) -> list[int]:
    return [int(value) for value in VECTORS[name].split()]


def test_a_stranger_computes_the_vectors_of_the_page() -> None:
    key = key_of(SEED, NONCES)
    assert VECTORS["commitment"] == hmac.new(SALT, SEED, hashlib.sha256).hexdigest()
    assert VECTORS["key"] == key.hex()
    assert VECTORS["key without nonces"] == key_of(SEED, []).hex()
    stranger = Stranger(key)
    assert VECTORS["block deck 0 0"] == stranger.block("deck", 0, 0).hex()
    assert numbers("draw deck 10, thrice") == [stranger.draw("deck", 10) for _ in range(3)]
    assert numbers("roll die 6, twelve times") == [stranger.draw("die", 6) + 1 for _ in range(12)]
    assert numbers("draw big 3000000000, six times") == [stranger.draw("big", 3_000_000_000) for _ in range(6)]
    assert VECTORS["shuffle cards A..J, twice"].split() == [
        "".join(stranger.shuffle("cards", list("ABCDEFGHIJ"))) for _ in range(2)
    ]
    assert len(VECTORS) == 11


def test_the_code_computes_the_vectors_of_the_page() -> None:
    assert VECTORS["commitment"] == seed_commitment(SEED, SALT)
    assert VECTORS["key"] == deal_key(SEED, NONCES).hex()
    assert VECTORS["key without nonces"] == deal_key(SEED).hex()
    chance = Chance(deal_key(SEED, NONCES))
    assert numbers("draw deck 10, thrice") == [chance.below("deck", 10) for _ in range(3)]
    assert numbers("roll die 6, twelve times") == [chance.roll("die") for _ in range(12)]
    assert numbers("draw big 3000000000, six times") == [chance.below("big", 3_000_000_000) for _ in range(6)]
    assert VECTORS["shuffle cards A..J, twice"].split() == [
        "".join(chance.shuffle("cards", list("ABCDEFGHIJ"))) for _ in range(2)
    ]


def test_a_stranger_deals_ikasamage_as_the_page_says() -> None:
    game = get_game("ikasamage")
    nonces = ["ab", "", "moth"]
    state, _told = game.start(3, game.options_type(), Chance(deal_key(SEED, nonces)))
    stranger = Stranger(key_of(SEED, nonces))

    def pile(kind: str) -> list[str]:
        return [card.name for card in game.cards() if card.kind.endswith(kind) for _ in range(card.count)]

    spells = stranger.shuffle("spells", pile("spell"))
    judges = stranger.shuffle("judges", pile("judge"))
    hands = [sorted(spells.pop() for _ in range(8)) for _seat in range(3)]
    starter = 1 + stranger.draw("starter", 3)
    fighters = stranger.shuffle("fighters", pile("fighter"))
    views = [to_map(state.view(seat)) for seat in (1, 2, 3)]
    assert [sorted(view["you"]["hand"]) for view in views] == hands
    table = views[0]["table"]
    assert (table["judge"]["name"], table["starter"]) == (judges.pop(), starter)
    assert [fighter["name"] for fighter in table["fighters"]] == fighters[:-6:-1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_stranger_deals_magecraft_as_the_page_says(seats: int) -> None:
    game = get_game("magecraft")
    nonces = ["", "moth", "ab", ""][:seats]
    _state, told = game.start(seats, game.options_type(), Chance(deal_key(SEED, nonces)))
    stranger = Stranger(key_of(SEED, nonces))

    def kind(word: str) -> list[str]:
        return [card.name for card in game.cards() if card.kind == word]

    first = 1 + stranger.draw("first player", seats)
    characters = stranger.shuffle("characters", kind("character"))[:seats]
    dealt = set(stranger.shuffle("academy", kind("academy"))[:9])
    on_offer = [*kind("base"), *(name for name in kind("academy") if name in dealt)]
    hands = {}
    for at in range(seats):
        seat = (first - 1 + at) % seats + 1
        gems = [gem for gem in ("fire", "water", "earth", "light") for _ in range(3)]
        bag = stranger.shuffle(f"bag {seat}", gems)
        hands[seat] = [bag.pop() for _ in range(5 if at == 3 else 4)]
    started = {"what": "started", "first": first, "characters": characters, "academy": on_offer}
    assert to_map(told[0].event) == started
    drawn = [(one.only, to_map(one.event)) for one in told if one.only]
    assert drawn == [(seat, {"what": "you_drew", "gems": hand}) for seat, hand in hands.items()]
