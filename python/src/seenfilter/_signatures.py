"""Signatures of the compiled functions, for help(), inspect.signature and what shows them: IPython, Sphinx, editors.

nanobind keeps the signature of a function as text for the stub: `def save(self, path: Path, …) -> None`. Without its types it is
what Python's own C functions have as __text_signature__: `($self, path, *, overwrite=True)`.
"""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

from . import _core

# A type: a name with brackets, or several with | between them. Brackets nest twice: Callable[[Any], Key].
_TYPE = re.compile(r": [\w.]+(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\])?(?: \| [\w.]+(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\])?)*")


def text_signature(function: Any) -> str:
    """The signature of a compiled function, without types."""
    whole = function.__nb_signature__[0][0].removeprefix("def " + function.__name__).rpartition(" -> ")[0]
    return _TYPE.sub("", whole).replace(" = ", "=").replace("(self", "($self", 1)


class _SignatureOfClass:
    """What inspect.signature shows of a class: how its compiled __init__ is called. From Python 3.13.1 on, inspect takes such an
    __init__ for one in Python, and fails. A subclass with an __init__ of its own has its own."""

    def __init__(self, kind: type) -> None:
        self.init = vars(kind)["__init__"]

    def __get__(self, instance: object, owner: type) -> Any:
        if instance is not None or owner.__init__ is not self.init:  # type: ignore[misc]
            raise AttributeError("__signature__")
        import inspect  # which takes its time, and is here with whoever asks

        shown = inspect.signature(self.init)
        return shown.replace(parameters=list(shown.parameters.values())[1:])


def give_signatures(names: dict[str, Any], kind: type) -> None:
    """Puts functions with signatures in the place of those without: those among a module's names, and of a class."""
    for owner, members in ((None, names), (kind, vars(kind))):
        for name, member in list(members.items()):
            if not hasattr(member, "__nb_signature__") or isinstance(member, (type, property, ModuleType)):
                continue
            if name.startswith("__") and name != "__init__":
                continue  # Python knows those by their slots
            text = text_signature(member)
            said = (member.__doc__ or "").partition("\n")[2].strip()
            made = _core.with_signature(member, f"{name}{text}\n--\n\n{said}", owner)
            if owner is None:
                names[name] = made
            else:
                setattr(owner, name, made)
    kind.__signature__ = _SignatureOfClass(kind)  # type: ignore[attr-defined]
