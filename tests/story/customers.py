#!/usr/bin/env python3
"""customers.py ROWS SEED -- a table of customers as they come out of a shop's database.

Numbers of very different size, gaps, categories with a comma, quotes and rare levels, an identifier,
a date, notes with quoted line ends, and few customers who left: about one in 25. Who leaves is drawn
from a logistic model of what stands in the row, and of nothing else, so that there is a best answer.
The same arguments give the same bytes: random.random() alone is drawn from, which Python keeps.
"""
import csv
import math
import random
import sys

NAMES = ("customer", "signup", "country", "plan", "age", "fee", "calls", "hours", "balance", "app", "note", "churned")
COUNTRIES = ("AT", "BE", "CH", "CZ", "DE", "DK", "ES", "FR", "IT", "LI", "NL", "PL", "PT", "SE")
PLANS = (("basic", .55, .5), ("plus", .25, 0), ("family, 5 people", .13, -.6), ('"gold"', .07, -1))
NOTES = ("called about the bill", 'asked for "the boss"', "moved; new address:\n12 High Street", "",
         "wants a refund, again", "happy", "line was busy")


def normal(r):
    """A standard normal number (Box and Muller 1958)."""
    return math.sqrt(-2 * math.log(1 - r.random())) * math.cos(2 * math.pi * r.random())


def pick(r, weighted):
    """One of (thing, share, ...), by shares."""
    at = r.random()
    for one in weighted:
        at -= one[1]
        if at < 0:
            break
    return one


def customer(r, number):
    """One row, by the order of NAMES."""
    plan = pick(r, PLANS)
    country = int(len(COUNTRIES) * r.random() ** 2)
    age = 18 + 60 * r.random()
    fee = 9.99 + 10 * int(4 * r.random()) + (r.random() < .3) * .5
    calls = int(-2.2 * math.log(1 - r.random()))
    hours = math.exp(3 + 1.3 * normal(r))
    balance = 40000 * normal(r)
    app = r.random() < .6
    leaves = (-3.65 + plan[2] + .3 * math.sin(5 * country) - .018 * (age - 45) + .025 * (fee - 25) + .33 * calls
              - .004 * min(hours, 250) - .00001 * balance - .8 * app)
    churned = r.random() < 1 / (1 + math.exp(-leaves))
    gap = r.random()
    return (f"C{number:07d}", f"20{20 + number % 5}-{1 + number % 12:02d}-{1 + number % 28:02d}",
            COUNTRIES[country], plan[0], "" if gap < .06 else f"{age:.0f}", f"{fee:.2f}", calls,
            "" if gap > .97 else f"{hours:.1f}", f"{balance:.2f}", "yes" if app else "no",
            NOTES[int(len(NOTES) * r.random())], "yes" if churned else "no")


def main():
    rows, seed = (int(s) for s in sys.argv[1:])
    r = random.Random(seed)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(NAMES)
    out.writerows(customer(r, seed * 1000000 + i) for i in range(rows))


if __name__ == "__main__":
    main()
