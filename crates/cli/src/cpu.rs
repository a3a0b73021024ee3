//! Checks that this processor has the instruction sets of the build (`.cargo/config.toml`), so that an old
//! one gets a message instead of an illegal instruction.

/// The name of an instruction set that the build uses and the processor lacks.
#[cfg(target_arch = "x86_64")]
pub(crate) fn missing() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // `is_x86_feature_detected!` answers from the build if the build is certain, so the processor is asked directly.
    let newest_leaf = __cpuid(0).eax;
    let leaf_7 = if newest_leaf >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    [("AVX2", cfg!(target_feature = "avx2"), 5), ("BMI2", cfg!(target_feature = "bmi2"), 8)]
        .into_iter()
        .find(|&(_, used, bit)| used && leaf_7 >> bit & 1 == 0)
        .map(|(name, ..)| name)
}

/// Builds for other processors use their baseline.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn missing() -> Option<&'static str> {
    None
}
