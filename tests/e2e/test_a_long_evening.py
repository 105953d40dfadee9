"""One evening in real terminals, from coming together to the last goodbye, and what people are to see on it.

Four people's clients (one at each size, one in plain lines), somebody at a telnet and a spectator. Each row that is
printed is one expectation; what is missing ends the evening's test, not the evening.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.guests import MAGEHALL, ROOT, Evening, House
from tests.helpers.terminal import Terminals, needs_tmux, terminals

__all__ = ["terminals"]

pytestmark = [needs_tmux, pytest.mark.soak, pytest.mark.timeout(1_500)]
PLAYERS = ["ann", "bob", "cid", "dee", "tel"]


@pytest.fixture
def evening(terminals: Terminals, tmp_path: Path) -> Iterator[Evening]:
    house = House(tmp_path / "hall")
    house.open()
    try:
        yield Evening(terminals, house)
    finally:
        house.close()


def test_an_evening_shows_what_people_are_to_see(evening: Evening) -> None:
    they_come_together(evening)
    they_find_out_how_to_play(evening)
    they_use_their_keys(evening)
    they_lose_their_connections(evening)
    they_play_to_the_end(evening)
    they_play_again(evening)
    they_play_another_game_with_open_hands(evening)
    they_look_back_and_leave(evening)
    alone_at_home(evening)
    for guest in evening.guests.values():
        if "Traceback" in guest.terminal.history():
            evening.missing.append(f"{guest.name} saw a traceback:\n{guest.terminal.history()[-3_000:]}")
    print(f"{sum(held for held, _ in evening.rows)} of {len(evening.rows)} expectations")
    assert len(evening.rows) >= 60
    assert not evening.missing, "\n\n".join(evening.missing)


def play(evening: Evening, name: str, more: str = "") -> str:
    return f"{MAGEHALL} play --port {evening.house.port} --name {name} {more}"


def they_come_together(evening: Evening) -> None:
    ann = evening.comes("ann", play(evening, "ann", "ikasamage --seats 5"))
    evening.expect("who opens a table reads for how many it waits", ann, "Waiting for 4 more, or add BOT.")
    evening.comes("bob", play(evening, "bob"), columns=120, rows=40)
    evening.expect("who comes without a word gets a seat at the table that waits", ann, "2 bob")
    cid = evening.comes("cid", play(evening, "cid", "--confirm"), columns=40, rows=20)
    evening.expect("the third sits down on a small screen", cid, lambda seen: "2 bob, 3 cid" in _one(seen))
    dee = evening.comes("dee", play(evening, "dee", "--plain"), kind="plain")
    evening.expect("plain lines say which table it is", dee, "t1   ikasamage, open: 1 ann, 2 bob, 3 cid, 4 dee")
    tel = evening.comes("tel", f"telnet 127.0.0.1 {evening.house.port}", kind="telnet")
    evening.expect("telnet is greeted", tel, "type help")
    tel.type("hello tel")
    evening.expect("by telnet one is told how to come back", tel, "come back with: hello tel ")
    tel.type("tables")
    evening.expect("by telnet one sees which tables wait", tel, "t1   ikasamage, open: 1 ann")
    eve = evening.comes("eve", f"{MAGEHALL} watch t1 --port {evening.house.port} --name eve")
    evening.expect("a spectator may come before the match", eve, "You watch t1.")
    tel.type("join")
    evening.expect("join alone takes the one seat that is free", tel, "You have seat 5.")
    for name in ("ann", "bob", "cid"):
        begun = lambda seen: re.search(r"R(ound )?1( of |/)3", seen) is not None  # noqa: E731
        evening.expect_now(f"{name} sees the board once all seats are taken", evening[name], begun)
    evening.expect("and in plain lines who sits where", dee, "The match begins: 1 ann, 2 bob, 3 cid, 4 dee, 5 tel.")
    evening.expect_now("the spectator sees the board move", eve, lambda seen: "Judge:" in seen and "1 ann" in seen)


def they_find_out_how_to_play(evening: Evening) -> None:
    first = evening.asked(PLAYERS)
    terminal = evening[first]
    if first in ("ann", "bob", "cid"):
        evening.expect_now("who is asked has a prompt that says so", terminal, lambda seen: "your turn>" in seen)
    if evening.guests[first].kind == "screen":
        terminal.press("F1")
    else:
        terminal.type("aim")
    evening.expect("F1 says what the game is about", terminal, "gold")
    terminal.type("?")
    evening.expect("? lists what may be done, with numbers", terminal, "bet 1 2 3")
    terminal.type("hint")
    evening.expect("hint shows what a house bot would do", terminal, "would do this: bet")
    terminal.type("why 1")
    evening.expect("why says what a number would do", terminal, "That would be legal.")
    terminal.type("bett 1")
    evening.expect("a typo is answered with what is meant", terminal, lambda seen: "mean: bet 1?" in _one(seen))
    terminal.type("xyzzy")
    evening.expect("what nobody knows is refused in a sentence", terminal, "! ")
    terminal.type("rules mana")
    evening.expect("rules are searched", terminal, lambda seen: "Enter shows the board" in seen or "Lawty, the" in seen)
    terminal.type("cards fireball")
    evening.expect("a card is explained", terminal, "Power -4.")
    terminal.type("bet 2")
    if first == "cid":
        terminal.type("yes")
    evening.expect("the own bet is confirmed", terminal, "Your bet is on 2.")
    other = next(name for name in ("ann", "bob") if name != first)
    evening.expect("others read that somebody bet", evening[other], f"{first} places")
    evening.note("and not on what", "bet is on 2" not in evening[other].history(), evening[other].history())
    evening.note("nor does the spectator", "bet is on 2" not in evening["eve"].history())
    waits = next(name for name in ("ann", "bob") if not evening.guests[name].is_asked())
    evening[waits].type("bet 1")
    evening.expect("who is not asked is told so", evening[waits], "! You have nothing to decide now.")
    evening.play([name for name in PLAYERS if name != "cid"], evening.guests["cid"].is_asked, 60)
    cid = evening["cid"]
    cid.type("1")
    evening.expect_now("with --confirm a decision waits for a yes", cid, lambda seen: "yes or undo>" in seen)
    cid.type("undo")
    evening.expect("undo takes it back", cid, "Taken back; it was not sent.")
    cid.type("2")
    evening.expect_now("and another one waits", cid, lambda seen: "yes or undo>" in seen)
    cid.type("yes")
    evening.expect_now("yes does it", cid, lambda seen: "yes or undo>" not in seen)


def _one(seen: str) -> str:
    return " ".join(seen.split())


def they_use_their_keys(evening: Evening) -> None:
    ann, bob, dee, tel, eve = [evening[name] for name in ("ann", "bob", "dee", "tel", "eve")]
    ann.type("say good luck")
    for name, terminal in (("plain lines", dee), ("telnet", tel), ("a spectator", eve)):
        evening.expect(f"what is said at the table is read by {name}", terminal, "ann: good luck")
    bob.type("tell ann psst")
    evening.expect("what is told to one is read by one", ann, "bob (to you): psst")
    evening.note("and by nobody else", "psst" not in dee.history() + tel.history() + eve.history())
    ann.type("reply what")
    evening.expect("reply answers who told it", bob, "ann (to you): what")
    dee.type("clock")
    evening.expect("clock says all clocks", dee, "of main time")
    ann.press("c", "l", "o", "c", "Tab")
    evening.expect_now("Tab completes a command", ann, lambda seen: "> clock" in seen)
    ann.press("C-c")
    evening.expect_now("Ctrl-C drops what is typed", ann, lambda seen: "> clock" not in seen.split("\n")[-3])
    ann.press("Up")
    evening.expect_now("an earlier line comes back", ann, lambda seen: "> reply what" in seen or "> say" in seen)
    ann.press("C-c")
    for columns, rows in ((40, 20), (120, 40)):
        evening.terminals.tmux("resize-window", "-t", "=bob:", "-x", str(columns), "-y", str(rows))
        evening.expect_now(
            f"a window made {columns} by {rows} shows board and input",
            bob,
            lambda seen, rows=rows: "t1 seat 2" in "".join(seen.split("\n")[rows - 1 :]) and "2 bob" in seen,  # type: ignore[misc]
        )
    ann.type("rules")
    ann.press("PPage")
    evening.expect_now("Page Up scrolls the log", ann, lambda seen: "more below: Page Down" in seen)
    ann.press("NPage")
    ann.press("C-z")
    evening.expect("Ctrl-Z goes back to the shell", ann, "Stopped")
    ann.type("fg")
    evening.expect_now("and fg back to the match", ann, lambda seen: "Enter shows the board again" in seen)
    ann.press("Enter")
    evening.expect_now("Enter brings the board back", ann, lambda seen: "Judge:" in seen and "t1 seat 1" in seen)
    ann.press("C-c")
    evening.expect("Ctrl-C asks before it leaves", ann, "Press it again to leave.")
    ann.press("C-d")
    evening.expect("Ctrl-D says what it does", ann, "a house bot plays on for you")
    ann.type("log 1")
    evening.expect("log tells it all again, numbered", ann, "   2  ")
    ann.type("resign")
    evening.expect("resign asks once", ann, lambda seen: "Type resign again to give the match up." in _one(seen))
    ann.type("clock")


def they_lose_their_connections(evening: Evening) -> None:
    tel = evening["tel"]
    code = re.findall(r"come back with: (hello tel \S+)", tel.history())[-1]
    evening.house.close()
    for name in ("ann", "bob", "dee", "eve"):
        evening.expect(f"{name} reads that the connection is lost", evening[name], "The connection is lost")
    evening.expect("telnet ends with the server", tel, "Connection closed")
    evening.house.open()
    for name in ("ann", "bob", "dee", "eve"):
        back = lambda seen: "Connected again" in seen or "is back." in seen  # noqa: E731
        evening.expect(f"{name} is connected again without a word", evening[name], back)
    tel.type(f"telnet 127.0.0.1 {evening.house.port}")
    evening.expect("telnet is greeted again", tel, "type help", "Connection closed")
    tel.type(code)
    evening.expect("by the code one is back in one's seat", tel, "You are back at t1, seat 5.", "Connection closed")
    evening.guests["tel"].decided = 0
    bob = evening["bob"]
    evening.terminals.tmux("respawn-pane", "-k", "-t", "=bob:", "-c", str(ROOT), "sh", "-i")
    evening.expect("others read that somebody's connection is lost", evening["ann"], "bob lost the connection")
    bob.type(play(evening, "bob"))
    evening.expect("and that they are back", evening["ann"], "- bob is back.")
    evening.expect_now("who comes back sees the board and the own bet", bob, lambda seen: "Your bet" in seen)


def they_play_to_the_end(evening: Evening) -> None:
    def over() -> bool:
        said = r"(?m)The match is over|Over: 1\. |^1 \w+ \d+ \d \w+ \d+ "  # the last on a small screen
        return all(re.search(said, evening[name].history()) for name in PLAYERS)

    evening.note("five people play the match to its end", evening.play(PLAYERS, over), evening["ann"].history())
    ann = evening["ann"]
    evening.expect_now("the status says who won", ann, lambda seen: "ver: 1. " in seen)
    evening.expect("what the others held is said", ann, lambda seen: "Only " in seen or "The match is kept" in seen)
    ann.press("F2")
    evening.expect_now("F2 steps through the match", ann, lambda seen: "Before decision 1 of" in seen)
    ann.type("n")
    evening.expect_now("n is the next decision", ann, lambda seen: "Before decision 2 of" in seen)
    ann.type("q")
    evening.expect_now("q ends that", ann, lambda seen: "Before decision" not in seen.split("\n")[0])
    ann.type("stats")
    evening.expect("stats counts the match", ann, lambda seen: "ikasamage" in seen.lower() and "bob" in seen, "> stats")
    evening["tel"].type("stats bob")
    evening.expect("by telnet too", evening["tel"], "ann", "stats bob")


def they_play_again(evening: Evening) -> None:
    ann, bob, cid, dee = [evening[name] for name in PLAYERS[:4]]
    ann.type("rematch")
    evening.expect("a rematch is offered to all", dee, "ann: Rematch? Type rematch.")
    for terminal in (bob, cid, dee):
        terminal.type("rematch")
        evening.terminals.tmux("run-shell", "sleep 0.3")
    evening.expect("who wants it joins by one word", ann, "Waiting for 1 more")
    evening["tel"].type("join t2")
    evening.expect("telnet joins it by its name", evening["tel"], "t2   ikasamage")
    evening.expect("and it begins", dee, lambda seen: "The match begins" in seen.rpartition("The match is over")[2])
    evening.expect("seats rotate", dee, "3 bob, 4 cid, 5 dee", "ann: Rematch? Type rematch.")
    ann.type("resign")
    evening.expect_now("in the rematch resigning is asked, too", ann, lambda seen: "Type resign again" in _one(seen))
    ann.type("resign")
    evening.expect("who resigns gives the match up", ann, "You gave the match up.")
    evening.expect("others read it", bob, "ann resigned; greedy plays seat")
    cid.press("C-c")
    cid.press("C-c")
    evening.expect("who leaves reads that the seat is held", cid, lambda seen: "Your seat is held" in _one(seen))
    evening.expect("and the others read that they left", bob, "- cid left; the seat is held.")
    cid.type(play(evening, "cid"))
    evening.expect("the same command brings back", bob, "- cid is back.")
    for name in ("bob", "cid"):
        evening[name].press("C-d", "C-d")
    for _ in range(2):
        evening["tel"].type("resign")
        time.sleep(0.5)

    def over() -> bool:
        return dee.history().count("The match is over") > 1

    evening.note("house bots play on for who ends the typing", evening.play(["dee"], over), dee.history())


def they_play_another_game_with_open_hands(evening: Evening) -> None:
    ann, tel, eve, dee = [evening[name] for name in ("ann", "tel", "eve", "dee")]
    ann.type("open magecraft 2 --delay 30s")
    evening.expect("a table with open hands says so", ann, "all hands shown 0:30 later")
    tel.type("leave")
    tel.type("join t3")
    evening.expect("who joins is told so first", tel, "Spectators of t3 see all hands, 0:30 later, and")
    tel.type("join t3")
    evening.expect("and sits down by joining once more", tel, "You have seat 2.")
    evening.expect_now("another game begins at the same terminals", ann, lambda seen: "| t3 seat 1" in seen)
    began = time.monotonic()
    eve.type("next")
    evening.expect("a spectator turns to the match that runs", eve, "You watch t3.")
    eve.press("F4")
    evening.expect("before the delay no hand is shown", eve, "All hands are shown with a delay here; the first ones in")
    tel.type("hands")
    evening.expect(
        "a player sees no other hand", tel, "! You have a seat at that table, so you may not see other hands."
    )
    evening.play(["ann", "tel"], lambda: time.monotonic() > began + 6)
    time.sleep(max(0.0, began + 32 - time.monotonic()))
    eve.press("F4")
    evening.expect_now("after the delay all hands are shown", eve, lambda seen: "All hands at t3" in seen)
    evening.expect_now("each under its player's name", eve, lambda seen: "Only ann sees:" in seen)
    eve.press("F4")
    evening.expect_now("once more, and the board is back", eve, lambda seen: "All hands" not in seen)
    ann.type("leave")
    evening.expect("who leaves a match is told for how long the seat is held", ann, "Your seat is held for")
    ann.type("join t3")
    evening.expect("join brings them back", ann, lambda seen: "- ann is back." in seen or "You are back at t3" in seen)
    dee.type("tables")
    evening.expect("tables lists what is played", dee, "t3   magecraft, playing")


def they_look_back_and_leave(evening: Evening) -> None:
    ann, dee, tel = [evening[name] for name in ("ann", "dee", "tel")]
    ann.type("q")
    evening.expect("q says goodbye, and that the seat is held", ann, "Goodbye. Your seat is held for a while")
    dee.type("q")
    evening.expect("plain lines say goodbye too", dee, "Goodbye.")
    tel.type("quit")
    evening.expect("telnet says goodbye", tel, "Goodbye. You said quit.")
    ann.type("echo typing is seen")
    evening.expect("the terminal is as it was", ann, lambda seen: seen.count("typing is seen") == 2)
    ann.type(f"{MAGEHALL} matches")
    evening.expect("matches lists what was played", ann, lambda seen: "ikasamage" in seen, "-m magehall matches")
    ann.type(f"{MAGEHALL} verify last")
    evening.expect("verify does the last one again", ann, "last: holds.", "verify last")
    dee.type(f"{MAGEHALL} replay last </dev/null | head -30")
    evening.expect("replay shows it", dee, "Before decision 1", "replay last")
    ann.type(f"{MAGEHALL} stats bob --port {evening.house.port}")
    evening.expect("stats are asked for from the shell, too", ann, "ikasamage", "stats bob --port")


def alone_at_home(evening: Evening) -> None:
    learner = evening.comes("learner", f"{MAGEHALL} learn magecraft --name lea", columns=40, rows=20)
    evening.expect("a guided match begins with its first lesson", learner, "Lesson 1 of")
    learner.press("C-c")
    learner.press("C-c")
    evening.expect("and ends where one leaves", learner, lambda seen: "it ends here" in _one(seen))
    done = subprocess.run(
        [*MAGEHALL.split(), "play", "--seed", "3"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=ROOT,
        env={
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C",
            "HOME": str(ROOT / ".nowhere"),
            "XDG_STATE_HOME": "/nonexistent/s",
        },
        check=False,
        timeout=60,
    )
    evening.note("in a C locale, without a home, a pipe shows a whole match", done.returncode == 0, str(done.stderr))
    evening.note("and no traceback", b"Traceback" not in done.stderr + done.stdout, str(done.stderr))
    host = evening.comes("host", f"{MAGEHALL} host --port 0 --data :memory: --seats 3 --bots random,random --name hal")
    evening.expect_now("a host plays in the same terminal", host, lambda seen: "| t1 seat 1" in seen and "0g" in seen)
    host.type("invite")
    evening.expect("and is told what the others type", host, "The others type: magehall play --host")
    host.press("C-c")
    evening.expect("a host who keeps nothing is told that the match ends", host, "it ends here")
    host.press("C-c")
    evening.expect("and of no seat that is held", host, lambda seen: "Goodbye" in seen and "held" not in seen)
