#!/usr/bin/env python3
"""Writes random_streams.h: draws of NumPy's Generator, to be repeated bit for bit (but for the last bits of libm).

Run it with NumPy installed after changing the table; the tests read the header only."""
import numpy as np

SEED = 20240229
SIZE = (3, 2)


def uniform(formula):
    return lambda rng, *p: formula(rng.uniform(size=SIZE), *p)


def method(name):
    return lambda rng, *p: getattr(rng, name)(*p, size=SIZE)


# dist: how it is drawn, then for each parameter a letter (r: real, i: integer) and its two values. They stand along the
# last axis of the draw.
STREAMS = [
    ("normal", method("normal"), ("r", 0.5, -2), ("r", 1, 3)),
    ("uniform", method("uniform"), ("r", 0.5, -2), ("r", 1, 3)),
    ("lognormal", method("lognormal"), ("r", 0.5, -2), ("r", 1, 0.25)),
    ("gamma", method("gamma"), ("r", 0.5, 7), ("r", 1, 3)),
    ("beta", method("beta"), ("r", 0.5, 7), ("r", 0.25, 3)),
    ("exponential", method("exponential"), ("r", 0.5, 7)),
    ("weibull", method("weibull"), ("r", 0.5, 7)),
    ("logistic", method("logistic"), ("r", 0.5, 7), ("r", 1, 3)),
    ("laplace", method("laplace"), ("r", 0.5, 7), ("r", 1, 3)),
    ("triangular", method("triangular"), ("r", 0, -1), ("r", 0.25, 2), ("r", 1, 2.5)),
    ("vonmises", method("vonmises"), ("r", 0.5, -2), ("r", 1, 40)),
    ("wald", method("wald"), ("r", 0.5, 2), ("r", 1, 40)),
    ("poisson", method("poisson"), ("r", 2.5, 60)),
    ("geometric", method("geometric"), ("r", 0.5, 0.02)),
    ("hypergeometric", method("hypergeometric"), ("i", 5, 500), ("i", 7, 900), ("i", 6, 300)),
    ("binomial", method("binomial"), ("i", 10, 1000), ("r", 0.25, 0.7)),
    ("integers", method("integers"), ("i", -5, 0), ("i", 5, 2**40)),
    ("bernoulli", lambda rng, p: rng.binomial(1, p, size=SIZE), ("r", 0.25, 0.7)),
    ("negative_binomial", method("negative_binomial"), ("r", 2.5, 20), ("r", 0.25, 0.7)),
    ("beta_binomial", lambda rng, n, a, b: rng.binomial(n, rng.beta(a, b, size=SIZE), size=SIZE),
     ("i", 10, 1000), ("r", 0.5, 7), ("r", 0.25, 3)),
    ("halfnormal", lambda rng, loc, scale: np.abs(rng.standard_normal(size=SIZE)) * scale + loc, ("r", 0.5, -2), ("r", 1, 3)),
    ("t", lambda rng, df, loc, scale: rng.standard_t(df, size=SIZE) * scale + loc, ("r", 0.5, 4), ("r", 0.5, -2), ("r", 1, 3)),
    ("invgamma", lambda rng, shape, scale: 1 / rng.gamma(shape, 1 / scale, size=SIZE), ("r", 0.5, 7), ("r", 1, 3)),
    ("gengamma", lambda rng, a, p, scale: rng.standard_gamma(a / p, size=SIZE) ** (1 / p) * scale,
     ("r", 2.5, 4), ("r", 0.5, 2), ("r", 1, 3)),
    ("pareto", uniform(lambda u, b, scale: (1 - u) ** (-1 / b) * scale), ("r", 0.5, 4), ("r", 1, 3)),
    ("gumbel", uniform(lambda u, loc, scale: -np.log(-np.log(u)) * scale + loc), ("r", 0.5, -2), ("r", 1, 3)),
    ("cauchy", uniform(lambda u, loc, scale: np.tan(np.pi * u - np.pi / 2) * scale + loc), ("r", 0.5, -2), ("r", 1, 3)),
    ("halfcauchy", uniform(lambda u, loc, scale: np.tan(np.pi / 2 * u) * scale + loc), ("r", 0.5, -2), ("r", 1, 3)),
    ("truncexpon", uniform(lambda u, b, loc, scale: -np.log1p(u * np.expm1(-b)) * scale + loc),
     ("r", 0.5, 4), ("r", 0.5, -2), ("r", 1, 3)),
]

HEADER = """// Written by random_streams.py with NumPy {version}; not to be edited.
#pragma once

struct RandomStream {{
  const char* dist;
  const char* kinds; ///< a letter for each parameter: r real, i integer
  double parameters[3][2];
  double draws[6]; ///< of size (3, 2)
  double after;    ///< the generator's next number in [0, 1)
}};

inline constexpr unsigned kStreamSeed = {seed};

inline constexpr RandomStream kRandomStreams[] = {{
"""

with open("random_streams.h", "w", encoding="ascii") as out:
    out.write(HEADER.format(version=np.__version__, seed=SEED))
    for dist, draw, *parameters in STREAMS:
        rng = np.random.default_rng(SEED)
        values = [np.array(p[1:], dtype={"r": float, "i": np.int64}[p[0]]) for p in parameters]
        draws = draw(rng, *values).ravel().tolist()
        out.write('    {"%s", "%s", {%s}, {%s}, %r},\n' % (
            dist, "".join(p[0] for p in parameters),
            ", ".join("{%r, %r}" % tuple(float(x) for x in p[1:]) for p in parameters),
            ", ".join(repr(float(x)) for x in draws), rng.random()))
    out.write("};\n")
