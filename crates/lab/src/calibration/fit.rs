//! Fits the most likely weights by Fisher scoring: Newton's method with the expected curvature instead of the
//! observed one.

#![expect(
    clippy::disallowed_methods,
    reason = "what is fitted is printed and checked in, not computed on every machine"
)]

use anglerfish_arena::stats::linear::solve;
use anglerfish_engine::{Calibration, TERMS, terms};

use super::Seen;

/// All weights: those of the lead, then those of draws.
const ALL: usize = 2 * TERMS;
/// Strength of the regularization, in positions of one standard deviation: for terms that hardly occur.
const RIDGE: f64 = 1.0;
const ROUNDS: usize = 50;

/// The weights that maximize the likelihood of these results.
pub fn fit(seen: &[Seen]) -> Calibration {
    let mut weights = [0.0; ALL];
    // Start: winning positions are won, and a third of the even ones are drawn.
    (weights[2], weights[TERMS]) = (2.0, 0.0);
    let mut now = look(seen, &weights, true);
    for _ in 0..ROUNDS {
        let step = solve(now.curvature, now.slope);
        // If a full step goes too far, half of it is tried.
        let tried = (0..20).find_map(|halvings| {
            let mut tried = weights;
            for (weight, step) in tried.iter_mut().zip(step) {
                *weight += step / f64::from(1u32 << halvings);
            }
            let loss = look(seen, &tried, false).loss;
            (loss < now.loss).then_some((tried, loss))
        });
        let Some((better, loss)) = tried else { break };
        let gained = now.loss - loss;
        weights = better;
        now = look(seen, &weights, true);
        if gained < 1e-9 * now.loss {
            break;
        }
    }
    let mut found = Calibration { lead: [0.0; TERMS], draws: [0.0; TERMS] };
    found.lead.copy_from_slice(&weights[..TERMS]);
    found.draws.copy_from_slice(&weights[TERMS..]);
    found
}

/// The mean negative logarithm of a model's probability of each result: the lower the better.
pub fn loss(seen: &[Seen], model: &Calibration) -> f64 {
    let one = |seen: &Seen| {
        let shares = model.shares(seen.phase, seen.value);
        let share = match seen.result {
            1 => shares.win,
            -1 => shares.loss,
            _ => shares.draw,
        };
        -share.max(1e-12).ln()
    };
    seen.iter().map(one).sum::<f64>() / seen.len() as f64
}

/// The log-likelihood of the results with its derivatives.
struct Sample {
    loss: f64,
    slope: [f64; ALL],
    curvature: [[f64; ALL]; ALL],
}

fn look(seen: &[Seen], weights: &[f64; ALL], whole: bool) -> Sample {
    let mut look = Sample { loss: 0.0, slope: [0.0; ALL], curvature: [[0.0; ALL]; ALL] };
    for (i, weight) in weights.iter().enumerate() {
        look.loss += RIDGE * weight * weight / 2.0;
        look.slope[i] -= RIDGE * weight;
        look.curvature[i][i] += RIDGE;
    }
    for one in seen {
        let [lead, draws] = terms(one.phase, one.value);
        let z: f64 = lead.iter().zip(&weights[..TERMS]).map(|(x, w)| x * w).sum();
        let u: f64 = draws.iter().zip(&weights[TERMS..]).map(|(x, w)| x * w).sum();
        let (room, bend) = (1.0 + u.exp(), 1.0 / (1.0 + (-u).exp()));
        let [win, loss] =
            [1.0 / (1.0 + room * (-z).exp()), 1.0 / (1.0 + room * z.exp())].map(|p| p.max(1e-12));
        let draw = (1.0 - win - loss).max(1e-12);
        look.loss -= match one.result {
            1 => win.ln(),
            -1 => loss.ln(),
            _ => draw.ln(),
        };
        if !whole {
            continue;
        }
        // Derivatives of each share by z and by u.
        let (a, c) = (win * (1.0 - win), loss * (1.0 - loss));
        let by = [[a, -a * bend], [c - a, (a + c) * bend], [-c, -c * bend]];
        let shares = [win, draw, loss];
        let happened = by[(1 - one.result) as usize];
        let share = shares[(1 - one.result) as usize];
        let slope = [happened[0] / share, happened[1] / share];
        let mut info = [[0.0; 2]; 2];
        for (by, share) in by.iter().zip(shares) {
            for i in 0..2 {
                for j in 0..2 {
                    info[i][j] += by[i] * by[j] / share;
                }
            }
        }
        let x = [&lead[..], &draws[..]].concat();
        for i in 0..ALL {
            look.slope[i] += slope[i / TERMS] * x[i];
            for j in 0..=i {
                look.curvature[i][j] += info[i / TERMS][j / TERMS] * x[i] * x[j];
            }
        }
    }
    for i in 0..ALL {
        for j in i + 1..ALL {
            look.curvature[i][j] = look.curvature[j][i];
        }
    }
    look
}
