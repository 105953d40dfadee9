"""What every request needs, besides its row: somebody who carries it out, and words for its answer."""

import inspect
from typing import cast

import pytest

from people import person
from people.text.commands import COMMANDS
from people.text.sentences import SAYS
from protocol import messages as m
from protocol.messages.exchanges import EXCHANGES, Permission, register_exchange
from server.desk.context import HANDLERS, handles
from tests.helpers.hall import Hall


def test_every_request_is_carried_out_by_somebody() -> None:
    assert {row.request for row in EXCHANGES.values()} == set(HANDLERS)


class Wave(m.Request, kw_only=True, tag="wave"):
    """A request that no version has."""


async def test_a_new_request_needs_its_declaration_and_a_handler(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    for table in (EXCHANGES, HANDLERS):  # it is taken out of both at the end
        monkeypatch.setitem(cast("dict[object, object]", table), Wave, None)
    register_exchange(Permission.PLAYER, m.DoneReply, weight=7)(Wave)
    handles(Wave)(lambda _here, request: m.DoneReply(re=request.id, text="You wave."))
    ann = await hall.player("ann")
    (of_ann,) = hall.app.sessions
    assert of_ann.player is not None
    assert of_ann.player.meter is not None
    before = of_ann.player.meter.left
    of_ann.handle_request(Wave(id=9))
    assert (await ann.next("done"))["text"] == "You wave."
    assert before - of_ann.player.meter.left == pytest.approx(7, abs=0.2)
    register_exchange(Permission.OPERATOR, m.DoneReply)(Wave)
    of_ann.handle_request(Wave(id=10))
    assert (await ann.next("error"))["code"] == "not_operator"


def test_every_answer_to_a_command_has_words_for_people() -> None:
    """A reply that no sentence knows would be silence."""
    drawn = inspect.getsource(person)
    asked = {command.request for command in COMMANDS.values()}
    silent = [
        f"{row.answer.__name__}: lines beside its command in people/text/commands.py"
        for row in EXCHANGES.values()
        if row.request in asked and row.answer not in SAYS and f"m.{row.answer.__name__}(" not in drawn
    ]
    assert silent == []
