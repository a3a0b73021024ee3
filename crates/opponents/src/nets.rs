//! The opponent-ranking networks of Chang and others (2021), trained by `train/` from the manifests in
//! docs/results/ornn.

/// A network of the repository.
#[derive(Debug)]
pub struct Trained {
    /// The setting whose programs it distinguishes: see `experiments/ornn/setting.rs`.
    pub setting: &'static str,
    /// Whether openings are brought into their canonical form first.
    pub canonical: bool,
    /// Its weights, as `ornn::Net` reads them.
    pub bytes: &'static [u8],
}

/// A network by its setting and its form.
macro_rules! trained {
    ($setting:literal, $canonical:literal, $form:literal) => {
        Trained {
            setting: $setting,
            canonical: $canonical,
            bytes: include_bytes!(concat!("../nets/", $setting, "-", $form, ".net")),
        }
    };
}

/// All networks: for each setting, one of the paper's openings and one of canonical openings.
pub static NETS: [Trained; 4] = [
    trained!("budgets", false, "plain"),
    trained!("budgets", true, "canonical"),
    trained!("kinds", false, "plain"),
    trained!("kinds", true, "canonical"),
];

/// Those of canonical openings, which identify opponents.
pub fn canonical() -> impl Iterator<Item = &'static Trained> {
    NETS.iter().filter(|trained| trained.canonical)
}
