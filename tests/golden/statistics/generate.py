"""Writes scipy.json: what SciPy says of some samples. Run once, by hand; the tests read the file.

usage: python3 generate.py > scipy.json      (made with SciPy 1.17.1, NumPy 2.x)
"""
import json

import numpy as np
from scipy import stats

random = np.random.default_rng(20261130)


def lognormal(n, shift=0.0, sigma=0.03, digits=None):
    values = np.exp(random.normal(shift, sigma, n))
    return [float(v) for v in (values if digits is None else np.round(values, digits))]


def walk(n, slope):
    return [float(v) for v in np.exp(slope * np.arange(n) + random.normal(0, 0.01, n))]


def rank_case(a, b, method):
    # U of the second sample; ties: SciPy's permutation over all arrangements.
    kind = {"exact": "exact", "permutation": stats.PermutationMethod(n_resamples=np.inf), "asymptotic": "asymptotic"}[method]
    result = stats.mannwhitneyu(b, a, alternative="two-sided", method=kind, use_continuity=True)
    return {"base": a, "changed": b, "method": method, "u": float(result.statistic), "p_value": float(result.pvalue)}


rank = [rank_case(lognormal(n), lognormal(m, shift), "exact")
        for n, m, shift in [(5, 5, 0.1), (5, 5, 0), (3, 4, 0.02), (9, 9, 0.03), (20, 20, 0.02), (5, 60, 0.03), (33, 33, 0.01), (1, 1, 0)]]
rank += [rank_case(lognormal(n, digits=2), lognormal(m, shift, digits=2), "permutation") for n, m, shift in [(5, 5, 0.03), (6, 7, 0.02), (9, 8, 0.0)]]
rank += [rank_case(lognormal(n), lognormal(m, shift), "asymptotic") for n, m, shift in [(60, 60, 0.005), (200, 150, 0.002)]]
rank += [rank_case(lognormal(80, digits=2), lognormal(70, 0.01, digits=2), "asymptotic")]

welch = []
for n, m, shift in [(5, 5, 0.1), (9, 7, 0.01), (2, 2, 0.05), (30, 4, 0.02)]:
    a, b = lognormal(n), lognormal(m, shift)
    welch.append({"base": a, "changed": b, "p_value": float(stats.ttest_ind(a, b, equal_var=False).pvalue)})

trend = []
for n, slope in [(5, 0.02), (9, 0.0), (12, 0.004), (30, 0.001)]:
    values = walk(n, slope)
    trend.append({"values": values,
                  "p_value": float(stats.kendalltau(range(n), values, method="exact").pvalue),
                  "change": float(stats.theilslopes(values, range(n)).slope * (n - 1))})

holm = []
for p in ([0.01, 0.04, 0.03], [0.001, 0.9, 0.002, 0.5, 0.03], [0.2], [0.5, 0.6, 0.7]):
    # SciPy has no Holm; the definition, written out.
    order, largest, adjusted = sorted(range(len(p)), key=lambda i: p[i]), 0.0, [0.0] * len(p)
    for k, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p) - k) * p[i]))
        adjusted[i] = largest
    holm.append({"p_values": p, "adjusted": adjusted})

print(json.dumps({"rank": rank, "welch": welch, "trend": trend, "holm": holm}, indent=1))
