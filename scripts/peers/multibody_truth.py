#!/usr/bin/env python3
"""Mass matrices and bias forces of random trees by Pinocchio: reference data for the tests of hemiola-multibody.

Needs `pip install pin numpy`. Run in the root of the repository:

    python3 scripts/peers/multibody_truth.py > crates/motion/multibody/tests/data/pinocchio.json

Each case is a machine as a file of the format hemiola-multibody/1, and states: positions q, velocities v, a vector x, the product A x with
the mass matrix A, and the bias forces h (Coriolis, centrifugal and gravity) of A a + h = tau. Quaternions are (w, x, y, z), of any length.
"""

import json
import random

import numpy as np
import pinocchio as pin

CASES, STATES = 40, 25
KINDS = ["fixed", "revolute", "revolute", "revolute", "prismatic", "universal", "ball"]


def vector(rng, size):
    return [round(rng.uniform(-size, size), 3) for _ in range(3)]


def axis(rng):
    """Returns an axis, along a coordinate axis in half of the cases: programs treat these separately."""
    if rng.random() < 0.5:
        unit = [0.0, 0.0, 0.0]
        unit[rng.randrange(3)] = rng.choice([-1.0, 1.0])
        return unit
    while True:
        found = vector(rng, 1.0)
        if np.linalg.norm(found) > 0.3:
            return found


def inertia(rng, mass):
    """Returns the inertia of random points, so that it is physically possible."""
    tensor = np.zeros((3, 3))
    for _ in range(6):
        p = np.array(vector(rng, 0.5))
        tensor += mass / 6 * (p @ p * np.eye(3) - np.outer(p, p))
    return np.round(tensor, 6) + 1e-3 * np.eye(3)


def machine(rng, bodies, floating):
    names = ["ground"]
    out = {"format": "hemiola-multibody/1", "name": "random tree", "gravity": vector(rng, 10), "bodies": [], "joints": []}
    for k in range(bodies):
        mass = round(10 ** rng.uniform(-2, 3), 4)
        at, name = vector(rng, 1.0), f"b{k}"
        tensor = inertia(rng, mass)
        # No tip has a fixed joint, because its body would not affect the results.
        kind = "floating" if floating and k == 0 else rng.choice(KINDS if 0 < k else KINDS[1:])
        joint = {"type": kind, "between": [rng.choice(names[-3:]), name], "at": at}
        if kind in ("revolute", "prismatic", "universal"):
            joint["axis"] = axis(rng)
        if kind == "universal":
            while True:
                joint["second_axis"] = axis(rng)
                if np.linalg.norm(np.cross(joint["axis"], joint["second_axis"])) > 0.2:
                    break
        out["bodies"].append({
            "name": name, "mass": mass, "center": [round(a + b, 3) for a, b in zip(at, vector(rng, 0.5))],
            "inertia": [float(round(tensor[i][i], 6)) for i in range(3)],
            "products": [float(tensor[i][j]) for i, j in [(0, 1), (0, 2), (1, 2)]],
        })
        out["joints"].append(joint)
        names.append(name)
    return out


def pinocchio_joint(joint):
    kind = joint["type"]
    unit = lambda key: np.array(joint[key]) / np.linalg.norm(joint[key])
    if kind == "revolute":
        return pin.JointModelRevoluteUnaligned(unit("axis"))
    if kind == "prismatic":
        return pin.JointModelPrismaticUnaligned(unit("axis"))
    if kind == "ball":
        return pin.JointModelSpherical()
    composite = pin.JointModelComposite()
    if kind == "universal":
        composite.addJoint(pin.JointModelRevoluteUnaligned(unit("axis")))
        composite.addJoint(pin.JointModelRevoluteUnaligned(unit("second_axis")))
    else:
        composite.addJoint(pin.JointModelTranslation())
        composite.addJoint(pin.JointModelSpherical())
    return composite


def pinocchio_model(described):
    model = pin.Model()
    model.gravity.linear = np.array(described["gravity"])
    where = {"ground": (0, np.zeros(3))}  # the joint that defines the axes of the body, and the design position of its origin
    for body, joint in zip(described["bodies"], described["joints"]):
        at = np.array(joint["at"])
        parent, origin = where[joint["between"][0]]
        placement = pin.SE3(np.eye(3), at - origin)
        if joint["type"] == "fixed":
            index, base = parent, origin
        else:
            index, base = model.addJoint(parent, pinocchio_joint(joint), placement, body["name"]), at
        xx, yy, zz = body["inertia"]
        xy, xz, yz = body["products"]
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        spatial = pin.Inertia(body["mass"], np.array(body["center"]) - base, tensor)
        model.appendBodyToJoint(index, spatial, pin.SE3.Identity())
        where[body["name"]] = (index, base)
    return model


def positions(described, rng):
    """Returns positions in the file format and for Pinocchio: unit quaternions (x, y, z, w)."""
    written, theirs = [], []
    for joint in described["joints"]:
        kind = joint["type"]
        plain = {"revolute": 1, "prismatic": 1, "universal": 2, "floating": 3}.get(kind, 0)
        values = [round(rng.uniform(-3, 3), 3) for _ in range(plain)]
        written += values
        theirs += values
        if kind in ("ball", "floating"):
            q = [round(rng.uniform(-1, 1), 3) + 1e-3 for _ in range(4)]
            q = [round(x, 3) for x in q]
            w, x, y, z = np.array(q) / np.linalg.norm(q)
            written += q
            theirs += [x, y, z, w]
    return written, np.array(theirs)


def main():
    rng = random.Random(18)
    cases = []
    for case in range(CASES):
        while True:
            described = machine(rng, rng.randint(2, 9), case % 2 == 0)
            model = pinocchio_model(described)
            if model.nv > 0:
                break
        data, states = model.createData(), []
        for _ in range(STATES):
            written, q = positions(described, rng)
            v = np.array([round(rng.uniform(-5, 5), 2) for _ in range(model.nv)])
            x = np.array([round(rng.uniform(-1, 1), 2) for _ in range(model.nv)])
            # crba does not apply: it assumes contiguous coordinates of a subtree, but here bodies have any order.
            model.gravity.linear = np.zeros(3)
            product = pin.rnea(model, data, q, np.zeros(model.nv), x)
            model.gravity.linear = np.array(described["gravity"])
            bias = pin.rnea(model, data, q, v, np.zeros(model.nv))
            states.append({
                "q": written, "v": v.tolist(), "x": x.tolist(), "ax": product.tolist(), "h": bias.tolist(),
            })
        cases.append({"machine": described, "states": states})
    print('{"source": "Pinocchio %s by scripts/peers/multibody_truth.py",\n"cases": [' % pin.__version__)
    print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
    print("]}")


main()
