"""Typed lines, sentences and the board."""

import pytest

from games.api import Action, Unreadable, options_from, plain_lines
from games.chance import Chance
from games.magecraft.cards import read_cards
from games.magecraft.moves import (
    DONE,
    DRAW,
    END,
    INNATE,
    REVISE,
    Attack,
    Cast,
    Darken,
    Discard,
    Heal,
    Learn,
    Lift,
    Pay,
    Put,
    Shield,
    Take,
    Vanish,
)
from tests.games.magecraft.given import CARDS, GAME, act, book, gems, position

WORDS = GAME.words


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("take bob", [Take("bob")]),
        ("cast 2", [Cast(2)]),
        ("cast 1 x1", [Cast(1)]),
        ("c 2 x3", [Cast(2)] * 3),
        ("cast 2 water l", [Cast(2), Pay("water"), Pay("light")]),
        ("INNATE e", [INNATE, Pay("earth")]),
        ("attack 2 fire fire", [Attack(2, "fire"), Attack(2, "fire")]),
        ("at f", [Attack(2, "fire")]),
        ("heal water", [Heal("water")]),
        ("draw 2", [DRAW, DRAW]),
        ("shield e academy", [Shield("earth", "academy")]),
        ("shield e f from discard", [Shield("earth", "discard"), Shield("fire", "discard")]),
        ("vanish l hand", [Vanish("light", "hand")]),
        ("darken 2", [Darken(2)]),
        ("learn absorb into 1", [Learn("absorb", 1)]),
        ("learn abs 1", [Learn("absorb", 1)]),
        ("learn missile 1", [Learn("missile", 1)]),  # not on offer; the rules say so
        ("move 1.2 3.1", [Lift(1, 2), Put(3, 1)]),
        ("move 1 2 to 3 1", [Lift(1, 2), Put(3, 1)]),
        ("pass", [END]),
        ("draw 20", [DRAW] * 20),
        ("cast 1 x20", [Cast(1)] * 20),
        ("heal" + " f" * 199, [Heal("fire")] * 199),
        ("attack 4 f", [Attack(4, "fire")]),
        ("revise", [REVISE]),
    ],
)
def test_a_line_stands_for_one_action_or_several(line: str, actions: list[Action]) -> None:
    state = position(hand="FWEL")
    assert WORDS.parse_actions(line, state.view(1), state.legal_actions(1)) == actions


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "Type an action"),
        ("take nobody", r"^Which board\? For example: take ann; there are: ann, bob, cid, dot\.$"),
        ("fly 1", "'fly' is not an action here"),
        ("cast", "Which book"),
        ("cast 4", "no book 4"),
        ("cast two", "not a number"),
        ("cast 1 x99", "one to twenty"),
        ("pay mud", "'mud' is not a gem"),
        ("heal", "Which gem"),
        ("attack 7 fire", "no seat 7"),
        ("learn absorb", "Which spell"),
        ("learn nothing into 1", "not one of"),
        ("lift 1", "Type 2 numbers"),
        ("move 1 2", "Type 4 numbers"),
        ("shield mud academy", "not a gem"),
        ("shield", "Which gem"),
        ("shield earth", "Say academy or discard"),
        ("darken 2 fire", "only a seat"),
        ("x " * 300, "Type an action"),
        ("heal" + " f" * 200, "Type an action"),
        ("draw 0", "one to twenty times"),
        ("draw 21", "one to twenty times"),
        ("cast 1 x0", "one to twenty"),
        ("cast 1 x21", "one to twenty"),
        ("cast 1 x12345", "'12345' is not a number"),
        ("attack 1234 fire", "no seat 1234"),
        ("attack 5 fire", "no seat 5"),
        ("d 1", "the actions are: discard, draw, darken, done."),
        ("zap", "the actions are: take, discard, "),
        ("revise / / /", "three books"),
        ("zebra" * 6, "'zebrazebrazebrazebra' is not an action here"),
        ("pay " + "zebra" * 6, "'zebrazebrazebrazebra' is not a gem"),
        ("cast " + "zebra" * 6, "'zebrazebrazebrazebra' is not a number"),
        ("learn " + "zebra" * 6 + " 1", "'zebrazebrazebrazebra' is not one of"),
        ("revise missile", "Name each of your spells once: meditation, missile, tricks."),
    ],
)
def test_an_unreadable_line_is_answered_with_what_was_expected(line: str, said: str) -> None:
    state = position(hand="FWEL")
    with pytest.raises(Unreadable, match=said):
        WORDS.parse_actions(line, state.view(1), state.legal_actions(1))


def test_only_a_mage_can_revise() -> None:
    with pytest.raises(Unreadable, match="Only a mage can revise"):
        WORDS.parse_actions("revise missile / tricks / meditation", position().view(None), [])


def test_with_several_opponents_an_attack_must_say_which() -> None:
    state = position(3, hand="F")
    with pytest.raises(Unreadable, match="Which seat"):
        WORDS.parse_actions("attack fire", state.view(1), state.legal_actions(1))


def test_what_may_be_done_now_decides_what_a_short_word_means() -> None:
    state = position(hand="W")
    state.mages[0].bag = []
    book(state.mages[0], state, 1, "fade dusk")
    state.mages[0].hand = gems("LLL")
    act(state, "cast 1")
    assert WORDS.parse_actions("v l", state.view(1), [Vanish("light", "hand")]) == [Vanish("light", "hand")]


def test_a_verb_s_beginning_means_the_one_that_is_possible_now() -> None:
    view = position(hand="W").view(1)
    assert WORDS.parse_actions("d", view, [DRAW, END]) == [DRAW]
    assert WORDS.parse_actions("d", view, [DONE, END]) == [DONE]
    assert WORDS.parse_actions("d w", view, [Discard("water"), Attack(2, "fire")]) == [Discard("water")]


def test_a_spell_is_found_by_the_beginning_of_its_later_words_too() -> None:
    game = GAME.with_cards(CARDS.replace('name = "bolt"', 'name = "great_bolt"'))
    state = game.build_position({"seats": 2, "academy": ["great_bolt", "storm"]}, Chance.of_number(1))
    assert game.words.parse_actions("learn bol into 1", state.view(1), []) == [Learn("great_bolt", 1)]


def test_the_board_shows_hands_to_their_owners_only() -> None:
    state = position(hand="FFW")
    own = "\n".join(plain_lines(WORDS.render_board(state.view(1), ("Anna", "Ben"), 80)))
    other = "\n".join(plain_lines(WORDS.render_board(state.view(2), ("Anna", "Ben"), 80)))
    assert "hand 3 (2F 1W)" in own
    assert "hand 3  bag 4  in both 7 (3F 2W 1E 1L)" in other
    assert "1 Meditation" in own


@pytest.mark.parametrize("width", [40, 60, 100])
def test_every_spell_on_offer_is_shown_whole_at_every_width(width: int) -> None:
    state = position(hand="FFW")
    board = plain_lines(WORDS.render_board(state.view(1), ("Anna", "Ben"), width))
    assert max(map(len, board)) <= width
    for spell in state.academy.spells:
        at = next(number for number, line in enumerate(board) if line.startswith(f"  {spell.title} "))
        assert "attack" in " ".join(board[at : at + 2]) or not spell.icons[1]


def test_the_board_fits_into_every_width_and_uses_all_of_it() -> None:
    state = position(hand="FFW")
    state.academy.gems = [100] * 5
    state.academy.invalidate_view()
    names = ("Annabella of York", "Ben")
    whole = plain_lines(WORDS.render_board(state.view(1), names, 1_000))
    for width in range(22, 90):
        lines = plain_lines(WORDS.render_board(state.view(1), names, width))
        assert max(map(len, lines)) <= width
        assert next(line for line in whole if line.startswith("Academy"))[:width].rstrip() in lines


def test_the_question_names_an_example_that_can_be_typed() -> None:
    state = position(hand="FWEL")
    asked = WORDS.decision_prompt(state.view(1), state.legal_actions(1))
    assert asked == "Cast, learn, revise or end your turn (end): for example cast 1."
    act(state, "cast 2")
    assert WORDS.decision_prompt(state.view(1), state.legal_actions(1)) == "Pay 1 wild symbol: for example pay water."


VERBS = "cast c learn revise move lift put shield vanish attack darken heal pay innate end d s draw x"
JUNK = "/ * x2 x 1 2 0 -1 99999 ² fire f academy hand into absorb missile* meditation from to 1.2 é"


def test_junk_is_unreadable_or_stands_for_actions_that_the_rules_can_judge() -> None:
    chance = Chance.of_number(1)
    state = position(3, hand="FWEL")
    view, listed = state.view(1), state.legal_actions(1)
    understood = 0
    for _ in range(1_000):
        rest = [chance.choice("word", JUNK.split()) for _ in range(chance.below("length", 4))]
        line = " ".join([chance.choice("verb", VERBS.split()), *rest])
        try:
            actions = WORDS.parse_actions(line, view, listed)
        except Unreadable:
            continue
        understood += 1
        for action in actions[:1]:
            assert (state.refusal_reason(1, action) is None) == (action in listed)
    assert understood > 50


def test_each_phase_asks_its_own_question() -> None:
    state = GAME.start(2, options_from(GAME, {"boards": "chosen"}), Chance.of_number(1))[0]
    seat = min(state.to_move())
    legal = state.legal_actions(seat)
    assert (
        WORDS.decision_prompt(state.view(seat), legal)
        == f"Take a character board: for example {WORDS.format_action(legal[0])}."
    )
    assert WORDS.event_sentence(state.apply(seat, Take("bob"))[0].event, ("Anna", "Ben")).endswith(" the board of Bob.")


def test_a_spell_may_be_called_like_the_word_before_its_book() -> None:
    for name in ("into", "leap_into_night"):
        game = GAME.with_cards(CARDS.replace('name = "cure"', f'name = "{name}"'))
        state, _ = game.start(2, options_from(game, {}), Chance.of_number(1))
        for line in (f"learn {name} into 2", f"learn {name.replace('_', ' ')} into 2"):
            assert game.words.parse_actions(line, state.view(1), []) == [Learn(name, 2)]


def test_every_spell_mage_and_innate_spell_has_a_title() -> None:
    cards = read_cards(CARDS)
    titles = {spell.name: spell.title for spell in (*cards.spells, *(mage.innate for mage in cards.characters))}
    shown = GAME.with_cards(CARDS).words.card_titles
    assert shown == titles | {mage.name: mage.title for mage in cards.characters}
