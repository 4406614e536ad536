"""Text about foreign objects that is the same in every run."""

import re

_ADDRESS = re.compile(r"\s*(?:at )?0x[0-9a-fA-F]{6,}")
_LONGEST = 400


def stable_text(thing: object) -> str:
    """`str(thing)` without memory addresses, cut to a readable length."""
    try:
        text = str(thing)
    except Exception:  # a foreign __str__ may do anything
        text = type(thing).__name__
    text = _ADDRESS.sub("", text)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
