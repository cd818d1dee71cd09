"""How a command ends when it cannot do, or finds wrong, what it was asked about: a sentence and an exit status."""

FOUND_A_FAULT = 1
WRONG_USAGE = 2


class Fault(Exception):
    """Something that a person must hear: one plain sentence, no traceback.

    Args:
        sentence: For standard error.
        status: Exit status: 1 for a fault that was found, 2 for a command that was used wrongly.
    """

    def __init__(self, sentence: str, status: int = FOUND_A_FAULT) -> None:
        super().__init__(sentence)
        self.status = status
