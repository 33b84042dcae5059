# mypy: allow-untyped-defs, allow-untyped-calls
"""Simple surfaces laid out in a plane, to be triangulated there, and lifted back.

Planes, cylinders and cones are laid out without stretching. Tori are unrolled about their axis and around the tube, and
measured in steps of either turn that a chord may take. Spheres are projected from the point opposite to the middle of
the face (stereographically), which keeps circles and so which triangles are Delaunay, and knows no poles and no seam.

A frame is what the kernel keeps of a surface: origin, Z, Y, X, then a radius; a cone's radius and half angle; a torus's
radii. That of a sphere is turned to the middle of the face, Z pointing there, and has after its radius 1 where the
surface's own normal (dU x dV) points away from the center, -1 where it points there. After all that come the two steps,
radians.

The parameters of a point are its place in a plane or on a projected sphere; the turn about the axis and the way along
it, mm; or both turns on a torus, radians.
"""

from __future__ import annotations

from math import acos, atan2, ceil, cos, hypot, pi, sin, sqrt, tan

import numpy as np

from fettle.geometry.surfaces.encoding import CONE, CYLINDER, PLANE, SPHERE, TORUS
from fettle.jit import njit_inner

TURN = 2.0 * pi
STEPS, WIDTH = 14, 16
"""Where a frame has its steps, and of how many numbers it is made."""
MOST_BETWEEN_POINTS = 0.75 * pi
"""An outline that turns further from one point to the next could have gone either way round."""
MOST_OFF = 0.1
"""Share of its radius by which outlines may lie off a surface: what is nearer to the axis has no clear turn."""
AT_TIP_MM = 1e-7
"""Radius of a cone below which a point is its tip: the kernel's precision."""
EDGE_SHARE = 0.5
"""Of the turn and of the deflection that are allowed inside a face, what is allowed along edges: as the kernel's mesher
has it."""
MOST_LEAN = 0.25
"""Share of the distance between two rows of points around a torus by which chords along them may leave the surface."""
FARTHEST_COSINE = -0.9
"""Of the angle on a sphere between the middle of a face and its outlines: what is further is stretched too much."""


@njit_inner
def lay_out(kind, frame, points, loops, parameters, slack):
    """Write the parameters (n, 2) of points along the loops of a face; loop i has points loops[i] to loops[i + 1].

    Returns whether the face can be laid out: no point is off the surface by more than the slack, and every loop closes.
    """
    if kind == SPHERE:
        return _project_sphere(frame, points, loops, parameters, slack)
    for loop in range(len(loops) - 1):
        first, last = loops[loop], loops[loop + 1]
        for i in range(first, last):
            if not _find_parameters(kind, frame, points, i, parameters, slack):
                return False
        if kind != PLANE and not _unroll(parameters, 0, first, last):
            return False
        if kind == TORUS and not _unroll(parameters, 1, first, last):
            return False
    if kind == PLANE:
        return True
    main = _largest_loop(parameters, loops)
    return _gather_turns(parameters, 0, loops, main) and (kind != TORUS or _gather_turns(parameters, 1, loops, main))


@njit_inner
def set_steps(kind, frame, most_turn, deflection):
    """Write how far one chord may turn about the axis, or across a sphere, and around the tube."""
    widest = frame[12] + frame[13] if kind == TORUS else frame[12]
    about, around = _step(widest, most_turn, deflection), most_turn
    if kind == TORUS:
        around = _step(frame[13], most_turn, deflection)
        # chords that leave the surface by much of the way to the next row would lean over to it; with the step of the
        # edges the points of all rows stand side by side
        if widest * _bow(about) > MOST_LEAN * frame[13] * around:
            about = _step(widest, EDGE_SHARE * most_turn, EDGE_SHARE * deflection)
        elif frame[13] * _bow(around) > MOST_LEAN * widest * about:
            around = _step(frame[13], EDGE_SHARE * most_turn, EDGE_SHARE * deflection)
    frame[STEPS], frame[STEPS + 1] = about, around


@njit_inner
def _step(radius, most_turn, deflection):
    return min(most_turn, 2.0 * acos(1.0 - deflection / radius)) if deflection < radius else most_turn


@njit_inner
def place_of(kind, frame, one, two):
    """Place of a point with these parameters in the plane."""
    if kind == CYLINDER:
        return frame[12] * one, two
    if kind == TORUS:
        return one / frame[STEPS], two / frame[STEPS + 1]
    if kind != CONE:
        return one, two
    sine = sin(frame[13])
    slant = (frame[12] + two * tan(frame[13])) / abs(sine)
    sweep = one * abs(sine)
    bow = 2.0 * slant * sin(0.5 * sweep) ** 2
    return slant * sin(sweep), two / cos(frame[13]) - (bow if sine > 0.0 else -bow)


@njit_inner
def parameters_of(kind, frame, x, y, near):
    """Parameters of a place, the inverse of `place_of`; `near`: about what the turn is."""
    if kind == CYLINDER:
        return x / frame[12], y
    if kind == TORUS:
        return frame[STEPS] * x, frame[STEPS + 1] * y
    if kind != CONE:
        return x, y
    sine = sin(frame[13])
    tip = frame[12] / abs(sine)
    down = tip + y if sine > 0.0 else tip - y
    sweep = atan2(x, down)
    sweep += TURN * np.rint((near * abs(sine) - sweep) / TURN)
    along = (hypot(x, down) - tip) * cos(frame[13])
    return sweep / abs(sine), along if sine > 0.0 else -along


@njit_inner
def excess(kind, frame, one, two, other_one, other_two, most_turn, deflection):
    """How far the chord between points with these parameters goes beyond what it may, above 1: the surface turns along
    it by most_turn at the most, radians, and is not further from it than the deflection."""
    if kind == PLANE:
        return 0.0
    if kind == SPHERE:
        x, y, z = _direction(frame, one, two)
        other_x, other_y, other_z = _direction(frame, other_one, other_two)
        turn = acos(min(1.0, max(-1.0, x * other_x + y * other_y + z * other_z)))
        return max(turn / most_turn, frame[12] * _bow(turn) / deflection)
    turn, radius = abs(one - other_one), frame[12]
    if kind == CYLINDER:
        return max(turn / most_turn, radius * _bow(turn) / deflection)
    if kind == CONE:
        radius += 0.5 * (two + other_two) * tan(frame[13])
        return max(turn / most_turn, radius * _bow(turn) / deflection)
    around = abs(two - other_two)
    radius += frame[13] * cos(0.5 * (two + other_two))
    # each way for itself: the diagonal of a square of chords that are short enough is short enough
    return max(max(turn, around) / most_turn, max(radius * _bow(turn), frame[13] * _bow(around)) / deflection)


@njit_inner
def _bow(turn):
    """How far an arc of radius 1 is from its chord."""
    return 1.0 - cos(0.5 * min(turn, TURN))


@njit_inner
def lift(kind, frame, one, two, lifted):
    """Write the point with these parameters and the normal there to six numbers, both in the frame. The normal, of
    length 1, is Z, or points away from axis, center or tube; at the tip of a cone there is none, and it is 0."""
    if kind == PLANE:
        lifted[0], lifted[1], lifted[2] = one, two, 0.0
        lifted[3], lifted[4], lifted[5] = 0.0, 0.0, 1.0
    elif kind == SPHERE:
        x, y, z = _direction(frame, one, two)
        lifted[0], lifted[1], lifted[2] = frame[12] * x, frame[12] * y, frame[12] * z
        lifted[3], lifted[4], lifted[5] = x, y, z
    else:
        radius, out, up, along = frame[12], 1.0, 0.0, two
        if kind == TORUS:
            out, up = cos(two), sin(two)
            radius, along = frame[12] + frame[13] * out, frame[13] * up
        elif kind == CONE:
            radius += two * tan(frame[13])
            out, up = (cos(frame[13]), -sin(frame[13])) if radius > AT_TIP_MM else (0.0, 0.0)
        x, y = cos(one), sin(one)
        lifted[0], lifted[1], lifted[2] = radius * x, radius * y, along
        lifted[3], lifted[4], lifted[5] = out * x, out * y, up


@njit_inner
def to_part(frame, local, point, sign):
    """Write a vector of the frame, `sign` times, in the directions of the part."""
    for i in range(3):
        point[i] = sign * (local[0] * frame[9 + i] + local[1] * frame[6 + i] + local[2] * frame[3 + i])


@njit_inner
def normal_sign(kind, frame):
    """1 where the surface's own normal (dU x dV) is that of `lift`, -1 where it is the other way."""
    return frame[13] if kind == SPHERE else handedness(frame)


@njit_inner
def handedness(frame):
    """1 where X x Y points along Z, -1 in a left-handed frame."""
    along = (frame[10] * frame[8] - frame[11] * frame[7]) * frame[3]
    along += (frame[11] * frame[6] - frame[9] * frame[8]) * frame[4]
    along += (frame[9] * frame[7] - frame[10] * frame[6]) * frame[5]
    return 1.0 if along > 0.0 else -1.0


@njit_inner
def _find_parameters(kind, frame, points, i, parameters, slack):
    """Parameters of a point, turns from -pi to pi, nan at the tip of a cone; False where it is off the surface."""
    x, y, z = _in_frame(frame, points, i)
    if kind == PLANE:
        parameters[i, 0], parameters[i, 1] = x, y
        return abs(z) <= slack
    parameters[i, 0], parameters[i, 1] = atan2(y, x), z
    if kind == TORUS:
        out = hypot(x, y) - frame[12]
        parameters[i, 1] = atan2(z, out)
        return abs(hypot(out, z) - frame[13]) <= min(slack, MOST_OFF * frame[13])
    if kind == CYLINDER:
        return abs(hypot(x, y) - frame[12]) <= min(slack, MOST_OFF * frame[12])
    radius = frame[12] + z * tan(frame[13])
    if radius <= AT_TIP_MM:
        parameters[i, 0] = np.nan
    return radius >= -AT_TIP_MM and abs(hypot(x, y) - radius) <= slack


@njit_inner
def _in_frame(frame, points, i):
    dx, dy, dz = points[i, 0] - frame[0], points[i, 1] - frame[1], points[i, 2] - frame[2]
    x = dx * frame[9] + dy * frame[10] + dz * frame[11]
    y = dx * frame[6] + dy * frame[7] + dz * frame[8]
    z = dx * frame[3] + dy * frame[4] + dz * frame[5]
    return x, y, z


@njit_inner
def _unroll(parameters, column, first, last):
    """Make the turns along a loop run on where they jump by a whole turn; False where the loop then ends a turn from
    where it began, or what it turns from one point to the next is not clear. nan is the tip of a cone, where any turn
    is right: the loop begins after it, and it takes the turn before it."""
    count, start, tips = last - first, first, 0
    for i in range(first, last):
        if np.isnan(parameters[i, column]):
            tips += 1
            start = i + 1 if i + 1 < last else first
    if tips > 1 or count < 2:
        return False
    before = parameters[start, column]
    for step in range(1, count + 1):
        i = first + (start - first + step) % count
        if np.isnan(parameters[i, column]):
            parameters[i, column] = before
            return True
        change = parameters[i, column] - before
        change -= TURN * np.rint(change / TURN)
        if abs(change) > MOST_BETWEEN_POINTS:
            return False
        before += change
        if step < count:
            parameters[i, column] = before
    return abs(before - parameters[start, column]) < pi


@njit_inner
def _largest_loop(parameters, loops):
    """The loop that surrounds the largest area of parameters."""
    main, largest = 0, -1.0
    for loop in range(len(loops) - 1):
        area = abs(_double_area(parameters, loops[loop : loop + 2]))
        if area > largest:
            main, largest = loop, area
    return main


@njit_inner
def _gather_turns(parameters, column, loops, main):
    """Turn the other loops by whole turns to where the main one surrounds them; False where that cannot be, or the face
    covers itself."""
    low, high = np.inf, -np.inf
    for i in range(loops[main], loops[main + 1]):
        low, high = min(low, parameters[i, column]), max(high, parameters[i, column])
    if high - low > TURN * (1.0 + 1e-6):
        return False
    for loop in range(len(loops) - 1):
        first, last = loops[loop], loops[loop + 1]
        middle = 0.0
        for i in range(first, last):
            middle += parameters[i, column] / (last - first)
        shift = TURN * ceil((low - middle) / TURN) if loop != main else 0.0
        if middle + shift > high:
            return False
        for i in range(first, last):
            parameters[i, column] += shift
    return True


@njit_inner
def _project_sphere(frame, points, loops, parameters, slack):
    """Turn the frame to the middle of the face and project its outlines; as `lay_out`."""
    hand = handedness(frame)
    x, y, z = 0.0, 0.0, 0.0
    for loop in range(len(loops) - 1):
        for i in range(loops[loop], loops[loop + 1]):
            after = i + 1 if i + 1 < loops[loop + 1] else loops[loop]
            ax, ay, az = points[i, 0] - frame[0], points[i, 1] - frame[1], points[i, 2] - frame[2]
            bx, by, bz = points[after, 0] - frame[0], points[after, 1] - frame[1], points[after, 2] - frame[2]
            if not abs(sqrt(ax * ax + ay * ay + az * az) - frame[12]) <= min(slack, MOST_OFF * frame[12]):
                return False
            # what the boundary goes around is the integral of the normal over the face
            cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
            x, y, z = x + 0.5 * hand * cx, y + 0.5 * hand * cy, z + 0.5 * hand * cz
    length = sqrt(x * x + y * y + z * z)
    # it vanishes for a belt, whose outlines are then too far from whatever it points to
    if not length > 0.0:
        return False
    frame[3], frame[4], frame[5] = x / length, y / length, z / length
    least = 0
    for k in range(3):
        if abs(frame[3 + k]) < abs(frame[3 + least]):
            least = k
    # X across the axis that Z is furthest from, Y = Z x X; the other way round where the normal points inwards
    for k in range(3):
        frame[9 + k] = (1.0 if k == least else 0.0) - frame[3 + least] * frame[3 + k]
    length = sqrt(frame[9] ** 2 + frame[10] ** 2 + frame[11] ** 2)
    for k in range(3):
        frame[9 + k] /= length
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        frame[6 + k] = hand * (frame[3 + i] * frame[9 + j] - frame[3 + j] * frame[9 + i])
    frame[13] = hand
    for i in range(loops[len(loops) - 1]):
        x, y, z = _in_frame(frame, points, i)
        length = sqrt(x * x + y * y + z * z)
        if z <= FARTHEST_COSINE * length:
            return False
        parameters[i, 0], parameters[i, 1] = 2.0 * frame[12] * x / (length + z), 2.0 * frame[12] * y / (length + z)
    # around a face that has the point opposite to its middle the outlines run the other way
    return _double_area(parameters, loops) > 0.0


@njit_inner
def _double_area(parameters, loops):
    """Twice the area that the loops surround, those counterclockwise less those clockwise."""
    area = 0.0
    for loop in range(len(loops) - 1):
        for i in range(loops[loop], loops[loop + 1]):
            after = i + 1 if i + 1 < loops[loop + 1] else loops[loop]
            area += parameters[i, 0] * parameters[after, 1] - parameters[after, 0] * parameters[i, 1]
    return area


@njit_inner
def ring_radius(frame, turn):
    """Radius of the circle in the plane whose points are so far turned from the middle of a face on a sphere."""
    return 2.0 * frame[12] * tan(0.5 * turn)


@njit_inner
def _direction(frame, one, two):
    """From a sphere's center to where a place came from, along X, Y, Z of its frame."""
    x, y = 0.5 * one / frame[12], 0.5 * two / frame[12]
    square = x * x + y * y
    return 2.0 * x / (1.0 + square), 2.0 * y / (1.0 + square), (1.0 - square) / (1.0 + square)
