#!/usr/bin/env bash
# Boost.odeint 1.74: rosenbrock4 has order 4 for y' = f(y) and order 1 for y' = f(t, y), although the user passes the derivative of f
# with respect to t. Seen on y' = -y + cos t, once with t as an argument, once with t as a second variable.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libboost1.74-dev=1.74.0+ds1-21
dpkg -x libboost1.74-dev_*.deb boost
cat > main.cpp <<'CPP'
#include <cmath>
#include <cstdio>
#include <boost/numeric/odeint.hpp>
using namespace boost::numeric::odeint;
using Vector = boost::numeric::ublas::vector<double>;
using Matrix = boost::numeric::ublas::matrix<double>;

template <class F, class J> double last(F f, J jacobian, Vector y, int steps) {
    rosenbrock4<double> stepper;
    auto system = std::make_pair(f, jacobian);
    double h = 1.0 / steps;
    for (int i = 0; i < steps; ++i) stepper.do_step(system, y, i * h, h);
    return y(0);
}

int main() {
    double exact = 0.5 * (std::cos(1.0) + std::sin(1.0)) + 0.5 * std::exp(-1.0);
    auto timed = [](const Vector &y, Vector &f, double t) { f(0) = -y(0) + std::cos(t); };
    auto timed_jacobian = [](const Vector &, Matrix &j, const double &t, Vector &ft) { j(0, 0) = -1; ft(0) = -std::sin(t); };
    auto clock = [](const Vector &y, Vector &f, double) { f(0) = -y(0) + std::cos(y(1)); f(1) = 1; };
    auto clock_jacobian = [](const Vector &y, Matrix &j, const double &, Vector &ft) {
        j(0, 0) = -1; j(0, 1) = -std::sin(y(1)); j(1, 0) = j(1, 1) = 0; ft(0) = ft(1) = 0;
    };
    double slope[2];
    for (int form = 0; form < 2; ++form) {
        double error[2];
        for (int k = 0; k < 2; ++k) {
            Vector y(form + 1);
            y(0) = 1;
            if (form == 1) y(1) = 0;
            error[k] = std::fabs((form == 0 ? last(timed, timed_jacobian, y, 32 << k) : last(clock, clock_jacobian, y, 32 << k)) - exact);
        }
        slope[form] = std::log2(error[0] / error[1]);
        std::printf("%s: errors %.2e, %.2e, order %.2f\n", form ? "time as a variable" : "time as an argument", error[0], error[1], slope[form]);
    }
    return slope[0] < 1.3 && slope[1] > 3.7 ? 0 : 1;
}
CPP
c++ -std=c++17 -O0 -w -I boost/usr/include main.cpp -o main
./main || { echo "the orders have changed"; exit 1; }
