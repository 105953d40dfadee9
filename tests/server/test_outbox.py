"""What waits to be sent has a bound, but what a player missed is owed whole."""

import pytest

from tests.helpers.hall import Hall


@pytest.mark.parametrize("config", [{"outbox_bytes": 1_500}], indirect=True)
async def test_a_player_who_comes_back_is_told_everything_however_much_it_is(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 3})
    for _round in range(2):
        for peer in (ann, bob):
            turn = await peer.next("turn")
            await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    await ann.stream.aclose()
    again = await hall.again("ann", ann.token)
    resumed = await again.ask("resume", table="t1", after=0)
    assert resumed["type"] == "resumed"
    missed = [await again.message() for _ in range(resumed["n"])]
    assert [message["n"] for message in missed] == list(range(1, resumed["n"] + 1))
    assert len(str(missed)) > 1_500
    assert (await again.ask("ping"))["type"] == "pong"
