"""What a person is asked to do, step by step."""

from hapenny import layout
from hapenny_link.calibration import operators
from hapenny_link.calibration.sweeps import sweeps


def test_a_person_is_told_each_step_in_one_sentence():
    """Bed, line and disc are named as a person counts them."""
    said: list[str] = []

    class Terminal:
        stop = start = staticmethod(lambda: None)

        class console:
            input = staticmethod(said.append)

    person = operators.Person(Terminal())  # type: ignore[arg-type]
    person.clear()
    person.turn(0, 0)
    person.turn(0, 1)
    person.begin_sweep(2, next(sweeps(layout)))
    person.begin_line(9)
    assert "every disc off" in said[0] and "disc 1" in said[1] and "quarter" in said[2]
    assert "Bed 1" in said[3] and "nearer line" in said[3] and "disc 3" in said[3]
    assert "Line 10" in said[4]
