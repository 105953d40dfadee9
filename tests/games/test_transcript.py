"""Transcripts and replays of matches: what their headings say of the options."""

from __future__ import annotations

from games.api import Game, Options, options_from
from games.testing.transcript import match_transcript
from tests.helpers.toy import TOY, ToyGame, ToyOptions
from tests.matches.played import file_of, played


class LaterOptions(ToyOptions, frozen=True):
    loud: bool = False


class LaterToy(ToyGame):
    options_type = LaterOptions


def heading(game: Game, options: Options) -> str:
    return next(iter(match_transcript(game, 2, options, 1)))


def test_a_new_option_changes_no_transcript_of_a_match_without_it() -> None:
    now, later = (list(match_transcript(game, 2, options_from(game, {}), 1)) for game in (TOY, LaterToy()))
    assert now == later


def test_a_transcript_says_which_options_differ_from_their_defaults() -> None:
    assert heading(LaterToy(), LaterOptions(loud=True)) == f"{heading(TOY, options_from(TOY, {}))}, loud true"


def test_a_new_option_changes_no_replay_of_a_match_without_it() -> None:
    assert file_of(played(LaterToy())) == file_of(played(TOY))
