"""A whole match over memory streams: order, numbering, answers."""

from tests.helpers.hall import Hall


async def test_a_match_against_a_house_bot_runs_to_its_end(hall: Hall) -> None:
    ann = await hall.player("ann")
    opened = await ann.ask("open", game="toy", seats=2)
    assert opened["info"]["seats"][0] == {"seat": 1, "name": "ann", "kind": "person"}
    assert (await ann.ask("add", table="t1", bot="first"))["info"]["seats"][1]["name"] == "first"
    assert (await ann.ask("start", table="t1"))["type"] == "table"
    over = await ann.play_on()
    assert {result["how"] for result in over["results"]} == {"played"}
    numbers = [message["n"] for message in ann.told if "n" in message]
    assert numbers == sorted(numbers)
