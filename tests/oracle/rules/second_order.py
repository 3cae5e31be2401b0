"""The second-order perceptron (Cesa-Bianchi, Conconi, Gentile 2005) with the diagonal of its
matrix, written down plainly.

A vector is (w_1, ..., w_d, b, A_1, ..., A_d, A_b): the sum of y x over the mistakes, with the
constant feature 1 of the offset, and that of the squares. See docs/algorithms/second-order.md.
"""
WEIGHTS = ("weight", "offset")
SQUARES = ("diagonal", "diagonal_offset")


class Rule:
    @staticmethod
    def draw(r):
        return {"ridge": r.pick(["1", "0.1", "3", "100"])}

    def zero(self, vectors, number):
        self.ridge, self.d = number(self.o.get("ridge", "1")), self.data.columns
        return ((0.0,) * (2 * self.d + 2),) * vectors

    def scores_by(self, machine, x):
        """The row that is scored counts in the matrix."""
        out, n = [], self.d + 1
        for v in machine:
            s = 0.0
            for j, a in x:
                s = s + v[j] * a / (self.ridge + a * a + v[n + j])
            out.append(s + v[self.d] / (self.ridge + 1 + v[n + self.d]))
        return out

    def scores(self, machine):
        return [self.scores_by(machine, x) for x in self.x]

    def machine_of(self, model):
        return tuple(w + a for w, a in zip(model.machine("", *WEIGHTS),
                                           model.machine("", *SQUARES)))

    def moved(self, i, moves):
        """The machine after a mistake on row i: (number of the vector, +1 or -1)."""
        out, n, c = list(self.machine), self.d + 1, self.c[i]
        for k, sign in moves:
            u = list(out[k])
            for j, a in self.x[i] + ([(self.d, 1.0)] if self.offset else []):
                u[j] = u[j] + c * sign * a
                u[n + j] = u[n + j] + c * a * a
            out[k] = tuple(u)
        self.machine = tuple(out)

    def show_binary(self, i, ahead):
        y = self.truth[i]
        wrong = y * self.scores_by(self.machine, self.x[i])[0] <= 0
        self.moved(i, [(0, y)] if wrong else [])
        return wrong, wrong

    def show_native(self, i, ahead):
        true = self.truth[i]
        s = self.scores_by(self.machine, self.x[i])
        rivals = sorted(self.met - {true})
        if not rivals:
            rivals = [self.truth[k] for k in ahead if self.truth[k] != true][:1]
        rival = max(rivals, key=lambda k: s[k])
        wrong = s[true] <= s[rival]
        self.moved(i, [(true, 1), (rival, -1)] if wrong else [])
        return wrong, wrong

    def show_ovr(self, i, ahead):
        true = self.truth[i]
        s = self.scores_by(self.machine, self.x[i])
        moves = []
        for k in range(len(s)):
            y = 1 if k == true else -1
            if y * s[k] <= 0:
                moves.append((k, y))
        self.moved(i, moves)
        others = [s[k] for k in self.met - {true}]
        return s[true] <= (max(others) if others else 0), len(moves)
