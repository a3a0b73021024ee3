//! Numbers of things as people read them: `1 unit`, `1,000 games`.

/// Digits in groups of three: `2,000,000`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// A number and the word for one of them, in the plural where it has to be: `1 unit`, `2 plies`.
pub fn counted(n: u64, one: &str) -> String {
    let n_grouped = grouped(n);
    match one.strip_suffix('y') {
        _ if n == 1 => format!("{n_grouped} {one}"),
        Some(stem) => format!("{n_grouped} {stem}ies"),
        None => format!("{n_grouped} {one}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        let said = [(0, "unit"), (1, "large object"), (2, "ply"), (999, "game"), (1000, "game")];
        let said = said.map(|(n, one)| counted(n, one));
        assert_eq!(said, ["0 units", "1 large object", "2 plies", "999 games", "1,000 games"]);
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
