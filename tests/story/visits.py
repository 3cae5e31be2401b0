#!/usr/bin/env python3
"""visits.py MONTH ROWS -- a hospital's visits in a month of 2024, as its database writes them.

Nothing in it is as one would like it: semicolons, decimal commas and points between thousands, days as
31.03.2024 with times, gaps that mean something, wards of which some are rare, notes with quotes and
line ends, patients who come again and again, rows that were exported twice, some of them with the other
answer, and a column that was written when the answer was known. Who is readmitted is drawn from a logistic
model of the patient and the visit. The same arguments give the same bytes: random.random() alone is
drawn from, which Python keeps.
"""
import csv
import math
import random
import sys

NAMES = ("visit", "patient", "admitted", "ward", "age", "bill", "note", "follow-up", "readmitted")
WARDS = (("surgery", .3, -.5), ("medicine", .4, .4), ("heart", .2, .8), ("eyes", .06, -1.5), ("burns", .01, 0),
         ("hand surgery", .01, -.5), ("tropical medicine", .01, .4), ("sleep", .01, -1))
NOTES = (("stable, sent home", .4, -.6), ('says "I feel fine"', .2, -.3), ("weak; lives alone", .2, .9),
         ("wound heals badly\nsee letter", .1, .7), ("", .1, 0))
PATIENTS = 900


def pick(r, weighted):
    """One of (thing, share, effect), by shares."""
    at = r.random()
    for one in weighted:
        at -= one[1]
        if at < 0:
            break
    return one


def patients():
    """Of each: age, what is in no column, and the practice that sent him; the same in every month."""
    r = random.Random(2024)
    return [(20 + 70 * r.random(), 4 * (r.random() - .5), int(300 * r.random())) for _ in range(PATIENTS)]


def euros(x):
    """1234.5 is 1.234,50."""
    return f"{x:,.2f}".translate(str.maketrans(",.", ".,"))


def visit(r, month, number, people):
    """One row, by the order of NAMES."""
    who = int(PATIENTS * r.random())
    age, frailty, practice = people[who]
    ward, note = pick(r, WARDS), pick(r, NOTES)
    hour = int(24 * r.random())
    bill = math.exp(6 + 3 * r.random())
    unasked = r.random() < (.3 if hour >= 20 else .05)  # at night nobody asks how old they are
    chance = (-2.2 + frailty + ward[2] + note[2] + .02 * (age - 55) + .0002 * (bill - 2000) + .7 * (hour >= 20))
    again = r.random() < 1 / (1 + math.exp(-chance))
    return (f"V{month:02d}{number:06d}", f"P{who:05d}",
            f"{1 + int(28 * r.random()):02d}.{month:02d}.2024 {hour:02d}:{int(60 * r.random()):02d}", ward[0],
            "?" if unasked else f"{age:.0f}", euros(bill), f"{note[0]} (practice {practice})".strip(),
            "called back" if again else "none", "yes" if again else "no")


def main():
    month, rows = (int(s) for s in sys.argv[1:])
    r, people = random.Random(month), patients()
    out = csv.writer(sys.stdout, delimiter=";", lineterminator="\r\n")
    out.writerow(NAMES)
    for i in range(rows):
        row = visit(r, month, i, people)
        out.writerow(row)
        if r.random() < .01:  # exported twice, and sometimes corrected in between
            out.writerow(row[:-1] + (("no" if row[-1] == "yes" else "yes") if r.random() < .2 else row[-1],))


if __name__ == "__main__":
    main()
