"""A regression with an intercept and a slope for each county: its log density and gradient, exported with one call.

    python county_regression.py            # normal noise
    python county_regression.py student    # the same model with Student's t noise
"""

import sys

import numpy as np
import pytensor
import pytensor.tensor as pt

import nodewise

COUNTIES, HOUSES = 20, 150
rng = np.random.default_rng(42)
county = rng.integers(0, COUNTIES, HOUSES).astype("int16")
floor = rng.integers(0, 2, HOUSES).astype("int8")
radon = np.round(1.5 + rng.normal(0, 0.3, COUNTIES)[county] - 0.6 * floor + rng.normal(0, 0.7, HOUSES), 2)


def normal(x, mu, sigma):
    return -0.5 * ((x - mu) / sigma) ** 2 - pt.log(sigma) - 0.5 * np.log(2 * np.pi)


def student(x, nu, mu, sigma):
    constant = pt.gammaln((nu + 1) / 2) - pt.gammaln(nu / 2) - 0.5 * pt.log(nu * np.pi) - pt.log(sigma)
    return constant - (nu + 1) / 2 * pt.log1p(((x - mu) / sigma) ** 2 / nu)


mu_a, mu_b, log_sigma_a, log_sigma_b, log_sigma, log_nu = pt.scalars(
    "mu_a", "mu_b", "log_sigma_a", "log_sigma_b", "log_sigma", "log_nu"
)
a, b = pt.vectors("a", "b")
mean = a[county] + b[county] * floor
if "student" in sys.argv:
    noise = student(radon, pt.exp(log_nu), mean, pt.exp(log_sigma))
else:
    noise = normal(radon, mean, pt.exp(log_sigma))
logp = (
    normal(mu_a, 0, 10)
    + normal(mu_b, 0, 10)
    + normal(a, mu_a, pt.exp(log_sigma_a)).sum()
    + normal(b, mu_b, pt.exp(log_sigma_b)).sum()
    + noise.sum()
)
logp += sum(log - pt.exp(log) for log in (log_sigma_a, log_sigma_b, log_sigma)) + log_nu - pt.exp(log_nu) / 10

parameters = [mu_a, mu_b, log_sigma_a, log_sigma_b, log_sigma, log_nu, a, b]
gradient = pytensor.grad(logp, parameters)
point = [1.5, -0.5, -1.0, -1.0, -0.5, 2.0, rng.normal(1.5, 0.3, COUNTIES), rng.normal(-0.6, 0.3, COUNTIES)]

kind = "student" if "student" in sys.argv else "normal"
name = f"County regression, {kind} noise: log-density and gradient"
print(nodewise.export([logp, *gradient], f"county_regression_{kind}", cases=[point], inputs=parameters, name=name))
