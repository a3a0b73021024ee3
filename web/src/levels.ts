/** Elo of each level above the first, summed over matches between neighbors (docs/strength.md). */
export const ELO = [0, 106, 257, 380, 506, 622, 799, 949, 1082, 1246];
