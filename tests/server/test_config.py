"""What a server may be set to."""

from typing import Any

import pytest

from server.config import Config


@pytest.mark.parametrize("name", ["grace", "login_seconds", "sessions", "tables", "requests_a_second"])
def test_what_has_to_be_there_may_be_little_and_not_nothing(name: str) -> None:
    little: Any = {name: 1}
    assert Config(**little)
    nothing: Any = {name: 0}
    with pytest.raises(ValueError, match=f"{name} must be above 0"):
        Config(**nothing)
