"""The deal: documented draws, honest bounds, independence, and no way to print the key."""

import hashlib
import hmac
from collections import Counter
from itertools import permutations

import pytest

from games.chance import Chance, deal_key, numbered_seed, seed_commitment

SEED = bytes(range(32))
SALT = bytes(range(16))


def test_a_commitment_binds_seed_and_salt() -> None:
    told = seed_commitment(SEED, SALT)
    assert told == seed_commitment(SEED, SALT)
    assert told != seed_commitment(SEED[::-1], SALT)
    assert told != seed_commitment(SEED, SALT[::-1])
    assert len(told) == 64


def test_each_players_nonce_changes_the_deal() -> None:
    plain = deal_key(SEED, ("", "", ""))
    assert deal_key(SEED, ("x", "", "")) != plain
    assert deal_key(SEED, ("x", "", "")) != deal_key(SEED, ("", "x", ""))


def test_the_same_key_gives_the_same_draws() -> None:
    first, second = Chance(deal_key(SEED)), Chance(deal_key(SEED))
    assert first.shuffle("spells", range(72)) == second.shuffle("spells", range(72))
    assert [first.roll("die") for _ in range(50)] == [second.roll("die") for _ in range(50)]


def test_labels_are_independent_streams() -> None:
    first, second = Chance.of_number(3), Chance.of_number(3)
    first.shuffle("judges", range(8))
    assert first.shuffle("spells", range(72)) == second.shuffle("spells", range(72))


def test_a_label_used_again_draws_anew() -> None:
    chance = Chance.of_number(3)
    assert chance.shuffle("spells", range(72)) != chance.shuffle("spells", range(72))


def test_a_clone_goes_on_alike_and_a_fork_does_not() -> None:
    chance = Chance.of_number(5)
    chance.roll("die")
    copy = chance.clone()
    assert copy == chance
    assert [copy.roll("die") for _ in range(20)] == [chance.roll("die") for _ in range(20)]
    assert chance.fork("a") != chance.fork("a")


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_out_of_range_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        Chance.of_number(1).below("x", bound)


def test_nothing_printed_of_a_chance_holds_its_key() -> None:
    key = deal_key(SEED)
    text = repr(Chance(key))
    assert key.hex() not in text
    assert "key" not in text


def chi_square(counts: Counter[object], kinds: int, total: int) -> float:
    expected = total / kinds
    return sum((counts.get(kind, 0) - expected) ** 2 / expected for kind in counts) + expected * (kinds - len(counts))


def test_g18_all_orders_of_four_cards_are_as_likely() -> None:
    counts: Counter[object] = Counter()
    chance = Chance.of_number(11)
    total = 24_000
    for _ in range(total):
        counts[tuple(chance.shuffle("cards", "abcd"))] += 1
    assert set(counts) == set(permutations("abcd"))
    assert chi_square(counts, 24, total) < 62  # p = 10^-5 at 23 degrees of freedom


def test_g18_a_shuffle_that_swaps_any_two_places_would_be_found() -> None:
    counts: Counter[object] = Counter()
    chance = Chance.of_number(11)
    total = 24_000
    for _ in range(total):
        cards = list("abcd")
        for place in range(4):
            other = chance.below("naive", 4)
            cards[place], cards[other] = cards[other], cards[place]
        counts[tuple(cards)] += 1
    assert chi_square(counts, 24, total) > 62


def test_a_numbered_seed_depends_on_its_path() -> None:
    assert len({numbered_seed(7), numbered_seed(8), numbered_seed(7, 1), numbered_seed(7, "1", 2)}) == 4


def test_draws_are_words_of_a_standard_hmac() -> None:
    key = deal_key(SEED)
    chance, other = Chance(key), Chance(key)
    words: list[int] = []
    for block in range(9):
        digest = hmac.new(key, f"spells 0 {block}".encode(), hashlib.sha256).digest()
        words += [int.from_bytes(digest[place : place + 4], "big") for place in range(0, 32, 4)]
    mixed = list(range(70))
    for place in range(69, 0, -1):
        drawn = words.pop(0) % (place + 1)  # none of these words is so high that it is rejected
        mixed[place], mixed[drawn] = mixed[drawn], mixed[place]
    assert chance.shuffle("spells", range(70)) == mixed
    assert other.below("die", 6) == int.from_bytes(hmac.digest(key, b"die 0 0", "sha256")[:4], "big") % 6


def test_a_fork_has_the_first_block_of_its_label_as_key() -> None:
    key = deal_key(SEED)
    assert Chance(key).fork("deal") == Chance(hmac.digest(key, b"deal 0 0", "sha256"))


def test_two_cards_are_shuffled_too_and_one_or_none_stay() -> None:
    assert {"".join(Chance.of_number(number).shuffle("cards", "ab")) for number in range(9)} == {"ab", "ba"}
    assert [Chance.of_number(1).shuffle("cards", cards) for cards in ("a", "")] == [["a"], []]


def test_a_numbered_seed_is_the_hash_of_what_is_written_down() -> None:
    assert numbered_seed(7, "cup", 2) == hashlib.sha256(b"magehall seed 7 cup 2").digest()


def quick_words(chance: Chance, parts: int) -> list[int]:
    """The words that Quick has after so many parts, as 64-bit numbers of SHAKE-256; the last one is used first."""
    key = hmac.digest(chance.save()[0], b"worlds 0 0", "sha256")
    bits = [hashlib.shake_256(key + bytes([part])).digest(8 * 96) for part in range(1, parts + 1)]
    return [int.from_bytes(part[place : place + 8], "big") for part in bits for place in range(0, 8 * 96, 8)]


def test_where_all_words_of_a_block_are_too_high_the_next_block_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {0: 2**32 - 1, 1: 5, 2: 4}  # of the blocks, eight times each

    def block(_chance: Chance, _label: str, _use: int, number: int) -> bytes:
        return words[number].to_bytes(4, "big") * 8

    monkeypatch.setattr(Chance, "_block", block)
    assert Chance(bytes(32)).below("die", 3) == 2
    assert Chance(bytes(32)).shuffle("cards", "abc") == ["a", "b", "c"]


def test_quick_draws_are_words_of_a_standard_hash_each_used_once() -> None:
    chance = Chance.of_number(3)
    words, quick = quick_words(chance, 1), chance.quick("worlds")
    assert [quick.choice(range(1000)) for _ in range(96)] == [word % 1000 for word in reversed(words)]
    assert quick.choice(range(1000)) == quick_words(Chance.of_number(3), 2)[-1] % 1000


def test_quick_mixes_by_sorting_its_words_and_asks_for_as_many_as_it_needs() -> None:
    chance = Chance.of_number(3)
    words, quick = quick_words(chance, 3), chance.quick("worlds")
    mixed = [place for _word, place in sorted(zip(words[-200:], range(200), strict=True))]
    assert quick.shuffled(range(200)) == mixed
    assert quick.shuffled([]) == []
    assert quick.shuffled("abc") == [card for _word, card in sorted(zip(words[85:88], "abc", strict=True))]
    assert quick.choice(range(1000)) == words[84] % 1000


def test_quick_takes_one_after_the_other_out_of_a_list() -> None:
    chance = Chance.of_number(3)
    words, quick = quick_words(chance, 1), chance.quick("worlds")
    cards, taken = list("abcdef"), quick.take_random(left := list("abcdef"), 4)
    expected = []
    for word in words[-4:]:
        card = cards[word % len(cards)]
        cards[cards.index(card)] = cards[-1]
        cards.pop()
        expected.append(card)
    assert (taken, left) == (expected, cards)
    assert quick.choice(range(1000)) == words[-5] % 1000
    assert quick.take_random(left, 0) == []


def test_quick_draws_more_only_when_it_has_too_few() -> None:
    chance = Chance.of_number(3)
    words, quick = quick_words(chance, 1), chance.quick("worlds")
    quick.take_random([0] * 96, 90)
    cards = list("abcdef")
    expected = [cards.pop(word % len(cards)) for word in words[:1]]
    assert quick.take_random(list("abcdef"), 6)[:1] == expected
    assert quick.choice(range(1000)) == quick_words(Chance.of_number(3), 2)[-1] % 1000


def test_a_saved_chance_goes_on_where_it_was_and_is_equal_to_no_other() -> None:
    chance = Chance.of_number(5)
    chance.roll("die")
    key, uses = chance.save()
    assert Chance.load(key, dict(uses)) == chance
    assert Chance(key) != chance
    assert Chance.load(bytes(32), dict(uses)) != chance
    assert Chance(key).below("all", 2**32) == int.from_bytes(hmac.digest(key, b"all 0 0", "sha256")[:4], "big")


def test_a_word_too_high_to_be_fair_is_passed_over_in_a_shuffle_as_in_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    fair_for_three = 2**32 // 3 * 3

    def block(*_asked: object) -> bytes:
        return b"".join(word.to_bytes(4, "big") for word in (fair_for_three, fair_for_three - 1, 0, 0, 0, 0, 0, 0))

    monkeypatch.setattr(Chance, "_block", block)
    assert Chance(bytes(32)).below("die", 3) == 2
    assert Chance(bytes(32)).shuffle("cards", "abc") == ["b", "a", "c"]
