//! The paper's method on synthetic armies of three true classes, so that there is an effect to find.

use anglerfish_rules::{Game as _, Rng, RngExt, Seat};
use anglerfish_siguo::{Candidates, Knowledge, Layout, Role, Roles, Rules, SLOTS, Siguo, Weights};
use serde::{Deserialize, Serialize};

use super::measure::Score;
use super::paper::{AGGRESSIVE, DEFENSIVE, positions};
use super::tables::{Classified, Table};

/// The results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Found {
    /// The number of known men in each row below.
    pub(super) known: Vec<usize>,
    /// With the general table.
    pub(super) general: Vec<Score>,
    /// With equation 7.
    pub(super) classified: Vec<Score>,
    /// How often the likeliest class is the true one.
    pub(super) recognized: Vec<f64>,
    /// The largest distance from 1 of the sum of equation 6, with the priors in its denominator and as printed.
    pub(super) sums: [f64; 2],
}

/// This many armies of each class: in two of them strong men stand where Tables 3 and 4 say, in the third anywhere.
/// Tables are made from half of them, and men of the other half are guessed when some others are known.
pub(super) fn classes(armies: usize, seed: u64) -> Found {
    let mut rng = Rng::stream(seed, "classes");
    let kinds: [Vec<Layout>; 3] =
        [Some(&AGGRESSIVE), None, Some(&DEFENSIVE)].map(|column| drawn(armies, column, &mut rng));
    let half = |kind: &Vec<Layout>, second: bool| -> Vec<Layout> {
        let (a, b) = kind.split_at(kind.len() / 2);
        if second { b } else { a }.to_vec()
    };
    let learned = kinds.each_ref().map(|kind| half(kind, false));
    let (classified, general) = (Classified::known(&learned), Table::of(&learned.concat()));
    let known = vec![0, 5, 10, 15];
    let mut found = Found {
        general: vec![Score::default(); known.len()],
        classified: vec![Score::default(); known.len()],
        recognized: vec![0.0; known.len()],
        sums: [0.0; 2],
        known,
    };
    let mut slots: Vec<usize> = positions().collect();
    let tested = kinds.iter().map(|kind| half(kind, true).len()).sum::<usize>() as f64;
    for (class, kind) in kinds.iter().enumerate() {
        for layout in half(kind, true) {
            rng.shuffle(&mut slots);
            for (i, &n) in found.known.iter().enumerate() {
                let mut army = Candidates::any();
                for &slot in &slots[..n] {
                    army.keep(slot, layout.role(slot).map_or(Roles::ALL, Roles::only));
                }
                army.narrow();
                let hidden: Vec<usize> = slots[n..].to_vec();
                found.general[i].add(&general.predict(&army), &layout, &hidden);
                found.classified[i].add(&classified.predict(&army), &layout, &hidden);
                let posterior = classified.posterior(&army);
                let best = (0..3).fold(0, |best, i| if posterior[i] > posterior[best] { i } else { best });
                found.recognized[i] += f64::from(u8::from(best == class)) / tested;
                let printed: f64 = classified.posterior_as_printed(&army).iter().sum();
                for (most, sum) in found.sums.iter_mut().zip([posterior.iter().sum(), printed]) {
                    *most = most.max((sum - 1.0_f64).abs());
                }
            }
        }
    }
    found
}

/// Armies whose strong men prefer some slots, by a column of a table.
fn drawn(armies: usize, column: Option<&[f64; SLOTS]>, rng: &mut Rng) -> Vec<Layout> {
    let mut weights: Weights = [[[10; 12]; SLOTS]; 4];
    for (role, slot) in Role::ALL.into_iter().flat_map(|role| positions().map(move |slot| (role, slot))) {
        let liked = column.map_or(0.0, |column| column[slot].max(0.0));
        let strong = role >= Role::Brigadier;
        for arm in &mut weights {
            arm[slot][role as usize] += if strong { (100.0 * liked) as u32 } else { 0 };
        }
    }
    // Spectators see no hidden men.
    let game = Siguo::deal(&Rules::default(), rng);
    let worlds =
        Knowledge::new(&game.view(Seat(Siguo::SEATS))).worlds(armies.div_ceil(4), Some(&weights), rng);
    worlds.layouts.into_iter().flatten().flatten().take(armies).collect()
}
