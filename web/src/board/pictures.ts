// Pictures for players who do not read the characters: crown, shield, elephant, tower, horse, cannon, pawn. Drawn for this project.

/** Outlines by role, filled by the even-odd rule, above the pips of a piece. */
export const PICTURES: Record<string, string> = {
  K: "M-21 9L-26 -17L-13 -7L0 -27L13 -7L26 -17L21 9ZM-21 12H21V17H-21Z",
  G: "M0 -28L21 -21V-7C21 5 11 13 0 18C-11 13 -21 5 -21 -7V-21ZM0 -21L-14 -16V-7C-14 1 -8 7 0 10.5Z",
  M: "M-27 6V-9C-27 -19 -20 -25 -12 -25C-8 -25 -5 -24 -3 -22H10C21 -22 27 -14 27 -4V17H18V5H6V17H-3V3C-8 4 -13 3 -17 0V9C-17 18 -28 19 -29 10H-25C-24 13 -22 12 -22 9V6ZM-19 -14A2 2 0 1 0 -15 -14A2 2 0 1 0 -19 -14ZM-7 -17C-3 -12 -3 -6 -8 -3C-5 -1 2 -6 0 -13C-1 -17 -5 -19 -7 -17Z",
  R: "M-19 17V10H-14L-12 -9H-18V-26H-10V-20H-4V-26H4V-20H10V-26H18V-9H12L14 10H19V17Z",
  N: "M17 17H-15C-15 5 -2 2 -1 -8C-6 -4 -11 -3 -15 0C-20 4 -25 -1 -22 -6L-11 -20L-10 -29L-2 -23C13 -23 21 -8 17 17ZM-10 -13A2.2 2.2 0 1 0 -5.6 -13A2.2 2.2 0 1 0 -10 -13Z",
  C: "M-25 -7L20 -28L27 -14L5 -3.5A12 12 0 0 0 -16 -8L-18 7C-25 6 -29 -1 -25 -7ZM-15 5A9.5 9.5 0 1 0 4 5A9.5 9.5 0 1 0 -15 5ZM-9 5A3.5 3.5 0 1 1 -2 5A3.5 3.5 0 1 1 -9 5ZM7 17L10 9L22 17Z",
  P: "M0 -27A9 9 0 0 1 5.5 -11H10V-6H5C5 2 10 6 15 10V17H-15V10C-10 6 -5 2 -5 -6H-10V-11H-5.5A9 9 0 0 1 0 -27Z",
};
