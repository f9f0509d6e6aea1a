#!/usr/bin/env bash
# Boost.odeint 1.74: the two rows of weights of runge_kutta_fehlberg78 (Fehlberg 1968) differ in four stages at c = 0 and c = 1 only, by
# (1, 1, -1, -1) times 41/840. For y' = f(t) the estimate is therefore 0, whatever f: every step is accepted and lengthened. The
# integral of cos 50t over [0, 10] comes back with an error of 0.95 at a tolerance of 1e-10, without a word.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libboost1.74-dev=1.74.0+ds1-21
dpkg -x libboost1.74-dev_*.deb boost
cat > main.cpp <<'CPP'
#include <array>
#include <cmath>
#include <cstdio>
#include <boost/numeric/odeint.hpp>
using namespace boost::numeric::odeint;
using State = std::array<double, 1>;

template <class Stepper> double error(const char *name) {
    State y{0};
    auto slope = [](const State &, State &f, double t) { f[0] = std::cos(50 * t); };
    auto steps = integrate_adaptive(make_controlled(1e-10, 1e-10, Stepper()), slope, y, 0.0, 10.0, 1e-3);
    double e = std::fabs(y[0] - std::sin(500.0) / 50);
    std::printf("%s: %zu steps, error %.1e\n", name, static_cast<size_t>(steps), e);
    return e;
}

int main() {
    double blind = error<runge_kutta_fehlberg78<State>>("runge_kutta_fehlberg78");
    double sound = error<runge_kutta_dopri5<State>>("runge_kutta_dopri5");
    return blind > 1e-2 && sound < 1e-8 ? 0 : 1;
}
CPP
c++ -std=c++17 -O1 -w -I boost/usr/include main.cpp -o main
./main || { echo "the errors have changed"; exit 1; }
