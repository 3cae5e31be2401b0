"""AROW (Crammer, Kulesza, Dredze 2009) with one variance a feature, written down plainly.

A vector is (w_1, ..., w_d, b, S_1, ..., S_d, S_b): the weights, the offset, which is the weight of
a constant feature 1, and a variance for each, all 1 at first. See docs/algorithms/arow.md.
"""
WEIGHTS = ("weight", "offset")
VARIANCES = ("diagonal", "diagonal_offset")


def entries(x, d, offset):
    """(place of the weight, value) of a row, the constant feature last."""
    return list(x) + ([(d, 1.0)] if offset else [])


class Rule:
    @staticmethod
    def draw(r):
        return {"rho": r.pick(["1", "0.1", "0.03125", "8"])}

    def zero(self, vectors, number):
        self.rho, self.d = number(self.o.get("rho", "1")), self.data.columns
        return ((0.0,) * (self.d + 1) + (1.0,) * self.d + (float(self.offset),),) * vectors

    def scores_by(self, machine, x):
        out = []
        for v in machine:
            s = 0.0
            for j, a in x:
                s = s + v[j] * a
            out.append(s + v[self.d])
        return out

    def scores(self, machine):
        return [self.scores_by(machine, x) for x in self.x]

    def machine_of(self, model):
        return tuple(w + s for w, s in zip(model.machine("", *WEIGHTS),
                                           model.machine("", *VARIANCES)))

    def learned(self, i, m, vectors):
        """Whether row i, right by m, moves the vectors (number, +1 or -1)."""
        x, n = entries(self.x[i], self.d, self.offset), self.d + 1
        v = 0.0
        for j, a in x:
            spread = 0.0
            for k, _ in vectors:
                spread = spread + self.machine[k][n + j]
            v = v + spread * a * a
        if not m < 1 or not v > 0:
            return False
        beta = 1 / (v + self.rho / self.c[i])
        alpha = (1 - m) * beta
        out = list(self.machine)
        for k, sign in vectors:
            u = list(out[k])
            for j, a in x:
                t = u[n + j] * a
                u[j] = u[j] + alpha * sign * t
                u[n + j] = max(u[n + j] - beta * (t * t), 0.0)
            out[k] = tuple(u)
        self.machine = tuple(out)
        return True

    def show_binary(self, i, ahead):
        y = self.truth[i]
        m = y * self.scores_by(self.machine, self.x[i])[0]
        return m <= 0, self.learned(i, m, [(0, y)])

    def show_native(self, i, ahead):
        """The whole gap, where rules that take a step along the row have half of it."""
        true = self.truth[i]
        s = self.scores_by(self.machine, self.x[i])
        rivals = sorted(self.met - {true})
        if not rivals:
            rivals = [self.truth[k] for k in ahead if self.truth[k] != true][:1]
        rival = max(rivals, key=lambda k: s[k])
        m = s[true] - s[rival]
        return m <= 0, self.learned(i, m, [(true, 1), (rival, -1)])

    def show_ovr(self, i, ahead):
        true = self.truth[i]
        s = self.scores_by(self.machine, self.x[i])
        updates = 0
        for k in range(len(s)):
            y = 1 if k == true else -1
            updates += self.learned(i, y * s[k], [(k, y)])
        others = [s[k] for k in self.met - {true}]
        return s[true] <= (max(others) if others else 0), updates
