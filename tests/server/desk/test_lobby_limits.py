"""What one address may take: sessions, names, tables, guesses; and what makes room when a server is full."""

from collections.abc import Hashable
from dataclasses import replace

import pytest
import trio

from protocol import limits
from protocol.errors import Refusal
from protocol.proof import OPERATOR, make_proof
from server.address import IPV6_NETWORK, grouped_peer_address
from server.config import Config
from server.failed_logins import FREE, LONGEST_WAIT, LONGEST_WAIT_FOR_WORDS, FailedLogins
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer

HERE, THERE = "192.0.2.1", "192.0.2.2"


async def gone(peer: Peer) -> None:
    """The peer's connection is lost, and the server is through with it."""
    await peer.cut()
    await trio.sleep(0.1)


@pytest.fixture
def config(request: pytest.FixtureRequest) -> Config:
    few = {"sessions_an_address": 3, "names_an_address": 4, "tables_an_address": 3, "tables": 6, "players": 1_000}
    return Config(port=0, **getattr(request, "param", few))


async def test_b08_one_address_has_so_many_sessions_and_others_are_served(hall: Hall) -> None:
    for name in ("ann", "bob", "cid"):
        await hall.player(name, HERE)
    refused = await hall.connect(HERE)
    assert (await refused.ask("hello", name="dan"))["code"] == "server_full"
    assert (await hall.player("eve", THERE)).token


async def test_b08_a_session_that_ended_makes_room(hall: Hall) -> None:
    peers = [await hall.player(name, HERE) for name in ("ann", "bob", "cid")]
    await gone(peers[0])
    assert (await hall.player("dan", HERE)).token
    refused = await hall.connect(HERE)
    assert (await refused.ask("hello", name="eve"))["code"] == "server_full", "the others still count"


async def test_b15_an_address_that_takes_many_names_loses_its_own_that_never_played(hall: Hall) -> None:
    victim = await hall.player("ann", THERE)
    for number in range(50):
        await gone(await hall.player(f"flood{number}", HERE))
    assert len(hall.lobby.people._known) == 5
    assert hall.lobby.people.find_player("ann") is not None
    assert (await hall.again("ann", victim.token)).token


async def test_b15_an_address_whose_names_are_all_here_gets_so_many_and_no_more(hall: Hall) -> None:
    hall.lobby.people._config = replace(hall.lobby.config, names_an_address=2)
    for name in ("ann", "bob"):
        await hall.player(name, HERE)
    refused = await (await hall.connect(HERE)).ask("hello", name="cid")
    assert (refused["code"], "2 names from your address are here and have never played" in refused["text"]) == (
        "server_full",
        True,
    )
    assert (await hall.player("eve", THERE)).token


async def test_b15_names_that_played_are_kept_and_do_not_count(hall: Hall) -> None:
    ann, bob = await hall.player("ann", HERE), await hall.player("bob", HERE)
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await ann.ask("start", table="t1")
    for peer in (ann, bob):
        await gone(peer)
    for number in range(9):
        await gone(await hall.player(f"flood{number}", HERE))
    assert hall.lobby.people.find_player("ann") is not None
    assert hall.lobby.people.find_player("bob") is not None


async def test_b15_of_names_that_play_one_address_takes_so_many_a_day_and_others_are_served(hall: Hall) -> None:
    hall.lobby.people._config = replace(hall.lobby.config, names_a_day=3)
    for name in ("ann", "bob", "cid"):
        peer = await hall.player(name, HERE)
        table = (await peer.ask("open", game="toy", seats=2))["info"]["table"]
        await peer.ask("add", table=table, bot="first")
        await peer.ask("start", table=table)
        assert (await peer.ask("close", table=table))["type"] == "done"
        await gone(peer)
    refused = await (await hall.connect(HERE)).ask("hello", name="dan")
    assert (refused["code"], "3 new names from your address have played today" in refused["text"]) == (
        "server_full",
        True,
    )
    assert (await hall.player("eve", THERE)).token
    await trio.sleep(hall.lobby.config.name_seconds)
    assert (await hall.player("dan", HERE)).token
    assert hall.lobby.people.find_player("ann") is not None


async def test_b15_a_name_that_never_played_is_forgotten_after_a_day_and_one_that_played_is_not(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    await ann.ask("resign", table="t1")
    await trio.sleep(hall.lobby.config.name_seconds / 2)
    zoe = await hall.player("zoe", HERE)
    for peer in (ann, zoe):
        await gone(peer)
    await trio.sleep(hall.lobby.config.name_seconds - 10)
    await (await hall.player("cleo")).ask("tables")
    assert hall.lobby.people.find_player("zoe") is not None
    await trio.sleep(20)
    await (await hall.player("bob")).ask("tables")
    assert hall.lobby.tables == {}
    assert hall.lobby.people.find_player("zoe") is None
    assert HERE not in hall.lobby.people._new  # nothing is kept of an idle address
    assert hall.lobby.people.find_player("ann") is not None


async def test_b14_one_address_has_so_many_tables_whatever_its_names(hall: Hall) -> None:
    ann, bob = await hall.player("ann", HERE), await hall.player("bob", HERE)
    for peer in (ann, bob, ann):
        assert (await peer.ask("open", game="toy"))["type"] == "table"
    assert (await bob.ask("open", game="toy"))["code"] == "too_many_tables"
    assert (await (await hall.player("eve", THERE)).ask("open", game="toy"))["type"] == "table"


@pytest.mark.parametrize("config", [{}], indirect=True)
async def test_b20_a_whole_school_at_one_address_opens_its_tables_beside_a_flood(
    hall: Hall,
) -> None:
    flooder = await hall.player("flooder", HERE)
    told = [(await flooder.ask("open", game="toy"))["type"] for _ in range(limits.TABLES_A_PLAYER)]
    assert set(told) == {"table"}
    for number in range(180):
        pupil = await hall.player(f"pupil{number}", HERE)
        assert (await pupil.ask("open", game="toy"))["type"] == "table"
    for _ in range(limits.TABLES_A_NAME - 1):
        assert (await pupil.ask("open", game="toy"))["type"] == "table"
    refused = await pupil.ask("open", game="toy")
    assert refused["code"] == "too_many_tables"
    assert refused["text"].startswith(
        "Your address has 246 tables of 128, 3 of them yours; 3 each are free while there is room. Join"
    )


@pytest.mark.parametrize("config", [{"tables": 8, "tables_an_address": 1, "tables_a_name": 2}], indirect=True)
async def test_tables_that_are_over_take_no_room_from_a_school(hall: Hall) -> None:
    ann, bob = await hall.player("ann", HERE), await hall.player("bob", HERE)
    for number in range(1, 6):
        await ann.ask("open", game="toy", seats=2)
        await bob.ask("join", table=f"t{number}")
        await ann.ask("start", table=f"t{number}")
        async with trio.open_nursery() as playing:
            playing.start_soon(ann.play_on)
            playing.start_soon(bob.play_on)
    assert [(await ann.ask("open", game="toy"))["type"] for _ in range(2)] == ["table", "table"]


async def test_b20_who_has_a_seat_comes_back_though_address_and_server_are_full(hall: Hall) -> None:
    ann, bob = await hall.player("ann", HERE), await hall.player("bob", HERE)
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await ann.ask("start", table="t1")
    await gone(ann)
    for name in ("cid", "dan"):
        await hall.player(name, HERE)
    newcomer = await (await hall.connect(HERE)).ask("hello", name="eve")
    assert newcomer["text"].startswith("Your address has 3 of 3 names that may be here at once. Come back when ")
    assert (await hall.again("ann", ann.token, address=HERE)).token
    await gone(bob)
    object.__setattr__(hall.lobby.config, "sessions", 3)
    assert (await (await hall.connect(THERE)).ask("hello", name="eve"))["text"].startswith("3 names are here, the most")
    back = await hall.again("bob", bob.token, address=THERE)
    assert (await back.ask("resume", table="t1"))["type"] == "resumed"


async def test_b20_the_oldest_stranger_makes_room_for_the_owner_of_a_seat(hall: Hall) -> None:
    hall.limit(strangers_an_address=8)
    ann = await hall.player("ann", HERE)
    await ann.ask("open", game="toy")
    await gone(ann)
    strangers = [await hall.connect(HERE) for _ in range(8)]
    assert (await hall.again("ann", ann.token, address=HERE)).token
    told = await strangers[0].line()
    assert told.startswith("! Your address has 8 connections without a name, which is the limit")
    for stranger in strangers[1:]:
        assert (await stranger.ask("ping"))["type"] == "pong"


async def test_b14_on_a_full_server_a_table_that_never_starts_makes_room(hall: Hall) -> None:
    owners = [await hall.player(f"owner{number}") for number in range(3)]
    for owner in owners:
        for _ in range(2):
            assert (await owner.ask("open", game="toy"))["type"] == "table"
    late = await hall.player("late")
    assert (await late.ask("open", game="toy"))["code"] == "too_many_tables"
    await trio.sleep(limits.UNSTARTED_SECONDS + 1)
    assert (await late.ask("open", game="toy"))["type"] == "table"
    assert "t1" not in hall.lobby.tables


async def guess(peer: Peer) -> str:
    """The code that a wrong proof gets."""
    return str((await peer.ask("hello", name="ann", proof="0" * 64))["code"])


async def test_b20_wrong_proofs_of_a_name_lock_nobody_out_and_stand_in_the_log(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    bob, ann = await hall.player("bob", HERE), await hall.player("ann", HERE)
    told = []
    for _ in range(FREE + 30):
        guesser = await hall.connect(HERE)
        told.append(await guess(guesser))
        await gone(guesser)
        await trio.sleep(0.4)
        for name, token in (("ann", ann.token), ("bob", bob.token)):
            begun = trio.current_time()
            await gone(await hall.again(name, token, address=HERE))
            assert trio.current_time() - begun < 0.2
    assert told == ["bad_proof"] * FREE + ["slow_down"] * 30
    logged = [record.getMessage() for record in caplog.records if "wrong proof" in record.getMessage()]
    assert logged == ["wrong proof of ann from 192.0.2.1"]


async def test_the_log_has_a_name_that_is_guessed_at_as_its_owner_spells_it(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    await hall.player("Vic", HERE)
    assert (await (await hall.connect(HERE)).ask("hello", name="Vic", proof="0" * 64))["code"] == "bad_proof"
    logged = [record.getMessage() for record in caplog.records if "wrong proof" in record.getMessage()]
    assert logged == ["wrong proof of Vic from 192.0.2.1"]


async def test_c07_an_address_makes_only_so_many_guesses_a_second_of_all_names_together(hall: Hall) -> None:
    for number in range(30):
        await hall.player(f"ann{number}", f"10.0.0.{number}")
    guesses, begun = 0, trio.current_time()
    for number in range(200):
        guesser = await hall.connect(HERE)
        for each in range(limits.BAD_PROOFS):
            await guesser.ask("hello", name=f"ann{(number + each) % 30}", proof="0" * 64)
            guesses += 1
        await guesser.cut()
    assert guesses / (trio.current_time() - begun) < 100


async def test_c07_wrong_words_of_the_operator_are_looked_at_ever_more_slowly(hall: Hall) -> None:
    hall.lobby.config = replace(hall.lobby.config, operator_word="xyzzy")

    async def try_words(name: str, *words: str) -> list[str]:
        peer = await hall.again(name, f"the token of {name}", address=HERE)
        proofs = [make_proof(word, peer.challenge, OPERATOR) for word in words]
        codes = [(await peer.ask("operator", proof=one)).get("code", "") for one in proofs]
        await gone(peer)
        return codes

    for name in ("eve", "ann"):
        await gone(await hall.player(name, HERE))
    for _ in range(FREE // 2):
        assert await try_words("eve", "a", "b") == ["bad_proof", "bad_proof"]
    assert await try_words("eve", "a") == ["slow_down"]
    assert await try_words("ann", "xyzzy") == [""], "another name at the same address waits for nothing"
    assert await try_words("eve", "xyzzy") == ["slow_down"], "not even looked at"
    await trio.sleep(LONGEST_WAIT_FOR_WORDS)
    assert await try_words("eve", "xyzzy") == [""]


def told_to_wait(guesses: FailedLogins, address: Hashable, now: float) -> float:
    """For how long, after one more wrong proof."""
    return guesses.record_failure("ann", address, address, now).wait


def test_c07_a_wait_grows_to_a_bound_and_is_forgotten() -> None:
    guesses = FailedLogins()
    waits = [told_to_wait(guesses, HERE, 50_000.0) for _ in range(FREE + 20)]
    assert waits[:FREE] == [0.0] * FREE
    assert waits[FREE : FREE + 3] == [1.0, 2.0, 4.0]
    assert waits[-1] == LONGEST_WAIT
    guesses.check_proof_allowed("ann", HERE, HERE, 50_000.0)
    assert told_to_wait(guesses, HERE, 60_000.0) == 0.0, "all that came before is forgotten"
    assert told_to_wait(guesses, THERE, 0.0) == 0.0


def test_c07_a_word_of_little_choice_is_not_looked_at_while_it_has_to_wait() -> None:
    guesses = FailedLogins()
    for _ in range(FREE + 8):
        guesses.check_password_allowed("ann", HERE, 5.0)
        guesses.record_failure("ann", HERE, HERE, -10_000.0)
    for _ in range(FREE + 8):
        guesses.record_failure("ann", HERE, HERE, 5.0)
    for now, waits in ((5.0, True), (5.0 + LONGEST_WAIT_FOR_WORDS - 0.1, True), (5.0 + LONGEST_WAIT_FOR_WORDS, False)):
        if waits:
            with pytest.raises(Refusal):
                guesses.check_password_allowed("ann", HERE, now)
        else:
            guesses.check_password_allowed("ann", HERE, now)
    for name, address in (("ann", THERE), ("bob", HERE), ("ann", None)):
        guesses.check_password_allowed(name, address, 5.0)
    assert guesses.lift_lockout("ann", 5.0) == FREE + 8
    guesses.check_password_allowed("ann", HERE, 5.0)


class Connected:
    """A stream whose peer has that address."""

    def __init__(self, host: str) -> None:
        self.socket = self
        self._host = host

    def getpeername(self) -> tuple[str, int]:
        return self._host, 7110


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", None),
    ],
)
def test_b08_an_ipv6_network_counts_as_one_address(host: str, address: str | None) -> None:
    assert IPV6_NETWORK == 64
    assert grouped_peer_address(Connected(host)) == address  # type: ignore[arg-type]  # all that it looks at


async def test_b14_one_address_takes_no_more_places_of_a_table_or_a_cup_than_it_leaves_to_others(hall: Hall) -> None:
    hall.limit(spectators_a_table=4)
    ann = await hall.player("ann")
    await ann.ask("open", game="toy")
    await ann.ask("cup_open", cup="friday", game="toy")
    guests = [await hall.player(f"guest{number}", HERE) for number in range(3)]
    others = [await hall.player(f"other{number}", f"192.0.2.{number}") for number in range(2, 5)]
    both = ({"kind": "watch", "table": "t1"}, {"kind": "follow", "cup": "friday"})
    for asked in both:
        answers = [(await guest.ask(**asked)).get("code", "") for guest in (*guests, guests[0], *others)]
        assert answers == ["", "", "too_many_spectators", "", "", "", "too_many_spectators"], asked
    await gone(guests[1])
    for asked in both:
        assert "spectators there are from your address, and the" in (await guests[2].ask(**asked))["text"]
        assert "re" in await others[2].ask(**asked)
