"""The report of a cup: figures against those computed by hand, a page that is whole, and what it must not tell."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import client.tournament.report
from bots.sdk.lab import make_plan, measure
from client.cli.plan_options import repeat_command
from client.cli.progress import show_progress
from client.cli.report import write_report
from client.tournament import replay_frames, report_page
from client.tournament.match_text import render_match_text
from client.tournament.plan import TournamentPlan
from client.tournament.report import CupReport, render_csv
from client.tournament.report_page import render_page
from client.tournament.thinking_time import MatchTiming, ThinkingTime, thinking_times
from games.registry import all_games
from matches.ledger import DecisionTime
from matches.record import iter_replay_lines
from protocol.entries import ActionTaken
from protocol.messages import SeatResult
from tests.helpers.toy import TOY
from tests.tournaments.cups_played import played, record_of, settings
from tournaments.cup import Cup, CupStateChanged, EntrantEntered, MatchEnded, MatchPaired
from tournaments.figures import crosstable, win_shares_by_seat
from tournaments.schedule import Pairing
from tournaments.standings import CountedMatch


def match(number: int, entrants: tuple[int, ...], *places: int) -> CountedMatch:
    seats = [SeatResult(seat, "", 10 - place, place) for seat, place in enumerate(places, 1)]
    return CountedMatch(Pairing(number, number, entrants), f"t{number}", tuple(seats))


MATCHES = [match(1, (0, 1, 2), 1, 2, 3), match(2, (1, 2, 0), 1, 1, 3), match(3, (2, 0, 1))]


def report(**more: Any) -> CupReport:
    """A cup of the toy game that is over."""
    cup, _replays = played()
    made: dict[str, Any] = {
        "settings": cup.settings,
        "names": cup.entrant_names,
        "matches": cup.finished_matches(),
        "planned": cup.planned_match_count,
        "state": cup.state,
        "stories": {
            cup.tables[pairing.number]: render_match_text(record_of(cup, pairing, cup.tables[pairing.number]))
            for pairing in cup.pairings()
        },
    }
    return CupReport(**(made | more))


def embedded(page: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page)
    assert found is not None
    return msgspec.json.decode(found[1])


def test_the_tables_of_three_matches_come_out_as_computed_by_hand() -> None:
    assert crosstable(3, MATCHES) == [[None, 0.5, 0.5], [0.5, None, 0.75], [0.5, 0.25, None]]
    assert win_shares_by_seat(3, 3, MATCHES) == [
        [1.0, None, 0.0],
        [0.5, 0.0, None],
        [None, 0.5, 0.0],
        [0.75, 0.25, 0.0],
    ]


def test_a_story_has_a_moment_for_each_decision_and_the_end_and_the_seconds_of_each_decision() -> None:
    cup, _replays = played()
    record = record_of(cup, cup.pairings()[0], "t1")
    entries = [msgspec.structs.replace(one, at=0.5 * number) for number, one in enumerate(record.entries, 1)]
    story = render_match_text(type(record)(record.game, record.header, tuple(entries)))
    decisions = [one for one in entries if isinstance(one, ActionTaken)]
    assert len(story.moments) == len(decisions) + 1
    assert story.lines[story.moments[-1][0]] == "The end"
    assert [spent.thinking for spent in story.timed.spent[:3]] == [0.5, 1.0, 1.5], "all three choose at once"
    assert len(story.timed.spent) == len(decisions)


def test_the_times_of_two_matches_come_out_as_computed_by_hand() -> None:
    def spent(seat: int, thinking: float, why: str = "", ours: float = 0.0) -> DecisionTime:
        return DecisionTime(seat, 1, 0.0, thinking, ours, 0.0, why)

    first = MatchTiming((spent(1, 1.0), spent(2, 2.0), spent(1, 4.0, ours=0.5), spent(2, 9.0, "house")), 20.0)
    second = MatchTiming((spent(1, 3.0, ours=0.25), spent(2, 6.0), spent(2, 10.0, "time")), 20.0)
    third = MatchTiming((spent(1, 5.0, "time"), spent(1, 4.5, "time")), 10.0)
    ann, bob, none, late = thinking_times(4, [((0, 1), first), ((0, 1), second), ((3,), third)])
    assert ann == ThinkingTime(3, 8 / 3, 3.0, 4.0, 8.0, 0.2, 0.75)
    assert bob == ThinkingTime(2, 4.0, 4.0, 6.0, 18.0, 0.45, 0.0), (
        "time that ran out is thinking, but no decision of its own"
    )
    assert none is None
    assert late == ThinkingTime(0, None, None, None, 9.5, 0.95, 0.0), (
        "who was late each time is not one who was never asked"
    )


def test_the_page_tells_everything_and_needs_nothing() -> None:
    made = report(command="magehall tournament run toy")
    page = render_page(made)
    assert not re.search(r"""(src|href)=["'](?!#)|@import|url\(|https?:""", page)
    figures, stories = embedded(page, "figures"), embedded(page, "stories")
    assert len(stories) == len(figures["matches"]) == page.count(">step through</a>") == 6
    assert figures["secret"] == made.settings.secret.hex()
    for name in made.names:
        assert page.count(f">{name}</th>") >= 2
    assert "Playing the same deal at several tables" in page
    assert "magehall tournament run toy" in page


def test_the_page_names_format_and_endings_in_words_and_figures_by_their_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_page, "all_games", lambda: {"toy": TOY})
    made = report()
    away, late = msgspec.structs.replace(made.matches[0].results[0], how="absent"), made.matches[0].results[1:]
    hows = (away, *(msgspec.structs.replace(one, how="late") for one in late))
    made = replace(made, matches=[msgspec.structs.replace(made.matches[0], results=hows), *made.matches[1:]])
    text = re.sub(r"<script.*?</script>", "", render_page(made), flags=re.DOTALL)
    assert "3 seats, round robin, duplicate deals: " in text
    assert "<li>somebody had the most points <b>6</b></li>" in text
    for how in ("played to the end", "was late too often", "was absent"):
        assert f"<th>{how}</th>" in text
    assert ">points<b>" not in text
    assert "round_robin" not in text
    figures = made.figures()
    assert (figures["format"], figures["reasons"]) == ("round_robin", {"points": 6})
    assert {"ended played", "ended late", "ended absent"} <= set(render_csv(figures).split("\n")[0].split(","))


def test_every_game_says_in_words_how_its_matches_end() -> None:
    for game in all_games().values():
        ended = measure(make_plan(game, ["random"], deals=8)).shares["ended by"]
        assert set(ended) <= set(game.reasons)


def test_where_not_every_match_has_room_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [story.approximate_bytes for story in report().stories.values()]

    def said(page: str) -> bool:
        return f"The page has room to step through the first 1 of its {len(sizes)} matches" in page

    assert not said(render_page(report()))
    monkeypatch.setattr(client.tournament.report, "STORY_BYTES", sizes[0])
    page = render_page(report())
    assert (said(page), sorted(embedded(page, "stories"))) == (True, ["1"])


def test_on_paper_a_wide_crosstable_is_in_parts_that_have_all_of_it() -> None:
    matches = [match(number, (number, number + 1, number + 2), 1, 2, 3) for number in range(27)]
    page = render_page(report(names=[f"n{number}" for number in range(29)], matches=matches))
    screen, *paper = re.findall(r'<table class="(?:screen|paper)"><thead><tr><th></th>(.*?)</tr>', page)
    assert [head.count("<th>") for head in paper] == [12, 12, 5]
    assert "".join(paper) == screen
    assert 'class="paper"' not in render_page(report())


def test_who_was_late_at_every_decision_stands_among_the_thinking_times() -> None:
    made = report()
    stories = {
        table: replace(
            story, timed=MatchTiming(tuple(msgspec.structs.replace(one, why="time") for one in story.timed.spent), 9.0)
        )
        for table, story in made.stories.items()
    }
    late = replace(made, stories=stories)
    names = re.findall(r"<tr><th>(\w+)</th><td>0</td><td>-</td><td>-</td><td>-</td>", render_page(late))
    assert sorted(names) == sorted(made.names)
    assert [row["decisions"] for row in csv.DictReader(io.StringIO(render_csv(late.figures())))] == ["0"] * 6


def test_c11_a_name_cannot_become_part_of_the_page() -> None:
    names = ["</script><b>x", *(f"e{number}" for number in range(1, 6))]
    page = render_page(report(names=names))
    assert "<b>x" not in page
    assert embedded(page, "figures")["entrants"] == names


def test_c11_the_csv_has_a_row_for_each_entrant_and_no_formula() -> None:
    names = ["=1+1", *(f"e{number}" for number in range(1, 6))]
    rows = list(csv.DictReader(io.StringIO(render_csv(report(names=names).figures()))))
    assert sorted(row["entrant"] for row in rows) == ["'=1+1", "e1", "e2", "e3", "e4", "e5"]
    assert all(0 <= float(row["score in seat 1"] or 0) <= 1 and row["ended played"] == "3" for row in rows)
    assert [row["lead"] for row in rows].count("") == 0


def test_while_the_cup_runs_the_page_tells_no_secret_and_no_match_whose_deal_is_still_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay_frames, "all_games", lambda: {"toy": TOY})
    cup, drawn, replays = Cup(settings()), replay_frames.ReplayRenderer(), dict[str, bytes]()
    read = list[str]()

    def source(table: str) -> bytes:
        read.append(table)
        return replays[table]

    def page() -> str:
        assert drawn.render_matches(cup, source) == []
        return render_page(drawn.build_report(cup))

    for number in range(6):
        cup.apply(EntrantEntered(0.0, f"e{number}", (f"p1-e{number}",)))
    cup.apply(CupStateChanged(0.0, "running"))
    for done, pairing in enumerate(cup.pairings()[:3], 1):
        table = f"t{pairing.number}"
        record = record_of(cup, pairing, table)
        replays[table] = b"".join(iter_replay_lines(record.game, record.header, record.entries))
        cup.apply(MatchPaired(0.0, pairing.number, table))
        assert table not in cup.publishable_tables(), "it is not over"
        cup.apply(MatchEnded(0.0, pairing.number, table, match(1, pairing.entrants, 1, 2, 3).results))
        told = page()
        assert sorted(embedded(told, "stories")) == {1: [], 2: ["1", "2"], 3: ["1", "2"]}[done]
        assert cup.settings.secret.hex() not in told
        assert "p1-e" not in told, "whose process it was"
    cup.apply(CupStateChanged(0.0, "stopped"))
    assert read == ["t1", "t2"], "what is not to be shown is not even read"
    told = page()
    assert sorted(embedded(told, "stories")) == ["1", "2", "3"]
    assert cup.settings.secret.hex() in told


def test_a_match_is_drawn_once_and_one_that_cannot_be_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_frames, "all_games", lambda: {"toy": TOY})
    asked = list[int]()

    def each(draw: Callable[..., object], *of_each: Iterable[object]) -> Iterable[object]:
        done = list(map(draw, *of_each))
        asked.append(len(done))
        return done

    cup, replays = played()
    drawn, tables = replay_frames.ReplayRenderer(each), list(replays)
    replays[tables[1]] = b"no replay"
    for most in (1, 2, None):
        wrong = drawn.render_matches(cup, replays.get, most=most)
        assert [text.split(":")[0] for text in wrong] == ([tables[1]] if most == 2 else [])
    assert asked == [1, 2, len(tables) - 3]
    assert len(drawn.build_report(cup).stories) == len(tables) - 1


def test_a_match_that_cannot_be_of_the_cup_is_named_and_the_others_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_frames, "all_games", lambda: {"toy": TOY})
    cup, replays = played()
    duel, smaller = played(settings(seats=2))
    first, second, third, *others = cup.tables.values()
    replays[first] = smaller[duel.tables[1]]
    del replays[second]
    drawn = replay_frames.ReplayRenderer()
    assert drawn.render_matches(cup, lambda table: {} if table == third else replays.get(table)) == [
        f"{first}: it has 2 seats, not 3.",
        f"{second}: its replay is missing.",
        f"{third}: no match of that table is stored.",
    ]
    assert sorted(drawn.build_report(cup).stories) == others


def test_a_file_is_the_old_or_the_new_one_and_nothing_half_is_left(tmp_path: Path) -> None:
    page, table = tmp_path / "page.html", tmp_path / "table.csv"
    for _ in range(2):
        write_report(report(), page, table)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "table.csv"]
    assert page.read_text().endswith("</html>\n")


def test_the_command_says_the_secret_only_when_it_is_told() -> None:
    plan = TournamentPlan("toy", ("a.py:A b", "c"), seats=3, rounds=2, seed=4, secret=bytes(32), options={"rounds": 2})
    assert bytes(32).hex() not in repeat_command(plan)
    assert repeat_command(plan, told=True) == (
        "magehall tournament run toy --bot 'a.py:A b' --bot c --seats 3 --rounds 2 --seed 4 --format round_robin"
        f" --deals fresh --clock 300+30 --concurrency 4 --option rounds=2 --secret {bytes(32).hex()}"
    )


def test_progress_without_a_terminal_is_a_line_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0.0, 4.0, 10.0, 10.0, 19.0, 20.0, 20.0])
    with show_progress("matches", lambda: next(times, 20.0)) as on_match:
        for done in range(1, 5):
            on_match(done * 10, 100)
    told = capsys.readouterr().err
    assert told == "20 of 100 matches, 2.0 a second, 40 s left\n40 of 100 matches, 2.0 a second, 30 s left\n"


def browsed(folder: Path, *arguments: str) -> str:
    """What a page is once its script has run."""
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run([*command, "--dump-dom", *arguments], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no chromium here")
@pytest.mark.parametrize(("width", "what"), [pytest.param(1100, "", marks=pytest.mark.soak), (390, "#m2")])
def test_a_browser_shows_the_page_and_steps_through_a_match(tmp_path: Path, width: int, what: str) -> None:
    file = tmp_path / "page.html"
    file.write_text(render_page(report()))
    shown = browsed(
        tmp_path, f"--window-size={width},900", f"--screenshot={tmp_path / 'shot.png'}", file.as_uri() + what
    )
    assert (tmp_path / "shot.png").stat().st_size > 10_000
    viewer = re.search(r'<section id="viewer"(.*?)>.*?<h3>(.*?)</h3>.*?<pre>(.*?)</pre>', shown, re.DOTALL)
    assert viewer is not None
    assert (viewer[1], viewer[2]) == (("", "Match 2") if what else (' hidden=""', ""))
    assert ("Before decision 1" in viewer[3]) == bool(what)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no chromium here")
def test_escape_closes_a_match_though_its_slider_was_used_last(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    pressed = 'slider.focus(); slider.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));'
    told = "document.title = location.hash;"
    file.write_text(f"{render_page(report())}<script>{pressed} {told}</script>")
    assert "<title>#matches</title>" in browsed(tmp_path, file.as_uri() + "#m2")
