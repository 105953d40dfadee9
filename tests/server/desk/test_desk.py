"""What every request needs, besides its row: somebody who carries it out, and words for its answer."""

import inspect
import re

from people.text import sentences
from people.text.commands import COMMANDS
from protocol.messages.asking import EXCHANGES
from server.desk.context import HANDLERS
from server.net import text_face


def test_every_request_is_carried_out_by_somebody() -> None:
    assert {row.request for row in EXCHANGES.values()} == set(HANDLERS)


def test_every_answer_to_a_command_has_words_for_people() -> None:
    """A reply that no sentence knows would be silence."""
    said = "".join(inspect.getsource(module) for module in (sentences, text_face))
    asked = {command.request for command in COMMANDS.values()}
    silent = [
        f"{row.answer.__name__}: a case in people/text/sentences.py"
        for row in EXCHANGES.values()
        if row.request in asked and not re.search(rf"\bm\.{row.answer.__name__}\b", said)
    ]
    assert silent == []
