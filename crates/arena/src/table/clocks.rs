//! The budget of a player, the clocks of a table, and the only place that reads the time.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant, SystemTime};

use anglerfish_engine::Clock;
use anglerfish_rules::{NotationError, Seat};

/// The present moment. All other code of the project is given the time.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the time")]
pub fn now() -> Instant {
    Instant::now()
}

/// The date and the time of day in UTC, as RFC 3339 writes them. No game depends on them.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the time")]
pub(crate) fn date() -> String {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    rfc3339(since_1970.unwrap_or_default().as_secs())
}

/// Seconds since 1970 as a date (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013, `civil_from_days`). Its
/// years begin in March, so that a leap day is the last of its year, and an era is 400 of them.
fn rfc3339(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + month / 10, (month + 2) % 12 + 1);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The system's clock, for engines.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock(now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The budget of a player for its moves. In text: `nodes=20000`, `st=0.5`, `tc=900` or `tc=60+0.5` (seconds).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Budget {
    /// This many nodes per move: reproducible, so games carry no times.
    Nodes(u64),
    /// This long per move.
    Move(Duration),
    /// This long per game, and an increment for each move. The first ply of a game is free, as on the platform.
    Game {
        /// On the clock at the start.
        base: Duration,
        /// Added after each move.
        increment: Duration,
    },
}

impl Default for Budget {
    /// The platform's: fifteen minutes a game.
    fn default() -> Budget {
        Budget::Game { base: Duration::from_mins(15), increment: Duration::ZERO }
    }
}

impl Budget {
    /// Whether time is measured and recorded.
    pub const fn is_timed(self) -> bool {
        !matches!(self, Budget::Nodes(_))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Nodes(n) => write!(f, "nodes={n}"),
            Budget::Move(time) => write!(f, "st={}", time.as_secs_f64()),
            Budget::Game { base, increment } if increment.is_zero() => write!(f, "tc={}", base.as_secs_f64()),
            Budget::Game { base, increment } => {
                write!(f, "tc={}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

impl FromStr for Budget {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Budget, NotationError> {
        let error = || NotationError::new("nodes=N, st=SECONDS or tc=SECONDS[+INCREMENT]", text, 0);
        let seconds = |text: &str| {
            let value = text.parse::<f64>().ok().filter(|s| (0.0..1e7).contains(s));
            value.map(Duration::from_secs_f64).ok_or_else(error)
        };
        let (key, value) = text.split_once('=').ok_or_else(error)?;
        match key {
            "nodes" => value.parse().map(Budget::Nodes).map_err(|_| error()),
            "st" => seconds(value).map(Budget::Move),
            "tc" => {
                let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
                Ok(Budget::Game { base: seconds(base)?, increment: seconds(increment)? })
            }
            _ => Err(error()),
        }
    }
}

/// The most seats that a game here has.
const MOST_SEATS: usize = 4;

/// One seat's clock.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct SeatClock {
    budget: Budget,
    left: Duration,
    /// The time that is charged with the next move.
    owed: Duration,
}

/// A clock for each seat, allies included: its budget, and the part that is left.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Clocks {
    /// Seats that the game does not have repeat its last seat.
    seats: [SeatClock; MOST_SEATS],
    started: bool,
}

impl Clocks {
    /// Clocks that never run.
    pub const UNTIMED: Clocks = {
        let seat = SeatClock { budget: Budget::Nodes(1), left: Duration::MAX, owed: Duration::ZERO };
        Clocks { seats: [seat; MOST_SEATS], started: false }
    };

    /// Clocks at the start of a game, one per seat.
    pub fn new<const SEATS: usize>(budgets: [Budget; SEATS]) -> Clocks {
        const { assert!(0 < SEATS && SEATS <= MOST_SEATS, "a clock for each seat") };
        let seat = |seat: usize| {
            let budget = budgets[seat.min(SEATS - 1)];
            let left = match budget {
                Budget::Game { base, .. } => base,
                Budget::Move(time) => time,
                Budget::Nodes(_) => Duration::MAX,
            };
            SeatClock { budget, left, owed: Duration::ZERO }
        };
        Clocks { seats: std::array::from_fn(seat), started: false }
    }

    /// Clocks of two teams: every seat of team A has the first budget, and every seat of team B the second.
    pub fn of_teams(budgets: [Budget; 2]) -> Clocks {
        Clocks::new(std::array::from_fn::<_, MOST_SEATS, _>(|seat| budgets[seat % 2]))
    }

    fn seat(&self, seat: Seat) -> &SeatClock {
        &self.seats[usize::from(seat.0)]
    }

    fn seat_mut(&mut self, seat: Seat) -> &mut SeatClock {
        &mut self.seats[usize::from(seat.0)]
    }

    /// The budget of a seat.
    pub fn budget(&self, seat: Seat) -> Budget {
        self.seat(seat).budget
    }

    /// Whether the time of any seat is measured.
    pub fn is_timed(&self) -> bool {
        self.seats.iter().any(|seat| seat.budget.is_timed())
    }

    /// How long the seat's next move may take; [`Duration::MAX`] where only nodes are counted.
    pub fn left(&self, seat: Seat) -> Duration {
        let SeatClock { left, owed, .. } = *self.seat(seat);
        left.saturating_sub(owed)
    }

    /// How long the seat's next move may take before its flag falls, what it [owes](Clocks::owed) included; none if its clock
    /// does not run.
    pub fn allowed(&self, seat: Seat) -> Option<Duration> {
        let SeatClock { budget, left, .. } = *self.seat(seat);
        match budget {
            Budget::Nodes(_) => None,
            // A move's own time allows a little for the operating system, as fastchess's timemargin does.
            Budget::Move(time) => Some(time + MARGIN),
            // The first ply of a game is not charged.
            Budget::Game { .. } => self.started.then_some(left),
        }
    }

    /// How long the seat's next move may take: its debt is included, the allowance for the operating system is not.
    pub fn had(&self, seat: Seat) -> Duration {
        self.seat(seat).left
    }

    /// The time a seat owes for hearing of plies; it is charged with its next move.
    pub fn owed(&self, seat: Seat) -> Duration {
        self.seat(seat).owed
    }

    /// Notes how long a seat took to hear of a ply. It owes the part beyond [`HEARING`].
    pub fn charge_observation(&mut self, seat: Seat, took: Duration) {
        self.seat_mut(seat).owed += took.saturating_sub(HEARING);
    }

    /// Sets the time left, as told by a tournament platform.
    pub fn set_left(&mut self, seat: Seat, left: Duration) {
        self.seat_mut(seat).left = left;
        self.started = true;
    }

    /// Charges a seat for a move and for its debt; `false` if it took too long.
    pub fn charge(&mut self, seat: Seat, took: Duration) -> bool {
        let allowed = self.allowed(seat);
        self.started = true;
        let clock = self.seat_mut(seat);
        clock.owed = Duration::ZERO;
        let Some(allowed) = allowed else { return true };
        if let Budget::Game { increment, .. } = clock.budget {
            clock.left =
                allowed.saturating_sub(took) + if took <= allowed { increment } else { Duration::ZERO };
        }
        took <= allowed
    }
}

/// How much later than its own limit a player's answer still counts, for moves with a time of their own.
pub const MARGIN: Duration = Duration::from_millis(100);

/// How long a player may take to hear of a ply before its clock runs: writing the board down is no thinking, and a busy machine
/// may be as late as with a move.
pub const HEARING: Duration = MARGIN;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (1_798_761_600, "2027-01-01T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(seconds), text);
        }
    }

    #[test]
    fn budgets_survive_text() {
        for text in ["nodes=20000", "st=0.5", "tc=900", "tc=60+0.5"] {
            assert_eq!(text.parse::<Budget>().expect(text).to_string(), text);
        }
        for text in ["nodes=-1", "st=x", "tc=", "tc=1+", "depth=3", "st=1e9", "st=NaN"] {
            assert!(text.parse::<Budget>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_first_ply_is_free() {
        let mut clocks = Clocks::new(["tc=10+1".parse().expect("a budget"); 2]);
        let second = Duration::from_secs(1);
        assert!(clocks.charge(Seat(0), 30 * second));
        assert_eq!(clocks.left(Seat(0)), 10 * second);
        assert!(clocks.charge(Seat(1), 4 * second));
        assert_eq!(clocks.left(Seat(1)), 7 * second);
        assert!(!clocks.charge(Seat(0), 11 * second));
    }

    #[test]
    fn hearing_is_free_up_to_a_point() {
        let second = Duration::from_secs(1);
        for (budget, then) in [("tc=10", 7), ("st=10", 10)] {
            let mut clocks = Clocks::new([budget.parse().expect("a budget"); 2]);
            clocks.charge_observation(Seat(1), HEARING);
            assert_eq!(clocks.owed(Seat(1)), Duration::ZERO);
            clocks.charge(Seat(0), second);
            clocks.charge_observation(Seat(1), HEARING + 2 * second);
            assert_eq!(clocks.left(Seat(1)), 8 * second, "{budget}: what is owed cannot be used");
            let took = clocks.owed(Seat(1)) + second;
            assert!(clocks.charge(Seat(1), took));
            assert_eq!(clocks.left(Seat(1)), then * second, "{budget}: it is charged once");
            clocks.charge_observation(Seat(1), 20 * second);
            let took = clocks.owed(Seat(1));
            assert!(!clocks.charge(Seat(1), took), "{budget}: the flag falls");
        }
    }
}
