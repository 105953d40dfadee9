"""Comparisons of two bots: the same deals and seats for both, and what is said at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from bots.sdk.seeds import bot_seed
from client.cli.app import app
from client.cli.compare import describe_comparison
from client.tournament.comparison import ComparisonPlan, Verdict, count_forfeits, play_comparison, share_differences
from client.tournament.comparison_folder import open_comparison
from client.tournament.plan import TournamentPlan
from client.tournament.roster import entrant_seeds
from client.tournament.run import TournamentResult
from client.tournament.tournament_folder import TournamentFolderError
from protocol.messages import SeatResult
from tournaments.formats.registry import make_format
from tournaments.schedule import Pairing
from tournaments.standings import CountedMatch

PLAN = TournamentPlan("toy", (), seats=3, rounds=1, seed=7, secret=bytes(32))


@pytest.mark.parametrize(("field", "deals"), [((), 40), (("a",), 40), (("a", "b", "c", "d"), 41)])
def test_both_play_the_same_deals_in_the_same_seats_and_company(field: tuple[str, ...], deals: int) -> None:
    duel = ComparisonPlan(PLAN, "new", "old", field)
    first, second = duel.batch_plans(1, deals)
    assert (first.secret, first.seed) == (second.secret, second.seed)
    assert first.secret != duel.batch_plans(2, deals)[0].secret
    turned = {"new": "old", "old": "new"} if not field else {"new": "old"}
    assert second.bots == tuple(turned.get(bot, bot) for bot in first.bots)
    made = make_format(first.format, first.deals, len(first.bots), first.seats, first.rounds, first.seed)
    assert deals - duel.deals_per_round < made.planned <= deals
    assert len(first.bots) >= 3 or not field
    assert all(0 in pairing.entrants for pairing in made.known_pairings({}))


def test_g17_the_number_that_repeats_a_tournament_does_not_tell_an_entrant_the_chance_of_the_others() -> None:
    """It is 1 for most tournaments. Entrants know their own seeds, and may try numbers until one gives these."""
    seeds, others = entrant_seeds(PLAN, 3), entrant_seeds(replace(PLAN, secret=bytes([1] * 32)), 3)
    assert len({*seeds, *others, *(bot_seed(PLAN.seed, "entrant", number) for number in range(3))}) == 9
    assert seeds == entrant_seeds(PLAN, 3), "with the same secret it is the same tournament"


def match(number: int, entrants: tuple[int, ...], winner: int) -> CountedMatch:
    seats = tuple(SeatResult(seat, "", 0, 1 if seat == winner else 2) for seat in range(1, len(entrants) + 1))
    return CountedMatch(Pairing(number, number, entrants), "t1", seats if winner else ())


def test_a_difference_is_what_the_new_bot_got_more_of_the_win() -> None:
    first = [match(1, (0, 1, 2), 1), match(2, (1, 0, 2), 1), match(3, (0, 1, 2), 0), match(4, (1, 2, 0), 3)]
    second = [match(1, (0, 1, 2), 2), match(2, (1, 0, 2), 2), match(3, (0, 1, 2), 1)]
    assert share_differences(first, second, duels=False) == [1, -1]
    duels = [match(1, (0, 1), 1), match(2, (1, 0), 1)]
    assert share_differences(duels, duels, duels=True) == [0, 0], "the same seat won: the deal says nothing"
    assert share_differences(duels, [match(1, (0, 1), 2), match(2, (1, 0), 2)], duels=True) == [1, -1]


@pytest.mark.parametrize(("interrupted", "both", "alone"), [(1, 0, 2), (2, 2, 3)])
async def test_ctrl_c_within_a_batch_leaves_the_deals_that_both_have_played_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch, interrupted: int, both: int, alone: int
) -> None:
    sides = []

    async def hold(plan: TournamentPlan, _on_match: object) -> TournamentResult:
        sides.append(plan)
        numbers = (1, 2, 4) if len(sides) == interrupted else range(1, 6)
        played = [match(number, (0, 1), len(sides)) for number in numbers]
        return TournamentResult(plan.bots, [], 5, played, [], {}, len(sides) == interrupted)

    monkeypatch.setattr("client.tournament.comparison.run_tournament", hold)
    verdict = await play_comparison(ComparisonPlan(replace(PLAN, seats=2), "new", "old", ("random",)))
    assert (verdict.comparison.deal_count, verdict.alone, verdict.interrupted) == (both, alone, True)
    assert verdict.comparison.mean_difference == bool(both)


@pytest.mark.parametrize(("most", "batches"), [(2, [2]), (3, [2]), (40, [32, 8])])
async def test_no_more_deals_are_played_than_are_asked_for_at_most(
    monkeypatch: pytest.MonkeyPatch, most: int, batches: list[int]
) -> None:
    played = []

    async def hold(plan: TournamentPlan, _on_match: object) -> TournamentResult:
        made = make_format(plan.format, plan.deals, len(plan.bots), plan.seats, plan.rounds, plan.seed)
        played.append(made.planned)
        matches = [match(number, (0, 1), number % 2 + 1) for number in range(1, (made.planned or 0) + 1)]
        return TournamentResult(plan.bots, [], len(matches), matches, [], {}, interrupted=False)

    monkeypatch.setattr("client.tournament.comparison.run_tournament", hold)
    verdict = await play_comparison(ComparisonPlan(replace(PLAN, seats=2), "new", "old", most=most))
    assert played == [deals for deals in batches for _side in range(2)]
    assert verdict.comparison.deal_count == sum(batches)


def test_fewer_deals_than_a_round_has_are_refused() -> None:
    command = ["tournament", "compare", "random", "greedy", "--game", "ikasamage", "--most", "1"]
    result = CliRunner().invoke(app, command)
    assert (
        result.exit_code,
        "--most must be at least 2 here, because a round has that many deals." in result.stderr,
    ) == (2, True)


def test_seats_that_a_bot_did_not_play_to_the_end_are_counted_for_it() -> None:
    left = CountedMatch(Pairing(3, 3, (1, 0)), "t3", (SeatResult(1, "", 0, 2, "crashed"), SeatResult(2, "", 5, 1)))
    assert count_forfeits(("new", "old"), [match(1, (0, 1), 1), left, match(4, (0, 1), 0)]) == {"old": 1}


def test_the_sentence_says_who_is_better_or_that_nobody_knows() -> None:
    verdict = Verdict()
    duel = ComparisonPlan(PLAN, "new", "old")
    assert "both bots did not finish any deal" in describe_comparison(duel, verdict)
    for _ in range(20):
        verdict.comparison.add_difference(-0.5)
    assert "After 20 deals it is not known which is better" in describe_comparison(duel, verdict)
    verdict.better = -1
    assert describe_comparison(duel, verdict).startswith(
        "old is better than new: NEW against OLD -0.500 of the win per deal, 95 %"
    )


def test_a_comparison_needs_to_know_the_game() -> None:
    result = CliRunner().invoke(app, ["tournament", "compare", "random", "random"])
    assert (result.exit_code, "Choose a game with --game: " in result.stderr) == (2, True)
    result = CliRunner().invoke(app, ["tournament", "compare", "hurdler", "nobody", "--game", "mages-110m"])
    assert (result.exit_code, "There is no bot 'nobody'" in result.stderr) == (2, True)


def test_a_comparison_says_which_bot_did_not_play_and_its_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fought(_duel: ComparisonPlan, _on_deal: object) -> Verdict:
        return Verdict(forfeits=Counter({"random": 3}), troubles={"random#1": "no model"}, alone=1)

    monkeypatch.setattr("client.cli.compare.play_comparison", fought)
    command = ["tournament", "compare", "random", "random", "--game", "mages-110m"]
    result = CliRunner().invoke(app, command)
    said = "random#1:\n  no model\nrandom did not play 3 seats to the end and gets the last place there.\n"
    assert (result.exit_code, said in result.stderr) == (1, True), result.output
    assert "NEW has played 1 more deal that OLD has not played, so it does not count." in result.stderr
    assert msgspec.json.decode(CliRunner().invoke(app, [*command, "--json"]).stdout)["forfeits"] == {"random": 3}


def test_bounds_in_elo_are_differences_of_what_the_two_get_of_the_win() -> None:
    assert ComparisonPlan(PLAN, "new", "old").share_bounds is None
    two = ComparisonPlan(replace(PLAN, seats=2), "new", "old", elo0=0.0, elo1=400.0)
    assert two.share_bounds == pytest.approx((0.0, 2 * (10 / 11) - 1))
    assert replace(two, plan=replace(PLAN, seats=4)).share_bounds == pytest.approx(two.share_bounds)
    field = replace(two, plan=replace(PLAN, seats=4), field=("a",))
    assert field.share_bounds == pytest.approx((0.0, 10 / 13 - 1 / 4))


def test_no_better_is_an_answer_with_bounds_and_the_sentence_says_it() -> None:
    duel = ComparisonPlan(replace(PLAN, seats=2), "new", "old", elo0=0.0, elo1=20.0)
    verdict = Verdict()
    for number in range(300):
        verdict.comparison.add_difference(0.5 if number % 4 == 0 else -0.5)
    verdict.update_answer(duel)
    assert (verdict.answer, verdict.better) == ("no_better", 0)
    assert describe_comparison(duel, verdict).startswith(
        "new is no better than old, certainly less than +20 Elo ahead: NEW against OLD"
    )
    better = Verdict()
    for _ in range(300):
        better.comparison.add_difference(0.5)
    better.update_answer(replace(duel, elo0=10.0))
    assert describe_comparison(replace(duel, elo0=10.0), better).startswith(
        "new is better than old by more than +10 Elo: NEW"
    )


@pytest.mark.parametrize(
    ("bounds", "says"),
    [
        (["--elo0", "0"], "--elo0 and --elo1 go together"),
        (["--elo0", "5", "--elo1", "5"], "--elo0 must be below --elo1, but 5 is not below 5."),
        (["--elo0", "0", "--elo1", "nan"], "must be below"),
    ],
)
def test_bounds_that_make_no_question_are_refused(bounds: list[str], says: str) -> None:
    result = CliRunner().invoke(app, ["tournament", "compare", "random", "greedy", "--game", "ikasamage", *bounds])
    assert (result.exit_code, says in result.stderr) == (2, True)


async def test_a_kept_comparison_goes_on_with_its_batches_and_forgets_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    held: list[TournamentPlan] = []

    async def hold(plan: TournamentPlan, _on_match: object) -> TournamentResult:
        held.append(plan)
        made = make_format(plan.format, plan.deals, len(plan.bots), plan.seats, plan.rounds, plan.seed)
        matches = [match(number, (0, 1), number % 2 + 1) for number in range(1, (made.planned or 0) + 1)]
        return TournamentResult(plan.bots, [], len(matches), matches, [], {}, len(held) == 4)

    monkeypatch.setattr("client.tournament.comparison.run_tournament", hold)
    duel = ComparisonPlan(replace(PLAN, seats=2, game="ikasamage"), "new", "old", most=100)
    kept = open_comparison(duel, tmp_path, secret_is_given=False)
    verdict = await play_comparison(duel, kept=kept)
    assert (verdict.interrupted, verdict.comparison.deal_count, [*map(len, kept.batches)]) == (True, 80, [32])
    asked = replace(duel, plan=replace(duel.plan, secret=bytes([9] * 32), concurrency=1))
    again = open_comparison(asked, tmp_path, secret_is_given=False)
    assert (again.duel.plan.secret, again.duel.plan.concurrency) == (bytes(32), 1)
    verdict = await play_comparison(again.duel, kept=again)
    assert (verdict.comparison.deal_count, [*map(len, again.batches)]) == (100, [32, 48, 20])
    assert held[4].secret == held[2].secret, "the batch that was interrupted is played on"
    with pytest.raises(TournamentFolderError, match="contains another comparison: its old is old"):
        open_comparison(replace(duel, old="other"), tmp_path, secret_is_given=False)
    with pytest.raises(TournamentFolderError, match="its secret is another one"):
        open_comparison(asked, tmp_path, secret_is_given=True)


def test_a_folder_with_something_else_in_it_takes_no_comparison(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(TournamentFolderError, match="other files"):
        open_comparison(ComparisonPlan(PLAN, "new", "old"), tmp_path, secret_is_given=False)
    (tmp_path / "comparison.json").write_text("{}")
    with pytest.raises(TournamentFolderError, match="cannot be read"):
        open_comparison(ComparisonPlan(PLAN, "new", "old"), tmp_path, secret_is_given=False)


def test_two_real_bots_are_compared_without_sockets_and_no_program_of_another_kind(tmp_path: Path) -> None:
    command = ["tournament", "compare", "hurdler", "random", "--game", "mages-110m", "--seats", "2", "--local"]
    data = ["--data", str(tmp_path / "kept"), "--json"]
    result = CliRunner().invoke(app, [*command, *data])
    assert msgspec.json.decode(result.stdout)["answer"] == "better", result.output
    assert CliRunner().invoke(app, [*command, *data]).stdout == result.stdout, "it is kept"
    refused = CliRunner().invoke(app, [*command[:2], "cmd:cat", *command[3:], "--unconfined"])
    assert (refused.exit_code, "cannot play with --local" in refused.stderr) == (2, True)
