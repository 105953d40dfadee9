"""Enforces time, grace and the limits on illegal actions, and lets house bots take over. It is told the time."""

from __future__ import annotations

import logging
from collections.abc import Callable

from games.api import Action
from games.chance import Chance
from matches.fold import Entry, Match
from protocol.entries import ActionTaken, PresenceChanged
from server.common import Common
from server.failures import log_failure
from server.house import Question
from server.log_fields import fields
from server.table.seating import Chair, Seating, Thought

log = logging.getLogger("magehall.referee")

NOW, NEVER = float("-inf"), float("inf")
ROUNDING = 1e-6  # seconds: rounding may let an alarm ring this much too early


class Referee:
    """One for each match. `record` adds an entry to the match and its log, and tells everybody; `wake` has it asked
    anew what is due."""

    def __init__(
        self,
        seating: Seating,
        match: Match,
        common: Common,
        chance: Chance,
        record: Callable[[Entry], None],
        wake: Callable[[], None],
    ) -> None:
        self._seating, self._match, self._chance, self._record = seating, match, chance, record
        self._config, self._house, self._wake = common.config, common.house, wake

    def next_moment(self) -> float:
        """When something is to be done next without a player: NOW if a house bot has to choose, infinity for never."""
        match, chairs = self._match, self._seating.chairs
        soonest = NEVER
        for seat in match.asked:
            chair = chairs[seat - 1]
            if chair.house is None:
                soonest = min(soonest, match.clocks.deadline(seat))
            elif chair.thought is None or chair.thought.turn != match.turns[seat]:
                return NOW
            else:
                soonest = min(soonest, chair.thought.at if chair.thought.action is not None else chair.thought.late)
        for chair in chairs:
            if chair.away is not None:
                soonest = min(soonest, chair.away + chair.grace)
        return soonest

    def settle(self, now: float) -> None:
        """Does what is due: default actions for late seats, house bots for seats whose grace is used up."""
        for seat in sorted(self._match.asked):
            chair = self._seating.chair(seat)
            if chair.house is None and now + ROUNDING >= self._match.clocks.deadline(seat):
                self._strike(chair, now, "time")
        for chair in self._seating.chairs:
            if chair.away is None or chair.house is not None or self._match.over is not None:
                continue
            if now + ROUNDING >= chair.away + chair.grace:
                self.take_over(chair, now, "left")

    def erred(self, chair: Chair, now: float) -> None:
        """An illegal action. Who keeps erring loses the decision, then the seat; a program sooner than a person."""
        self._seating.erred(chair.number)
        in_match, in_decision = self._errors_allowed(chair)
        if chair.illegal_all >= in_match:
            self.take_over(chair, now, "illegal")
        elif chair.illegal_now >= in_decision:
            self._strike(chair, now, "illegal")

    def forgives(self, chair: Chair) -> bool:
        """Whether the seat still decides after one more illegal action."""
        in_match, in_decision = self._errors_allowed(chair)
        return chair.illegal_all + 1 < in_match and chair.illegal_now + 1 < in_decision

    def _errors_allowed(self, chair: Chair) -> tuple[int, int]:
        """So many illegal actions are too many in a match, and in a decision."""
        config = self._config
        if chair.player is not None and chair.player.bot:
            return config.illegal_a_match, config.illegal_a_decision
        return config.illegal_a_match_person, config.illegal_a_decision_person

    def take_over(self, chair: Chair, now: float, how: str) -> None:
        """A house bot plays the seat from now on. Its player still hears everything, but no longer decides."""
        game = self._match.game
        bot, names = game.takes_over or game.house_bot, self._house.names(game)
        self.give_to_house(chair, bot if bot in names else names[0])
        self._record(PresenceChanged(now, chair.number, how, chair.house_name))

    def give_to_house(self, chair: Chair, bot: str) -> None:
        """That bot has the seat, which nobody waits for any more."""
        chair.house_name, chair.away = bot, None
        match, seed = self._match, house_seed(self._chance, chair.number)
        chair.house = self._house.make(match.game, match.seats, match.header.options, bot, seed)

    @property
    def house_is_asked(self) -> bool:
        """Whether a decision of a house bot is awaited."""
        return any(self._seating.chair(seat).house is not None for seat in self._match.asked)

    def play_house(self, now: float) -> bool:
        """Has one house bot choose, or does what one chose some time ago; False if there is nothing to do yet.

        The time in between is always the same: how long a bot thinks would tell of the cards that it holds.
        """
        match = self._match
        for seat in sorted(match.asked):
            chair = self._seating.chair(seat)
            if chair.house is None:
                continue
            thought = chair.thought
            chosen = thought is None or thought.turn != match.turns[seat]
            if thought is None or chosen:
                thought = self._ask_house(chair, now)
            if thought.action is None and now + ROUNDING >= thought.late:
                told = fields("house_bot_late", bot=chair.house_name)
                log.error("house bot %s took too long, and plays no more", chair.house_name, extra=told)
                chair.house.close()
                thought.action = self._default_action(seat)
            if thought.action is not None and now + ROUNDING >= thought.at:
                if match.state.refusal(seat, thought.action) is None:
                    self._record(ActionTaken(now, seat, thought.action, "house"))
                else:
                    chair.thought = None  # others have acted since
                return True
            if chosen:
                return True
        return False

    def _strike(self, chair: Chair, now: float, why: str) -> None:
        match, seat = self._match, chair.number
        if seat not in match.asked:
            return
        chair.illegal_now = 0
        self._record(ActionTaken(now, seat, self._default_action(seat), why))
        if why == "time" and match.late[seat] >= self._config.late_a_match and match.over is None:
            self.take_over(chair, now, "late")

    def _ask_house(self, chair: Chair, now: float) -> Thought:
        seat, match, bot = chair.number, self._match, chair.house
        assert bot is not None
        left = match.clocks.deadline(seat) - now
        at = now + min(self._config.house_seconds + bot.seconds, left / 2)  # its own clock runs, too
        thought = chair.thought = Thought(match.turns[seat], at, at + self._config.late_house_seconds)

        def answer(action: Action | None) -> None:
            if thought is not chair.thought or thought.action is not None or match.over is not None:
                return  # nobody waits for it any more
            legal = action is not None and match.state.refusal(seat, action) is None
            if action is not None and not legal:
                told = fields("house_bot_illegal", bot=chair.house_name)
                log.error("house bot %s chose an illegal action", chair.house_name, extra=told)
            thought.action = action if legal else self._default_action(seat)
            if thought.is_awaited:
                self._wake()

        state = match.state
        try:
            legal = state.legal_actions(seat)
            told = Question(seat, state.view(seat), legal, thought.turn, lambda: state.knowledge(seat), left)
            bot.ask(told, answer)
        except Exception:
            log_failure(log, "house bot %s failed", chair.house_name)
            answer(None)
        thought.is_awaited = True
        return thought

    def dismiss_house(self) -> None:
        """The match goes on no more, or elsewhere: what its house bots have started ends."""
        for chair in self._seating.chairs:
            if chair.house is not None:
                chair.house.close()

    def _default_action(self, seat: int) -> Action:
        """Its chance depends on the turn alone, so that it is the same after a restart."""
        match = self._match
        return match.state.default_action(seat, self._chance.clone().fork(f"{seat} {match.turns[seat]}"))


def house_seed(chance: Chance, seat: int) -> int:
    """The seed of the house bot in that seat, drawn from the secret seed of the deal. So a match with a given deal can
    be repeated with its house bots, and nobody can predict them before the deal is shown: of 64 bits, since 32 can be
    tried out against what the bot has done, and then tell its secret choices to come."""
    draws, label = chance.clone(), f"house {seat}"
    return draws.below(label, 2**32) << 32 | draws.below(label, 2**32)
