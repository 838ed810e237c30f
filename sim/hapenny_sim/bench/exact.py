"""The equations of a sliding, turning disc, integrated by scipy at 1e-12: what our stops are measured against."""

import numpy as np
from scipy.integrate import solve_ivp

from hapenny_sim.physics import Physics
from hapenny_sim.physics.curves import INERTIA
from hapenny_sim.physics.friction import integrals
from hapenny_sim.physics.model import model


def stop(physics: Physics, shove: np.ndarray) -> np.ndarray:
    """Where a disc alone on an endless board stops (x, y in mm); `shove`: x_mm, y_mm, speed_m_s, direction_deg,
    spin_rad_s.

    Tilt, grain and friction by speed are known here; patches, grooves and magnets are not. By DOP853 over the exact
    integrals; time is stretched by the speed, so that the end comes at no finite time.
    """
    numbers = model(physics)
    x, y, speed, heading, spin = shove
    heading = np.radians(heading)
    rates = np.array([speed * 1000 * np.sin(heading), speed * 1000 * np.cos(heading), physics.radius_mm * spin])
    size = np.linalg.norm(rates)

    def slope(_: float, state: np.ndarray) -> np.ndarray:
        ahead = state[1:4] / np.linalg.norm(state[1:4])
        scale = np.exp(state[0])
        change = _braking(numbers, ahead * scale)
        along = ahead @ change
        return np.concatenate([[along], change - ahead * along, ahead[:2] * scale**2]) / (numbers.weight * numbers.mu_y)

    begin = [np.log(size), *(rates / size), x, y]
    return solve_ivp(slope, (0.0, 36.0), begin, method="DOP853", rtol=1e-12, atol=1e-12).y[4:, -1]


def _braking(numbers, rates: np.ndarray) -> np.ndarray:
    """d/dt of (v_x, v_y, R omega), straight from the integrals."""
    vx, vy, rim = rates
    speed = np.hypot(vx, vy)
    ex, ey = vx / speed, vy / speed
    f, across, along = (float(part) for part in integrals(speed / max(abs(rim), 1e-300)))
    rubbing = np.sqrt(speed**2 + rim**2 / 2)
    load = numbers.weight * (numbers.fast + (1 - numbers.fast) / (1 + rubbing / numbers.fast_speed))
    on, by = numbers.mu_x * ex**2 + numbers.mu_y * ey**2, numbers.mu_x * ey**2 + numbers.mu_y * ex**2
    couple = on * along + by * across
    push = numbers.slope - load * f * complex(numbers.mu_x * ex, numbers.mu_y * ey)
    return np.array([push.real, push.imag, -np.sign(rim) * INERTIA * load * couple])
