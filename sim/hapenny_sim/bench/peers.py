"""Other physics engines on the bench's turns: run as a program by `bench physics --peers`, in an interpreter that
has them.

Reads turns (.npy: turns, shoves, 5, as `batch.play` takes them), plays them on the engine named, one thread, and
prints one JSON object: version, seconds of processor time (the best of several runs), and the stops (mm). It imports
nothing of ours, so that the engines may live in an environment of their own ($HAPENNY_PEERS_PYTHON). None of them has
a disc's friction on a plane: pymunk and Box2D get it step by step, sliding and turning apart (our decoupled limit);
pooltool rolls balls whose rolling friction is the same.
"""

import json
import math
import sys
import time
from importlib.metadata import version

import numpy as np

FRICTION, RESTITUTION, DISC_FRICTION, GRAVITY_MM_S2, RADIUS_MM = 0.2, 0.6, 0.2, 9810.0, 12.7
STEP_S = 1e-3
SPENT_S = 4.0  # of processor time an engine is measured over, at least
BRAKE = FRICTION * GRAVITY_MM_S2  # mm/s^2
SPIN_BRAKE = 4 / 3 * BRAKE / RADIUS_MM  # rad/s^2 of a disc that only turns


def launch(shove):
    """(x, y, vx, vy) in millimetres and seconds, and the spin."""
    x, y, speed, heading, spin = (float(value) for value in shove)
    heading = math.radians(heading)
    return x, y, speed * 1000 * math.sin(heading), speed * 1000 * math.cos(heading), spin


def slower(vx, vy, spin, dt):
    """Speeds after dt of friction, sliding and turning apart."""
    speed = math.hypot(vx, vy)
    left = max(speed - BRAKE * dt, 0.0) / speed if speed > 0 else 0.0
    return vx * left, vy * left, math.copysign(max(abs(spin) - SPIN_BRAKE * dt, 0.0), spin)


def play_pymunk(turns, step_s):
    """pymunk, every step as friction wants it; launched half a step late, which makes single stops exact."""
    import pymunk

    def brake(body, _gravity, _damping, dt):
        vx, vy, body.angular_velocity = slower(body.velocity.x, body.velocity.y, body.angular_velocity, dt)
        body.velocity = vx, vy

    stops = np.zeros((*turns.shape[:2], 2))
    for turn, shoves in enumerate(turns):
        space, bodies = pymunk.Space(), []
        space.collision_slop = 0.001
        for shove in shoves:
            x, y, vx, vy, spin = launch(shove)
            body = pymunk.Body(1.0, 0.5 * RADIUS_MM**2)
            body.position, body.velocity_func = (x, y), brake
            vx, vy, body.angular_velocity = slower(vx, vy, spin, -0.5 * step_s)
            body.velocity = vx, vy
            circle = pymunk.Circle(body, RADIUS_MM)
            circle.elasticity, circle.friction = math.sqrt(RESTITUTION), math.sqrt(DISC_FRICTION)
            space.add(body, circle)
            bodies.append(body)
            while any(b.velocity.length > 0 for b in bodies):
                space.step(step_s)
        stops[turn] = [tuple(body.position) for body in bodies]
    return stops


def play_box2d(turns, step_s):
    """Box2D 2.3, 25 mm to its unit of length, since it treats slow blows and small gaps by absolute sizes."""
    import Box2D  # pyright: ignore[reportMissingImports]

    unit = 25.0
    stops = np.zeros((*turns.shape[:2], 2))
    for turn, shoves in enumerate(turns):
        world, bodies = Box2D.b2World(gravity=(0, 0), doSleep=False), []
        for shove in shoves:
            x, y, vx, vy, spin = launch(shove)
            shape = Box2D.b2CircleShape(radius=RADIUS_MM / unit)
            fixture = Box2D.b2FixtureDef(shape=shape, density=1, friction=DISC_FRICTION, restitution=RESTITUTION)
            body = world.CreateDynamicBody(position=(x / unit, y / unit), fixtures=fixture)
            vx, vy, spin = slower(vx, vy, spin, 0.5 * step_s)
            body.linearVelocity, body.angularVelocity = (vx / unit, vy / unit), spin
            bodies.append(body)
            moving = True
            while moving:
                world.Step(step_s, 10, 10)
                moving = box2d_brake(bodies, unit, step_s)
        stops[turn] = [(body.position[0] * unit, body.position[1] * unit) for body in bodies]
    return stops


def box2d_brake(bodies, unit, step_s):
    """Brake all bodies for a step; whether any still moves."""
    moving = False
    for body in bodies:
        vx, vy = body.linearVelocity
        if vx or vy or body.angularVelocity:
            vx, vy, spin = slower(vx * unit, vy * unit, body.angularVelocity, step_s)
            body.linearVelocity, body.angularVelocity = (vx / unit, vy / unit), spin
            moving = moving or vx != 0 or vy != 0
    return moving


def play_pooltool(turns, _step_s):
    """pooltool: balls of the discs' size that roll with the same friction, on a table too large for cushions."""
    import pooltool  # pyright: ignore[reportMissingImports]

    table = pooltool.Table.from_table_specs(pooltool.objects.BilliardTableSpecs(l=200.0, w=200.0))
    kind = dict(m=0.0076, R=RADIUS_MM / 1000, u_s=FRICTION, u_r=FRICTION, u_b=DISC_FRICTION, e_b=RESTITUTION, g=9.81)
    stops = np.zeros((*turns.shape[:2], 2))
    for turn, shoves in enumerate(turns):
        balls = {}
        for number, shove in enumerate(shoves):
            x, y, vx, vy, _ = (value / 1000 for value in launch(shove))
            ball = pooltool.Ball.create(str(number), xy=(100 + x, 100 + y), **kind)
            ball.state.rvw[1] = (vx, vy, 0)
            ball.state.rvw[2] = (-vy / kind["R"], vx / kind["R"], 0)
            ball.state.s = pooltool.constants.rolling
            balls[str(number)] = ball
            system = pooltool.System(cue=pooltool.Cue(cue_ball_id="0"), table=table, balls=balls)
            pooltool.simulate(system, inplace=True)
            for rest in balls.values():
                rest.history.states.clear()
        stops[turn] = [balls[str(k)].state.rvw[0][:2] * 1000 - 100_000 for k in range(len(shoves))]
    return stops


ENGINES = {
    "pymunk": ("pymunk", play_pymunk),
    "box2d": ("Box2D", play_box2d),
    "pooltool": ("pooltool-billiards", play_pooltool),
}


def main():
    """peers.py ENGINE TURNS.npy [STEP_S]"""
    package, play = ENGINES[sys.argv[1]]
    turns = np.load(sys.argv[2])
    step_s = float(sys.argv[3]) if len(sys.argv) > 3 else STEP_S
    play(turns[: max(len(turns) // 4, 1)], step_s)  # imports and compiles, impacts included
    best, spent, stops = math.inf, 0.0, np.zeros(0)
    while spent < SPENT_S:  # the best of several runs, as of ours
        began = time.process_time()
        stops = play(turns, step_s)
        took = time.process_time() - began
        best, spent = min(best, took), spent + took
    print(json.dumps({"version": version(package), "seconds": best, "stops": stops.tolist()}))


if __name__ == "__main__":
    main()
