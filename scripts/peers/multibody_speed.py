#!/usr/bin/env python3
"""Times accelerations of trees by Pinocchio (its C++ ABA) and MuJoCo. Prints a table in Markdown.

The trees are those of the bench `rates` of hemiola-multibody: chains of hinges, and the trees of the HMMWV and the truck without loops and
forces; inertias do not affect the time. Needs g++ and `pip install pin cmeel-eigen mujoco`; run it with that Python:

    python scripts/peers/multibody_speed.py

Pinocchio is called in a loop in C++, compiled with -O3 against the headers of its package; MuJoCo by mj_step with many steps in one call,
with Euler's method, without contacts, limits and equality constraints, so that a step is little more than an evaluation.
"""

import subprocess
import sysconfig
import tempfile
import time
from pathlib import Path

import mujoco

RUNS = 15

CPP = r"""
#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <chrono>
#include <cstdio>
#include <algorithm>
using namespace pinocchio;
static int add(Model& m, int parent, const JointModel& j, double x, double y) {
  int k = m.addJoint(parent, j, SE3(Eigen::Matrix3d::Identity(), Eigen::Vector3d(x, y, 0)), "j" + std::to_string(m.njoints));
  Eigen::Matrix3d tensor = Eigen::Vector3d(.01, .02, .03).asDiagonal();
  m.appendBodyToJoint(k, Inertia(1.0, Eigen::Vector3d(.15, .02, .01), tensor));
  return k;
}
static Model chain(int n) {
  Model m; int p = 0;
  for (int k = 1; k <= n; k++) {
    double x = k == 1 ? 0 : .3;
    p = k % 3 == 0 ? add(m, p, JointModelRX(), x, 0) : k % 3 == 1 ? add(m, p, JointModelRY(), x, 0) : add(m, p, JointModelRZ(), x, 0);
  }
  return m;
}
static Model hmmwv() {
  Model m; int c = add(m, 0, JointModelFreeFlyer(), 0, 0);
  add(m, c, JointModelPY(), 1, 0);
  for (double x : {1.7, -1.7}) for (double y : {.9, -.9}) {
    int lower = add(m, c, JointModelRevoluteUnaligned(Eigen::Vector3d(.6, .8, 0)), x, .5 * y);
    add(m, c, JointModelRevoluteUnaligned(Eigen::Vector3d(.8, .6, 0)), x, .5 * y);
    int upright = add(m, lower, JointModelSpherical(), 0, .3 * y);
    add(m, upright, JointModelRY(), 0, .1 * y);
  }
  return m;
}
static void axle(Model& m, int frame, double x, bool steered) {
  int p = add(m, add(m, frame, JointModelPZ(), x, 0), JointModelRX(), 0, 0);
  if (steered) p = add(m, p, JointModelRZ(), 0, 0);
  add(m, p, JointModelRY(), 0, 1); add(m, p, JointModelRY(), 0, -1);
}
static Model truck() {
  Model m; int t = add(m, 0, JointModelFreeFlyer(), 0, 0);
  add(m, t, JointModelSpherical(), 1, 0); add(m, t, JointModelSpherical(), 1, 0);
  int s = add(m, t, JointModelSpherical(), -4, 0);
  axle(m, t, 0, true); axle(m, t, -4, false); axle(m, t, -5, false);
  for (double x : {-6., -7., -8.}) axle(m, s, x, false);
  return m;
}
static void run(const char* name, Model m, int runs) {
  Data d(m);
  Eigen::VectorXd q = neutral(m), v = Eigen::VectorXd::Zero(m.nv), tau = v;
  double best = 1e9;
  for (int r = 0; r < runs; r++) {
    auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 2000; k++) { aba(m, d, q, v, tau, Convention::CONVENTION); v[0] += 1e-12 * d.ddq[0]; }
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 2000);
  }
  std::printf("%s|%d|%.4f\n", name, int(m.nv), 1e6 * best);
}
int main() {
  for (int n : {10, 20, 40, 80, 160}) run(("chain of " + std::to_string(n) + " hinges").c_str(), chain(n), RUNS);
  run("hmmwv", hmmwv(), RUNS); run("truck", truck(), RUNS);
}
"""


def pinocchio(convention):
    prefix = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix"
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "aba.cpp", Path(folder) / "aba"
        source.write_text(CPP.replace("CONVENTION", convention).replace("RUNS", str(RUNS)))
        # Pinocchio has more types of joints than the default list length of Boost.
        boost = ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]
        command = ["g++", *boost, "-std=c++17", "-O3", "-DNDEBUG", "-DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION", str(source), "-o", str(program)]
        command += [f"-I{prefix}/include", f"-I{prefix}/include/eigen3", f"-L{prefix}/lib", "-lpinocchio_default", "-lboost_serialization"]
        subprocess.run(command + [f"-Wl,-rpath,{prefix}/lib"], check=True)
        lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split("\n")
    return {name: float(micro) for name, _, micro in (line.split("|") for line in lines if line)}


BODY = '<inertial pos=".15 .02 .01" mass="1" diaginertia=".01 .02 .03"/>'


def body(pos, joint, inside=""):
    return f'<body pos="{pos} 0">{joint}{BODY}{inside}</body>'


def hinge(axis):
    return f'<joint type="hinge" axis="{axis}"/>'


def chain(bodies):
    inside = ""
    for k in range(bodies, 0, -1):
        axis = " ".join("1" if i == k % 3 else "0" for i in range(3))
        inside = body("0.3 0", hinge(axis), inside)
    return inside


def hmmwv():
    wheels = body("1 0", '<joint type="slide" axis="0 1 0"/>')
    for x in (1.7, -1.7):
        for y in (0.9, -0.9):
            wheel = body(f"0 {0.1 * y}", hinge("0 1 0"))
            wheels += body(f"{x} {0.5 * y}", hinge(".6 .8 0"), body(f"0 {0.3 * y}", '<joint type="ball"/>', wheel))
            wheels += body(f"{x} {0.5 * y}", hinge(".8 .6 0"))
    return body("0 0", "<freejoint/>", wheels)


def axle(x, steered=False):
    wheels = body("0 1", hinge("0 1 0")) + body("0 -1", hinge("0 1 0"))
    if steered:
        wheels = body("0 0", hinge("0 0 1"), wheels)
    return body(f"{x} 0", '<joint type="slide" axis="0 0 1"/>', body("0 0", hinge("1 0 0"), wheels))


def truck():
    ball = '<joint type="ball"/>'
    trailer = body("-4 0", ball, "".join(axle(x) for x in (-6, -7, -8)))
    parts = body("1 0", ball) + body("1 0", ball) + trailer + axle(0, True) + axle(-4) + axle(-5)
    return body("0 0", "<freejoint/>", parts)


def mujoco_time(tree):
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option timestep="1e-9" integrator="Euler"><flag constraint="disable" eulerdamp="disable"/></option>'
        f"<worldbody>{tree}</worldbody></mujoco>"
    )
    data, best = mujoco.MjData(model), 1e9
    for _ in range(RUNS):
        start = time.perf_counter()
        mujoco.mj_step(model, data, 2000)
        best = min(best, (time.perf_counter() - start) / 2000)
    return 1e6 * best


def main():
    local, world = pinocchio("LOCAL"), pinocchio("WORLD")
    trees = {f"chain of {n} hinges": chain(n) for n in (10, 20, 40, 80, 160)} | {"hmmwv": hmmwv(), "truck": truck()}
    print("| tree | Pinocchio `aba`, local | in world axes | MuJoCo |")
    print("|---|--:|--:|--:|")
    for name, tree in trees.items():
        print(f"| {name} | {local[name]:.2f} µs | {world[name]:.2f} µs | {mujoco_time(tree):.2f} µs |")


main()
