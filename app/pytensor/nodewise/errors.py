"""The one exception that users of this package have to expect."""


class ExportError(Exception):
    """What could not be done, where, and what to do about it, in one message."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(f"{what}. {remedy}" if remedy else what)
