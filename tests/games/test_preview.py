"""What `why` says that an action would do is what it does, figure by figure; nothing in it is hidden from who asks."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from games.api import Game, Seat, State, options_from
from games.chance import Chance
from games.cheaty_mages.compact_board import known_power_and_mana, spell_names_on
from games.cheaty_mages.moves import Bet
from games.cheaty_mages.views import SeatView as ArenaView
from games.magecraft.board import total_gems
from games.magecraft.views import SeatView as MageView
from games.mages_110m import moves as race_moves
from games.mages_110m.views import SeatRace
from games.registry import all_games
from games.testing.exam import random_match
from tests.games.mages_110m.given import DECK

NAMES = ["Ann", "Bob", "Cid", "Dan"]
GAMES = pytest.mark.parametrize("game", all_games().values(), ids=all_games())
SUM = re.compile(r"(\d) [\w' -]+: power -?\d+\?? to (-?\d+)(\??), mana (-?\d+)(\??)")
UMBRELLA = {"card": "spiteful_umbrella", "counters": 2}
CHANGE = re.compile(r"(Your|\w+'s) (life|score|shield): (\d+) to (\d+)")


def checked(state: State, seat: Seat, said: str, after: State) -> int:
    """Compares the figures with what the seat sees once it is done; how many there were."""
    view = after.view(seat)
    count = 0
    if isinstance(view, ArenaView) and not view.table.result:
        known = {(one.fighter, one.place): one.card for one in view.you.knows}
        for number, power, open_, mana, _ in SUM.findall(said):
            fighter = view.table.fighters[int(number) - 1]
            cards = spell_names_on(int(number), fighter, known)
            assert known_power_and_mana(after.game.words._deck, fighter, cards) == (int(power), int(mana))  # type: ignore[attr-defined]
            assert ("" in cards) == bool(open_)
            count += 1
    elif isinstance(view, MageView) and view.progress.phase != "over":
        boards = {board.seat: board for board in view.others}
        for whose, what, _, then in CHANGE.findall(said):
            board = view.you if whose == "Your" else boards.get(NAMES.index(whose.removesuffix("'s")) + 1)
            if what in ("life", "score", "shield"):
                assert total_gems(getattr(board, what)) == int(then), said
                count += 1
    return count


@pytest.mark.parametrize("name", ["ikasamage", "cheaty-mages", "magecraft"])
def test_the_figures_that_are_foretold_come_true(name: str) -> None:
    game, count = all_games()[name], 0
    for number, moment in enumerate(random_match(game, 3, options_from(game, {}), 11)):
        state = moment.state
        for seat in sorted(state.to_move()):
            legal = state.legal_actions(seat)
            for action in legal[number % 3 :: 3]:
                said = game.words.preview_action(state.view(seat), action, NAMES)
                after = state.clone()
                after.apply(seat, action)
                same_turn = not isinstance(state.view(seat), MageView) or after.to_move() == {seat}
                count += checked(state, seat, said, after) if same_turn else 0
        if number > 150:
            break
    assert count > 30


def test_in_a_race_everybody_stands_where_it_was_foretold() -> None:
    game, count = all_games()["mages-110m"], 0
    for moment in chain(*(random_match(game, 3, options_from(game, {}), deal) for deal in range(20, 25))):
        state = moment.state
        for seat in sorted(state.to_move()):
            for action in state.legal_actions(seat):
                said = game.words.preview_action(state.view(seat), action, NAMES)
                if not isinstance(action, race_moves.Cast) or "a roll of" in said or "bursts" in said:
                    continue
                view = state.view(seat)
                assert isinstance(view, SeatRace)
                if view.king:
                    continue
                after = state.clone()
                after.apply(seat, action)
                while view.turn_of == seat and any(
                    race_moves.LET in after.legal_actions(other) for other in after.to_move()
                ):
                    after.apply(min(after.to_move()), race_moves.LET)
                seen = after.view(seat)
                assert isinstance(seen, SeatRace)
                if seen.turn != view.turn:
                    continue  # the next turn has begun, with an upkeep of its own
                squares = {NAMES[mage.seat - 1]: mage.square for mage in view.mages}
                for name, square in re.findall(r"(\w+) from square \d+ to (\d+|the line)", said):
                    squares[name] = view.squares + 1 if square == "the line" else int(square)
                    count += 1
                if seen.counts == view.counts:
                    assert [mage.square for mage in seen.mages] == list(squares.values()), said
                if gone := re.search(r"[Ee]ndurance \d+ to (\d+)", said):
                    assert seen.mages[seat - 1].endurance == int(gone[1])
                    count += 1
    assert count > 20


@GAMES
def test_what_is_foretold_depends_on_what_the_seat_sees_alone(game: Game) -> None:
    seats = max(game.min_seats, min(3, game.max_seats))
    for number, moment in enumerate(random_match(game, seats, options_from(game, {}), 13)):
        state = moment.state
        for seat in sorted(state.to_move()) if number % 9 == 0 else ():
            other = state.redeal(seat, Chance.of_number(number))
            for action in state.legal_actions(seat)[:20]:
                said = game.words.preview_action(state.view(seat), action, NAMES)
                assert said == game.words.preview_action(other.view(seat), action, NAMES)


def test_a_gambled_spell_is_foretold_like_one_that_is_cast_but_for_its_die() -> None:
    mages = [{"square": 3, "hand": ["polite_breeze"] * 3 + ["loud_cough"]}, {}, {"lasting": [UMBRELLA]}]
    game = all_games()["mages-110m"]
    state = game.build_position({"turn_of": 1, "mage": mages, "top": ["shoelace_hex"]}, Chance.of_number(1))
    state.apply(1, race_moves.GAMBLE)
    said = [game.words.preview_action(state.view(1), race_moves.Aim(seat), NAMES) for seat in (2, 3)]
    assert [text.startswith("Power 0 to 2.") and "A die" not in text for text in said] == [True, True]
    assert ["It has no effect on Cid, because of a protection." in text for text in said] == [False, True]


@pytest.mark.parametrize(
    ("game", "position", "line", "says"),
    [
        (
            "ikasamage",
            'judge = "lawty"\nfighters = ["orc", "skeleton", "minotaur", "ghost", "dragon"]\nturn = 1\n'
            '[hands]\n1 = ["fireball", "cripple", "giant_growth", "dispel_magic", "amnesia", "cause_unpopularity"]\n'
            '[spells]\n3 = [{ card = "might", by = 1 }, { card = "slow", by = 2 }]',
            line,
            says,
        )
        for line, says in (
            ("cast fireball 3", "Fireball on 3 Minotaur: power 13? to 9?, mana 5? of 10."),
            ("cast cripple 2", "Cripple on 2 Skeleton: power 3 to 8, mana 4 of 10."),
            ("cast giant_growth 1", "Giant Growth on 1 Orc: power 2 to 14, mana 10 of 10."),
            ("cast cause_unpopularity 1", "mana 3 of 10, prize 8 to 16."),
            ("cast dispel_magic 3.1", "3 Minotaur: power 13? to 8?, mana 0? of 10."),
            ("cast amnesia 2", "Amnesia: One player, perhaps you, discards a card of their own choice."),
            ("pass", "You would cast no more spells in this round."),
        )
    ],
)
def test_a_person_reads_the_figures_before_and_after(game: str, position: str, line: str, says: str) -> None:
    state = all_games()[game].build_position(position, Chance.of_number(1))
    words, view = all_games()[game].words, state.view(1)
    (action,) = words.parse_actions(line, view, state.legal_actions(1))
    assert says in words.preview_action(view, action, NAMES)


@pytest.mark.parametrize(
    ("said", "line", "says"),
    [
        ("", "cast fireball 3 down", "Without Prismatic Ray it may not lie face down, so it is discarded"),
        ('judge = "orlair"', "cast fireball 3 down", "The judge refuses it, so it is discarded"),
        (
            'judge = "orlair"\nlasting = [{ card = "invisibility", by = 1 }]',
            "cast fireball 3 down",
            "Without Prismatic Ray",
        ),
        ('lasting = [{ card = "prismatic_ray", by = 1 }]', "cast fireball 3 down", "Fireball on 3"),
    ],
)
def test_why_a_card_that_is_slipped_in_will_be_struck(said: str, line: str, says: str) -> None:
    game = all_games()["ikasamage"]
    judge = "" if "judge" in said else 'judge = "lawty"'
    position = f'turn = 1\n{judge}\n{said}\n[options]\nillegal_plays = "discard"\n[hands]\n1 = ["fireball"]'
    view = game.build_position(position, Chance.of_number(1)).view(1)
    (action,) = game.words.parse_actions(line, view, ())
    assert game.words.preview_action(view, action, NAMES).startswith(says)


def test_what_is_dispelled_unseen_is_not_said_to_be_known_to_its_caster_alone() -> None:
    game = all_games()["ikasamage"]
    spells = '[spells]\n1 = [{ card = "might", by = 2, known_to = [3] }]'
    position = f'turn = 1\njudge = "lawty"\n[hands]\n1 = ["dispel_magic"]\n{spells}'
    view = game.build_position(position, Chance.of_number(1)).view(1)
    (action,) = game.words.parse_actions("cast dispel_magic 1.1", view, ())
    assert game.words.preview_action(view, action, NAMES).startswith("You do not know what 1.1 is. 1 ")


def test_a_bet_is_foretold_by_what_it_pays_now() -> None:
    game = all_games()["ikasamage"]
    view = game.start(3, options_from(game, {}), Chance.of_number(1))[0].view(1)
    said = game.words.preview_action(view, Bet((2, 5)), NAMES)
    assert re.fullmatch(r"If it wins, you get: 2 \S.* \d+ gold, 5 \S.* \d+ gold\.", said)


@pytest.mark.parametrize(("lasting", "moves"), [("", True), ('[{ card = "spiteful_umbrella", counters = 2 }]', False)])
def test_what_a_protection_keeps_off_is_not_foretold(lasting: str, moves: bool) -> None:
    game = all_games()["mages-110m"]
    shield = f"lasting = {lasting}" if lasting else ""
    position = f'turn_of = 1\n[[mage]]\nhand = ["second_thoughts"]\n[[mage]]\nsquare = 5\n{shield}'
    view = game.build_position(position, Chance.of_number(1)).view(1)
    said = game.words.preview_action(view, race_moves.Cast("second_thoughts", 2), NAMES)
    assert ("Bob from square 5 to 3." in said) is moves
    assert "It needs a roll of 4 or more (3 of 6)." in said


@pytest.mark.parametrize(("hand", "may"), [('["hop"]', True), ("[]", False)])
def test_an_answer_is_foretold_only_where_somebody_has_a_card_to_answer_with(hand: str, may: bool) -> None:
    game = all_games()["mages-110m"].with_cards(DECK)
    view = game.build_position(
        f'turn_of = 1\n[[mage]]\nhand = ["hop", "hop"]\n[[mage]]\nhand = {hand}', Chance.of_number(1)
    ).view(1)
    said = game.words.preview_action(view, race_moves.Cast("hop"), NAMES)
    assert ("The others may answer it." in said) is may


@pytest.mark.parametrize(
    ("card", "limbs", "square"),
    [
        ("you arm -2, you leg -2, you advance 2", (2, 1), 5),
        ("you leg -2, you advance 1", (0, 1), 4),
        ("you limb, you advance 1", (1, 0), 4),
        ("you limb, you advance 1", (1, 1), 3),
        ("you arm +1, you advance 1", (0, 0), 3),
        ("you raise 1, you advance 1", (0, 0), 4),
        ("you limb, you advance 1", (0, 0), 4),
        ("you limb, you advance 1", (0, 1), 4),
        ("you limb, you advance 1", (0, 2), 3),
        ("you limb, you advance 1", (2, 0), 3),
        ("you limb, you limb, you advance 1", (0, 2), 4),
        ("you limb, you limb, you advance 1", (2, 0), 4),
        ("you limb, you arm -1, you advance 1", (1, 2), 3),
        ("you smash 1, you raise 1, you advance 1", (1, 1), 3),
        ("you smash 2, you back 1, you raise 1, you advance 2", (1, 1), 2),
        ("you charge 1, you back 1, you advance 1", (1, 1), 4),
        ("you charge 2, you back 9, you advance 9", (1, 1), 5),
        ("all dispel, you advance 1", (1, 1), 3),
    ],
)
def test_what_a_spell_does_first_counts_for_the_way_that_is_foretold(
    card: str, limbs: tuple[int, int], square: int
) -> None:
    effects = ", ".join(f'"{effect}"' for effect in card.split(", "))
    hop = DECK.replace('effects = ["you advance 1"]', f"effects = [{effects}]", 1)
    game = all_games()["mages-110m"].with_cards(hop)
    mage = f'hand = ["hop"]\nsquare = 3\nhurdles = [3, 4, 5, 6, 7, 8, 9, 10]\narms = {limbs[0]}\nlegs = {limbs[1]}'
    lasting = 'lasting = [{ card = "balloon", counters = 1 }]' if "dispel" in card else ""
    state = game.build_position(f"turn_of = 1\n[[mage]]\n{mage}\n{lasting}\n[[mage]]\nhand = []", Chance.of_number(1))
    said = game.words.preview_action(state.view(1), race_moves.Cast("hop"), NAMES)
    assert re.findall(r"Ann from square 3 to (\d+)", said) == ([str(square)] if square != 3 else [])
    state.apply(1, race_moves.Cast("hop"))
    after = state.view(1)
    assert isinstance(after, SeatRace)
    assert after.mages[0].square == square


def test_power_before_the_king_is_foretold_to_burst_in_the_turn_of_another() -> None:
    game = all_games()["mages-110m"]
    mages = '[[mage]]\nhand = []\n[[mage]]\npower = 4\nhand = ["dramatic_pose"]'
    top = 'top = ["cv_fluent_toad", "bored_king"]'
    state = game.build_position(f'turn_of = 1\nphase = "begin"\n{top}\n{mages}', Chance.of_number(1))
    if state.to_move() == {1}:
        state.apply(1, state.legal_actions(1)[0])
    said = game.words.preview_action(state.view(2), race_moves.Cast("dramatic_pose"), NAMES)
    assert "Your power bursts after the spell" in said
    state.apply(2, race_moves.Cast("dramatic_pose"))
    after = state.view(2)
    assert isinstance(after, SeatRace)
    assert after.mages[1].square == 2


def test_a_gem_that_is_discarded_is_foretold_with_how_many_stay() -> None:
    game = all_games()["magecraft"]
    state, _ = game.start(2, options_from(game, {}), Chance.of_number(1))
    (seat,) = state.to_move()
    for action in state.legal_actions(seat):
        after = state.clone()
        after.apply(seat, action)
        view = after.view(seat)
        assert isinstance(view, MageView)
        assert f" {total_gems(view.you.hand)} stay in hand." in game.words.preview_action(
            state.view(seat), action, NAMES
        )


def test_who_has_fewer_gems_than_a_hand_is_foretold_to_draw_those() -> None:
    game = all_games()["magecraft"]
    mage = '[[mage]]\nhand = "1F"\nbag = ""\ndiscard = "1W"'
    state = game.build_position(f"turn = 1\n{mage}\n[[mage]]\n", Chance.of_number(1))
    end = state.legal_actions(1)[-1]
    assert (
        game.words.preview_action(state.view(1), end, NAMES)
        == "The turn ends. Your hand is discarded, and you draw 2 gems."
    )
    state.apply(1, end)
    view = state.view(1)
    assert isinstance(view, MageView)
    assert total_gems(view.you.hand) == 2
