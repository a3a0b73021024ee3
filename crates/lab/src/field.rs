//! The players of the field in matches.

use anglerfish_arena::Contestant;
use anglerfish_opponents::field::Member;

/// A member in a chair, with its nodes divided by `fewer`.
pub(crate) fn contestant(member: &Member, fewer: u64) -> Contestant {
    let nodes = member.with_fewer(fewer).nodes;
    Contestant::builtin(member.name, member.player, &format!("nodes={nodes}"))
}
