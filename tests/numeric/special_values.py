#!/usr/bin/env python3
"""Writes special_values.h: values of special functions from mpmath (60 digits), at arguments chosen by hand.

Run it with mpmath installed after changing the arguments; the tests read the header only."""
import mpmath as mp

mp.mp.dps = 60
P = lambda k, x: mp.gammainc(k, 0, x, regularized=True)
Q = lambda k, x: mp.gammainc(k, x, mp.inf, regularized=True)
I = lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True)


def inverse(function, low, high):
    """Bisection in log x: slow, and sure."""
    def solve(*args):
        *shape, target = args
        a, b = mp.log(mp.mpf(low)), mp.log(mp.mpf(high))
        rising = function(*shape, mp.exp(b)) > function(*shape, mp.exp(a))
        for _ in range(180):
            m = (a + b) / 2
            if (function(*shape, mp.exp(m)) < target) == rising:
                a = m
            else:
                b = m
        return mp.exp(a)
    return solve


def owens_t(h, a):
    f = lambda x: mp.exp(-h * h * (1 + x * x) / 2) / (1 + x * x)
    return mp.quad(f, mp.linspace(0, a, 12)) / (2 * mp.pi)


FUNCTIONS = {
    "erf": (mp.erf, [(x,) for x in (1e-300, 1e-8, 0.1, 0.5, 1, 2.5, 5.9, -0.75)]),
    "erfc": (mp.erfc, [(x,) for x in (-3, 1e-20, 0.25, 1, 3, 10, 26.5)]),
    "erfcx": (lambda x: mp.exp(x * x) * mp.erfc(x), [(x,) for x in (-26.6, -3.3, -1, 0.5, 5, 9.99, 10, 100, 1e10)]),
    "erfinv": (mp.erfinv, [(x,) for x in (1e-300, 1e-9, 0.1, 0.5, -0.9, 0.999999, 0.9999999999999999)]),
    "erfcinv": (inverse(mp.erfc, 1e-12, 30), [(x,) for x in (1e-300, 1e-20, 0.01, 0.5, 0.999)]),
    "gamma": (mp.gamma, [(x,) for x in (1e-300, 0.1, 0.5, 1.5, 10.25, 100.5, 171.5, -0.5, -1.5, -20.3, -100.5)]),
    "gammaln": (lambda x: mp.log(abs(mp.gamma(x))),
                [(x,) for x in (1e-300, 0.3, 0.9999, 1.0001, 1.9999, 2.5, 30, 1e5, 1e20, 1e300, -0.5, -3.7, -50.25)]),
    "psi": (lambda x: mp.psi(0, x),
            [(x,) for x in (1e-10, 0.1, 0.5, 1, 1.4616, 3.5, 20, 1e6, 1e300, -0.1, -0.5, -1.00001, -20.3, -1e6 - 0.25)]),
    "tri_gamma": (lambda x: mp.psi(1, x), [(x,) for x in (1e-100, 0.1, 0.5, 1, 7.5, 1e5, 1e100, -0.5, -2.00001, -1000.3)]),
    "polygamma": (lambda n, x: mp.psi(int(n), x),
                  [(0, 2.5), (1, 2.5), (2, 0.01), (2, 1), (3, 5.5), (9, 9.35), (30, 20.5), (100, 1e4), (176, 2.95), (250, 30),
                   (2, -0.25), (2, -0.75), (3, -4.4), (5, -100.125), (40, -3.5)]),
    "gammainc": (P, [(0.001, 0.5), (0.5, 1e-10), (1, 1), (2.5, 7), (10, 3), (50, 50), (200, 30), (1000, 1010), (1e-10, 1)]),
    "gammaincc": (Q, [(0.001, 0.5), (0.5, 20), (1, 1), (2.5, 7), (10, 30), (50, 50), (200, 330), (1000, 1010), (1.4, 600)]),
    "gammau": (lambda k, x: mp.gammainc(k, x, mp.inf), [(0.5, 0.1), (3, 2), (10, 30), (160, 120), (100, 900), (0.1, 600)]),
    "gammal": (lambda k, x: mp.gammainc(k, 0, x), [(0.5, 0.1), (3, 2), (10, 30), (160, 150), (147.4, 0.17), (155.8, 0.58)]),
    "gammaincinv": (inverse(P, 1e-300, 1e4), [(0.01, 0.3), (0.5, 0.1), (1, 0.5), (3, 0.999), (50, 0.2), (200, 1e-10), (0.1, 0.9)]),
    "gammainccinv": (inverse(Q, 1e-300, 1e4), [(0.01, 0.3), (0.5, 0.1), (1, 0.5), (3, 1e-20), (50, 0.2), (200, 1e-10), (0.1, 0.9)]),
    "betainc": (I, [(0.5, 0.5, 0.3), (2, 3, 0.1), (30, 2, 0.9), (100, 80, 0.6), (0.01, 5, 1e-10), (5, 0.01, 0.5), (1, 1, 0.25)]),
    "betaincinv": (inverse(I, 1e-200, 1), [(0.5, 0.5, 0.3), (2, 3, 0.1), (30, 2, 0.9), (10, 8, 1e-12), (0.2, 5, 0.05)]),
    "hyp2f1": (mp.hyp2f1, [
        (1, 2, 3, 0.3), (0.5, 1.5, 2.5, -0.7), (1, 1, 2, 0.99), (1, 1, 2, 0.9999), (2, 3, 4.5, 0.95), (2, 3, 4.5, -0.95),
        (1, 1, 2, -1000), (1, 3, 2.5, -1e6), (0.5, 0.5, 1, 0.999999), (2, 1, 3, 1 - 1e-10), (0.3, 0.7, 1.0001, 0.99),
        (-3, 2, 1.5, 5), (-30, 4.5, 2.5, 0.9), (-5, 3, -7, 0.5), (-4, 2, -4, 0.5), (3.5, 2, 1.5, 0.4), (3.5, 2, 1.5, -30),
        (92.5, 42, 8.5, -0.375), (40, 30, 50, 0.8), (30, -30.5, -95.75, 0.75), (1, 2, 4, 1), (-2.5, 1.5, 3, 1),
        (5, 4, 3, 0.9999), (1e-12, 2, 3, 0.9), (10.5, 11, 3.25, -0.49),
        (0.5, 0.5, 4, 0.97), (3, 2, 1, 0.999), (0.1, 0.2, 0.3, 0.999), (2, 5, 9, -50), (-84.5, -96.5, 144, -0.5625), (1, 2, 3.0001, 0.999)]),
    "j0": (lambda x: mp.besselj(0, x), [(x,) for x in (1e-10, 0.5, 2.4, 2.405, 10, 30.6, 1000, -5.5)]),
    "j1": (lambda x: mp.besselj(1, x), [(x,) for x in (1e-10, 0.5, 3.83, 10, 30.6, 1000, -5.5)]),
    "i0": (lambda x: mp.besseli(0, x), [(x,) for x in (1e-10, 0.5, 7.7, 20, 700, -3)]),
    "i1": (lambda x: mp.besseli(1, x), [(x,) for x in (1e-10, 0.5, 7.7, 20, 700, -3)]),
    "jv": (mp.besselj, [(0.5, 1e-5), (2.5, 3), (30, 10), (100.5, 95), (3, -2.5), (-3, 2.5), (-0.5, 2), (-7.25, 3.5), (2, 1000)]),
    "ive": (lambda v, x: mp.besseli(v, x) * mp.exp(-abs(x)),
            [(0, 1e-10), (0.5, 3), (2, 59), (2, 61), (0, 1e4), (30.25, 300), (200.5, 400), (100, 0.5), (-2.5, 0.1),
             (-2.5, 3), (3, -4), (-3, 4)]),
    "kve": (lambda v, x: mp.besselk(v, x) * mp.exp(x),
            [(0, 1e-10), (0.5, 3), (2, 59), (2, 61), (0, 1e4), (30.25, 300), (200.5, 400), (100, 0.5), (-2.5, 0.1)]),
    "owens_t": (owens_t, [(0.5, 0.5), (1, 2.5), (-2, 0.75), (3, -1), (0.0625, 0.25), (6, 0.1), (10, 1.5), (0.1, 20)]),
}

HEADER = """// Written by special_values.py from mpmath {version} with 60 digits; not to be edited.
#pragma once

struct SpecialValue {{
  const char* function;
  double arguments[4];
  double value;
}};

inline constexpr SpecialValue kSpecialValues[] = {{
"""

with open("special_values.h", "w", encoding="ascii") as out:
    out.write(HEADER.format(version=mp.__version__))
    for name, (function, points) in FUNCTIONS.items():
        for point in points:
            value = function(*[mp.mpf(x) for x in point])
            out.write("    {\"%s\", {%s}, %s},\n" % (name, ", ".join(repr(float(x)) for x in point),
                                                   mp.nstr(mp.re(value), 17, min_fixed=-3, max_fixed=6)))
    out.write("};\n")
