"""110 Metres Mages: the card file, its texts in two languages, and an owner's own file."""

import pytest

from games.api import Card, CardsRefused, options_from, to_map
from games.chance import Chance
from games.mages_110m import GAMES
from games.mages_110m.card_texts import card_table
from games.mages_110m.cards import ABILITIES, BARE, NUMBERED, OWN_FILE, SIGNED, Deck
from games.mages_110m.options import RaceOptions
from games.testing.exam import examine_match, examine_redeals
from languages import NAMES, speaking
from people.text.sentences import card_lines
from tests.games.mages_110m.given import DECK, GAME

RACE = GAMES[0]


def test_the_deck_has_over_a_hundred_cards_nine_cvs_and_one_king() -> None:
    deck = RACE.deck
    assert deck.max_cards == 114
    assert sum(kind.count for kind in deck.kinds if kind.is_cv) == 9
    assert sum(kind.count for kind in deck.kinds if kind.is_king) == 1


def cards_in(name: str) -> list[Card]:
    with speaking(name):
        return RACE.cards()


def test_every_mechanism_is_on_a_card() -> None:
    kinds = RACE.deck.kinds
    verbs = {effect.verb for kind in kinds for effect in (*kind.effects, *kind.each)}
    assert set(NUMBERED + SIGNED + BARE) - verbs <= {"endurance"} - verbs
    abilities = {text.split()[0] for kind in kinds for text in kind.line.lasting}
    assert abilities == set(ABILITIES)
    assert any(kind.roll for kind in kinds)
    assert {kind.needs for kind in kinds} >= {0, 1, 2}
    assert any(kind.on_target for kind in kinds)
    assert {kind.line.against for kind in kinds if kind.is_counter} == {"any", "attack"}
    assert any(kind.endurance > 0 for kind in kinds)
    assert any(kind.endurance < 0 for kind in kinds)
    assert any(kind.power < 0 for kind in kinds)


def test_every_card_has_an_english_and_a_french_title_and_text() -> None:
    english, french = cards_in("en"), cards_in("fr")
    assert [card.name for card in english] == [card.name for card in french]
    for kind, one, other in zip(RACE.deck.kinds, english, french, strict=True):
        assert set(kind.line.title) == set(kind.line.joke) == {"en", "fr"}
        assert one.title != other.title
        assert one.text != other.text
        assert "{" not in one.text + other.text


def test_the_game_in_french_shows_french_titles_and_plays_the_same() -> None:
    shown, views = [], []
    for name in NAMES:
        with speaking(name):
            state, _ = RACE.start(2, options_from(RACE, {}), Chance.of_number(3))
            (seat,) = state.to_move()
            lines = RACE.words.render_board(state.view(seat), ("Ann", "Bob"), 80)
        shown.append("\n".join(text for line in lines for _style, text in line))
        views.append(state.view(seat))
    assert views[0] == views[1]
    assert shown[0] != shown[1]


def test_a_card_says_what_it_does() -> None:
    texts = {card.name: card.text for card in GAME.cards()}
    assert texts["leap"] == "Endurance -1, power +1. Roll 4 or more. You advance 1 through hurdles."
    assert texts["curse"] == (
        "Lies in front of your victim. Lasts: 2. Your victim's dice: -1. Each upkeep: your victim loses 2 endurance."
    )
    with speaking("fr"):
        french = GAME.cards()
    assert {card.name: card.text for card in french}["kick"] == "Nécessite une jambe. Tu avances d'une case."


def test_a_card_is_headed_in_its_language() -> None:
    english, french = ({card.name: card_lines(to_map(card))[0] for card in cards_in(name)} for name in NAMES)
    assert english["frog_knees"] == (
        "Frog Knees (frog_knees): spell, needs a leg, roll 4, endurance -1, power +1, 2 copies"
    )
    assert french["frog_knees"] == (
        "Genoux de grenouille (frog_knees): sort, nécessite une jambe, dé 4, endurance -1, puissance +1, 2 exemplaires"
    )
    assert french["bored_king"] == "Le roi se fait chier (bored_king): roi"
    assert cards_in("fr")[0].kind == "spell"  # programs read the same in every language


def test_french_is_written_as_a_french_player_writes_it() -> None:
    texts = " ".join(card.text for card in cards_in("fr")).replace("\u00a0", " ")
    for phrase in (
        "Nécessite un bras.",
        "Annule n'importe quel sort.",
        "Tu avances d'une case.",
        "tu avances de 2 cases",
        "Tu pioches 2 cartes",
        "tu pioches une carte",
        "tu gagnes un jeton de réserve",
        "2 jetons de réserve",
        "perd 2 points d'endurance",
        "3 points de puissance",
        "ses sorts persistants",
        "Durée : 1 tour.",
    ):
        assert phrase in texts
    for anglicism in ("Demande", "Contre ", "de 1", "{n}", "réserve +", "qui durent"):
        assert anglicism not in texts


def test_an_owners_file_replaces_the_cards() -> None:
    assert GAME.card_file_text() == DECK
    assert RACE.card_file_text() == RACE.cards_digest == ""
    assert len(GAME.cards_digest) == 16
    assert GAME.with_cards(DECK.replace('"Hop"', '"Hopp"')).cards_digest != GAME.cards_digest
    state, _ = GAME.start(2, options_from(GAME, {}), Chance.of_number(1))
    assert state.to_move()


LEAP = DECK.splitlines().index('name = "leap"')  # the line before it, counted from 1, is the [[card]]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('name = "leap"', 'name = "Leap"', "lower-case"),
        ('name = "leap"', 'name = "kick"', "taken"),
        ("roll = 4\n", "roll = 7\n", "2 to 6"),
        ("roll = 4\n", "roll = 1\n", "2 to 6"),
        ("count = 2", "count = 0", "count must be 1 to 20"),
        ("count = 2", "count = 21", "count must be 1 to 20"),
        ('en = "Leap", ', "", "title.en"),
        ('en = "Leap"', 'en = "Le\\nap"', "titles and jokes are one line each"),
        ("endurance = -1", "endurance = -21", "must be -20 to 20"),
        ("endurance = -1", "endurance = 21", "must be -20 to 20"),
        ("power = 1", "power = -21", "must be -20 to 20"),
        ("power = 1", "power = 21", "must be -20 to 20"),
        ("roll = 4\n", "counters = -1\n", "counters must be 0 to 9"),
        ("roll = 4\n", "counters = 10\n", "counters must be 0 to 9"),
        ("roll = 4\n", "lies = 'them'\n", "for spells with counters"),
        ("roll = 4\n", "lasting = ['float']\n", "for spells with counters"),
        ("roll = 4\n", "counters = 1\nlasting = ['sure']\n", "`sure` with a number"),
        ("roll = 4\n", "counters = 1\nlasting = ['sure 1']\n", "number with its sign"),
        ("roll = 4\n", "counters = 1\nlasting = ['float +1']\n", "`sure` with a number"),
        ('"spell"', '"cv"', "a cv has a title and a joke, and does nothing else"),
        ('"spell"', '"counter"', "is not rolled for and does not last"),
        ('effects = ["you charge 1"]', 'effects = ["you charge 10"]', "from 1 to 9"),
        ("roll = 4\n", 'roll = "4"\n', "int"),
        ("roll = 4\n", "roll = 4\nspeed = 3\n", "speed"),
        ("roll = 4\n", "roll = 4\nlasting = ['float']\n", "counters"),
        ("roll = 4\n", "roll = 4\nagainst = 'attack'\n", "counter-spell"),
        ('effects = ["you charge 1"]', 'effects = ["you fly 1"]', "fly"),
        ('effects = ["you charge 1"]', 'effects = ["he charge 1"]', "starts with"),
        ('effects = ["you charge 1"]', 'effects = ["you charge"]', "number"),
        ('effects = ["you charge 1"]', 'effects = ["you power 1"]', "sign"),
        ('effects = ["you charge 1"]', 'counters = 1\neach = ["them charge 1"]', "about `you`"),
        ('effects = ["you charge 1"]', 'counters = 1\neach = ["you draw 1"]', "moves no card"),
        ('effects = ["you charge 1"]', 'counters = 1\nlasting = ["luck"]', "shield"),
    ],
)
def test_a_bad_card_is_refused_with_line_card_and_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(CardsRefused) as refused:
        GAME.with_cards(_at_leap(old, new))
    text = str(refused.value)
    assert text.startswith(f"line {LEAP}, card ")
    assert reason in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("count = 2", "count = 1"),
        ("count = 2", "count = 20"),
        ("endurance = -1\npower = 1", "endurance = -20\npower = -20"),
        ("endurance = -1\npower = 1", "endurance = 20\npower = 20"),
        ("roll = 4\n", "counters = 9\nlasting = ['sure +1', 'float']\nlies = 'them'\n"),
        ("roll = 4\n", "roll = 2\n"),
        ("roll = 4\n", "roll = 3\n"),
        ("roll = 4\n", "roll = 5\n"),
        ("roll = 4\n", "roll = 6\n"),
        ('effects = ["you charge 1"]', 'effects = ["you charge 9", "them limb", "you power -10"]'),
    ],
)
def test_a_card_may_have_the_least_and_the_most_of_everything(old: str, new: str) -> None:
    assert GAME.with_cards(_at_leap(old, new)).cards_digest


def _at_leap(old: str, new: str) -> str:
    before, found, after = DECK.partition('name = "leap"')
    assert old in found + after
    return before + (found + after).replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("squares = 11", "squares = 1", "squares"),
        ("hurdles = [1,", "hurdles = [3,", "hurdles"),
        ("surge = 6", "surge = 0", "surge"),
        ("hand = 6", "hand = 40", "hand"),
        ("hand = 6", "", "hand"),
        ("arms = 2", "arms = -1", "arms"),
        ('name = "king"\nkind = "king"\ncount = 1', 'name = "king"\nkind = "king"\ncount = 2', "king"),
        ('name = "hop"\nkind = "spell"\ncount = 9', 'name = "hop"\nkind = "king"\ncount = 1', "king"),
        ("hand = 6", "hand = 12", "too few"),
        ("[track]", "[track", "TOML"),
    ],
)
def test_a_bad_file_is_refused_with_a_line_and_a_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(CardsRefused, match=r"^line \d+, ") as refused:
        GAME.with_cards(DECK.replace(old, new, 1))
    assert reason in str(refused.value)


def test_a_file_that_limits_the_turns_may_have_few_cards() -> None:
    small = OWN_FILE.with_name("tiny-race.toml").read_text(encoding="utf-8")
    tiny = GAME.with_cards(small)
    assert examine_match(tiny, 2, options_from(tiny, {}), 1) > 0
    assert sum(examine_redeals(tiny, seats, options_from(tiny, {}), seats) for seats in (2, 3, 4)) > 3
    for turns, reason in ((0, "too few"), (-1, r"turns must be"), (1_000, r"turns must be")):
        with pytest.raises(CardsRefused, match=reason):
            GAME.with_cards(small.replace("turns = 2 ", f"turns = {turns} "))


def most_power(old: str, new: str) -> int:
    """The bound that programs are told when the leap says that."""
    game = GAME.with_cards(_at_leap(old, new))
    fields = game.layout(2, options_from(game, {})).fields
    return next(field.most for field in fields if field.name == "mage 1 power")


def test_the_most_power_counts_what_one_card_brings_when_it_is_cast_at_once_and_at_each_upkeep() -> None:
    counts = GAME.deck.mages.counts * GAME.deck.max_cards
    effects = 'power = 15\neffects = ["you power +3", "you power -2", "them arm +1"]'
    cast = most_power("power = 1", "power = 15")
    at_once = most_power('power = 1\neffects = ["you charge 1"]', effects)
    each = most_power(
        'power = 1\neffects = ["you charge 1"]', f'{effects}\ncounters = 4\neach = ["you power +2", "you power -1"]'
    )
    assert at_once - cast == 3 * counts
    assert each - at_once == 4 * 2 * counts
    assert most_power("power = 1", "power = 17") - cast == 2 * counts


def test_the_rules_page_lists_every_card_as_it_is() -> None:
    page = RACE.rules.read_text(encoding="utf-8")
    assert "\n".join(card_table(RACE.deck)) in page


@pytest.mark.parametrize(
    ("count", "said"),
    [
        ("count = { 2 = 1, 3 = 2 }", "has 2, 3 and 4"),
        ("count = { 2 = 0, 3 = 0, 4 = 0 }", "one at least 1"),
        ("count = { 2 = 1, 3 = 21, 4 = 1 }", "0 to 20"),
        ("count = 2\nprinted = 21", "printed must be 0 to 20"),
    ],
)
def test_copies_by_number_of_mages_are_checked(count: str, said: str) -> None:
    with pytest.raises(CardsRefused, match=said):
        Deck(DECK.replace("count = 2", count, 1))


def test_a_file_may_have_other_copies_for_each_number_of_mages() -> None:
    deck = Deck(DECK.replace("count = 2", "count = { 2 = 0, 3 = 5, 4 = 7 }\nprinted = 1", 1))
    card = next(kind.index for kind in deck.kinds if len({*kind.copies.values()}) > 1)
    copies = [deck.cards_for(seats, RaceOptions()).count(card) for seats in (2, 3, 4)]
    assert [*copies, deck.cards_for(2, RaceOptions(printed=True)).count(card)] == [0, 5, 7, 1]
