"""What the engine refuses, each with the input it refused and where it stood."""


class EngineError(ValueError):
    """Base of all refusals. `code` names the reason; `where` says at which position."""

    def __init__(self, code: str, text: str, *, where: str = "", **params: object) -> None:
        self.code = code
        self.where = where
        self.params = params
        super().__init__(f"{text} ({where})" if where else text)


class BadOptions(EngineError):
    """A set of options that makes no sense (R15)."""


class Unreadable(EngineError):
    """Notation or a record that cannot be read."""


class IllegalAction(EngineError):
    """An action that the rules do not allow to this seat in this position."""


class StaleAction(EngineError):
    """An action meant for another (round, ply) than the present one."""
