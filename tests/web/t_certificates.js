// Certificates for the tests, with their data: one of each verdict, made by the page's own prover.
import { prove } from '../../web/src/prove.js';
import { setFromPoints } from '../../web/src/data.js';

const POINTS = {
  overlapping: [[0, 0, -1], [0, 1, 1], [1, 0, 1], [1, 1, -1]],
  separable: [[0, 0, -1], [0, 1.5, -1], [1, 0, -1], [1, 1e-3, 1], [2.25, 1, 1]],
  touching: [[0, 0, -1], [0, 0, 1], [1, 3, 1], [-2, -1, -1]],
};

/** [[certificate, data], ..] */
export const certificates = () => Object.values(POINTS).flatMap((points) =>
  [true, false].map((offset) => {
    const set = setFromPoints(points);
    return [prove(set, { offset }).certificate, set.text];
  }));
