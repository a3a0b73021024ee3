//! The opponent-ranking network itself: a convolution, residual blocks and one layer that decides among three classes.
//!
//! The paper does not say how its network is built; ours is the smallest usual one for a board. Sums go in one order, lane by lane, without fused
//! steps, so that every machine gets the same bits; `train/` makes the weights, and a test compares this pass with its own.

use super::planes::{PLANES, Planes, SQUARES};
use anglerfish_engine::ConfigError;
use anglerfish_engine::portable::exp;

/// How the opponent compares with the player that the network was trained for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Class {
    /// It would lose more than it wins.
    Weaker,
    /// It plays as we do.
    Equal,
    /// It would win more than it loses.
    Stronger,
}

impl Class {
    /// All of them, in the order of the network's answers.
    pub const ALL: [Class; 3] = [Class::Weaker, Class::Equal, Class::Stronger];
}

/// The first line of a file of weights.
const TITLE: &str = "anglerfish net 1\n";
/// Taps of a filter of 3 × 3.
const TAPS: usize = 9;
/// Rows and columns of a plane.
const SIZE: [usize; 2] = [4, 8];
/// How many classes there are.
const CLASSES: usize = Class::ALL.len();
/// The most channels or blocks of a network.
const MOST: usize = 256;

/// A network that was trained.
#[derive(Clone, Debug)]
pub struct Net {
    first: Layer,
    blocks: Vec<[Layer; 2]>,
    last: Layer,
}

/// Weights by output, and what is added to each sum.
#[derive(Clone, Debug)]
struct Layer {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// One plane.
type Plane = [f32; SQUARES];

impl Net {
    /// Reads a file of weights: two lines of text, then little-endian numbers of 32 bits. docs/formats.md has their order.
    ///
    /// # Errors
    /// When the file is not a network.
    pub fn read(bytes: &[u8]) -> Result<Net, ConfigError> {
        let wrong = |expected: String, found: &[u8]| {
            let found = String::from_utf8_lossy(&found[..found.len().min(40)]).into_owned();
            ConfigError { expected, found }
        };
        let title = || wrong(format!("weights that begin with {:?}", TITLE.trim_end()), bytes);
        let rest = bytes.strip_prefix(TITLE.as_bytes()).ok_or_else(title)?;
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let (line, data) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
        let found = std::str::from_utf8(line).ok().and_then(sizes);
        let (channels, blocks) =
            found.ok_or_else(|| wrong(format!("ornn channels=1 to {MOST} blocks=0 to {MOST}"), line))?;
        let mut layers = vec![(PLANES * TAPS * channels, channels)];
        layers.extend(std::iter::repeat_n((channels * TAPS * channels, channels), 2 * blocks));
        layers.push((channels * SQUARES * CLASSES, CLASSES));
        let all: usize = layers.iter().map(|(weights, bias)| weights + bias).sum();
        if data.len() != 4 * all {
            let expected =
                format!("{} bytes of weights for {channels} channels and {blocks} blocks", 4 * all);
            return Err(ConfigError { expected, found: format!("{} bytes", data.len()) });
        }
        let mut numbers = data.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        if numbers.clone().any(|number| !number.is_finite()) {
            return Err(ConfigError { expected: "finite weights".to_owned(), found: "others".to_owned() });
        }
        let mut layer = |(weights, bias): (usize, usize)| Layer {
            weights: numbers.by_ref().take(weights).collect(),
            bias: numbers.by_ref().take(bias).collect(),
        };
        let first = layer(layers[0]);
        let blocks = (0..blocks).map(|_| [layer(layers[1]), layer(layers[1])]).collect();
        Ok(Net { first, blocks, last: layer(layers[layers.len() - 1]) })
    }

    /// The output of the network for an opening: a number for each of [`Class::ALL`], the higher the likelier.
    pub fn logits(&self, planes: &Planes) -> [f32; 3] {
        let input: Vec<Plane> = planes.chunks_exact(SQUARES).map(|p| std::array::from_fn(|i| p[i])).collect();
        let mut state = self.first.convolved(&input);
        rectify(&mut state);
        for [one, two] in &self.blocks {
            let mut inner = one.convolved(&state);
            rectify(&mut inner);
            for (sum, plane) in state.iter_mut().zip(two.convolved(&inner)) {
                add(sum, 1.0, &plane);
            }
            rectify(&mut state);
        }
        let flat = state.as_flattened();
        std::array::from_fn(|class| {
            let weights = &self.last.weights[class * flat.len()..][..flat.len()];
            // Eight sums beside each other, in an order of their own.
            let mut sums = [0.0_f32; 8];
            for (weights, values) in weights.chunks_exact(8).zip(flat.chunks_exact(8)) {
                for (sum, (weight, value)) in sums.iter_mut().zip(weights.iter().zip(values)) {
                    *sum += weight * value;
                }
            }
            sums.iter().sum::<f32>() + self.last.bias[class]
        })
    }

    /// The probability of each class.
    pub fn probabilities(&self, planes: &Planes) -> [f32; 3] {
        softmax(self.logits(planes))
    }
}

/// `ornn channels=32 blocks=2`
fn sizes(line: &str) -> Option<(usize, usize)> {
    let (channels, blocks) = line.strip_prefix("ornn channels=")?.split_once(" blocks=")?;
    let (channels, blocks): (usize, usize) = (channels.parse().ok()?, blocks.parse().ok()?);
    ((1..=MOST).contains(&channels) && blocks <= MOST).then_some((channels, blocks))
}

/// Probabilities in the ratio of exponentials.
pub fn softmax(logits: [f32; 3]) -> [f32; 3] {
    let most = logits.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let parts = logits.map(|logit| exp(f64::from(logit - most)));
    let all: f64 = parts.iter().sum();
    parts.map(|part| (part / all) as f32)
}

fn rectify(planes: &mut [Plane]) {
    for value in planes.as_flattened_mut() {
        *value = value.max(0.0);
    }
}

/// Adds a plane so many times.
fn add(sums: &mut Plane, times: f32, plane: &Plane) {
    for (sum, value) in sums.iter_mut().zip(plane) {
        *sum += times * value;
    }
}

impl Layer {
    /// A convolution of 3 × 3 with zeros around the board.
    fn convolved(&self, input: &[Plane]) -> Vec<Plane> {
        // Step 1. Each plane as each tap sees it, so that a filter is one row of weights.
        let seen: Vec<Plane> =
            input.iter().flat_map(|plane| (0..TAPS).map(|tap| shifted(plane, tap))).collect();

        // Step 2. All squares at once.
        let rows = self.weights.chunks_exact(seen.len());
        let outputs = rows.zip(&self.bias).map(|(row, bias)| {
            let mut sums = [*bias; SQUARES];
            for (weight, plane) in row.iter().zip(&seen) {
                add(&mut sums, *weight, plane);
            }
            sums
        });
        outputs.collect()
    }
}

/// The plane that a tap meets: that of its neighbor in one direction, with nothing beyond the edge.
fn shifted(plane: &Plane, tap: usize) -> Plane {
    let [rows, columns] = SIZE;
    std::array::from_fn(|at| {
        let (row, column) = (at / columns + tap / 3, at % columns + tap % 3);
        let inside = (1..=rows).contains(&row) && (1..=columns).contains(&column);
        if inside { plane[(row - 1) * columns + column - 1] } else { 0.0 }
    })
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::{Rng, RngExt};

    use super::*;

    const CHANNELS: usize = 5;
    const BLOCKS: usize = 2;

    /// A number from −1 to 1 in steps of a power of two.
    fn number(rng: &mut Rng) -> f32 {
        rng.below(2049) as f32 / 1024.0 - 1.0
    }

    /// A network with random weights.
    fn file() -> Vec<u8> {
        let mut rng = Rng::new(5);
        let mut bytes = format!("{TITLE}ornn channels={CHANNELS} blocks={BLOCKS}\n").into_bytes();
        let inner = CHANNELS * CHANNELS * TAPS + CHANNELS;
        let all = PLANES * TAPS * CHANNELS + CHANNELS + 2 * BLOCKS * inner + CHANNELS * SQUARES * 3 + 3;
        for _ in 0..all {
            bytes.extend((number(&mut rng) / 8.0).to_le_bytes());
        }
        bytes
    }

    fn input(seed: u64) -> Box<Planes> {
        let mut rng = Rng::new(seed);
        let mut planes = Box::new([0.0; PLANES * SQUARES]);
        for value in planes.iter_mut() {
            *value = number(&mut rng);
        }
        planes
    }

    /// A convolution, written plainly.
    fn plain(layer: &Layer, input: &[f64], inputs: usize) -> Vec<f64> {
        let mut output = Vec::new();
        for (o, bias) in layer.bias.iter().enumerate() {
            for row in 0..4_i32 {
                for column in 0..8_i32 {
                    let mut sum = f64::from(*bias);
                    for i in 0..inputs {
                        for (dr, dc) in (-1..=1).flat_map(|dr| (-1..=1).map(move |dc| (dr, dc))) {
                            let (r, c) = (row + dr, column + dc);
                            if (0..4).contains(&r) && (0..8).contains(&c) {
                                let weight = layer.weights
                                    [((o * inputs + i) * 3 + (dr + 1) as usize) * 3 + (dc + 1) as usize];
                                sum += f64::from(weight) * input[i * SQUARES + (r * 8 + c) as usize];
                            }
                        }
                    }
                    output.push(sum);
                }
            }
        }
        output
    }

    #[test]
    fn it_is_what_one_would_write_down() {
        let net = Net::read(&file()).expect("a network");
        let positive = |values: Vec<f64>| -> Vec<f64> { values.into_iter().map(|v| v.max(0.0)).collect() };
        for seed in 1..4 {
            let planes = input(seed);
            let wide: Vec<f64> = planes.iter().map(|value| f64::from(*value)).collect();
            let mut state = positive(plain(&net.first, &wide, PLANES));
            for [one, two] in &net.blocks {
                let inner = plain(two, &positive(plain(one, &state, CHANNELS)), CHANNELS);
                state = positive(state.iter().zip(inner).map(|(a, b)| a + b).collect());
            }
            for (class, logit) in net.logits(&planes).into_iter().enumerate() {
                let weights = &net.last.weights[class * state.len()..][..state.len()];
                let sum: f64 = weights.iter().zip(&state).map(|(w, v)| f64::from(*w) * v).sum();
                let expected = sum + f64::from(net.last.bias[class]);
                assert!(
                    (f64::from(logit) - expected).abs() < 1e-5 * (1.0 + expected.abs()),
                    "{logit} {expected}"
                );
            }
            let all: f32 = net.probabilities(&planes).iter().sum();
            assert!((all - 1.0).abs() < 1e-6);
        }
    }

    /// The same bits on every machine: these were written down once.
    #[test]
    fn bits_are_frozen() {
        let net = Net::read(&file()).expect("a network");
        let bits = net.logits(&input(9)).map(f32::to_bits);
        assert_eq!(bits, [1_057_564_959, 1_047_753_442, 3_211_566_918], "{:?}", net.logits(&input(9)));
    }

    #[test]
    fn other_files_are_refused() {
        let check = |bytes: &[u8], expected: &str| {
            let error = Net::read(bytes).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        };
        let file = file();
        check(b"", "anglerfish net 1");
        check(b"anglerfish net 2\n", "anglerfish net 1");
        check(TITLE.as_bytes(), "ornn channels=");
        check(b"anglerfish net 1\nornn channels=0 blocks=1\n", "channels=1 to");
        check(b"anglerfish net 1\nornn channels=9999999999 blocks=1\n", "channels=1 to");
        check(b"anglerfish net 1\nornn channels=2 blocks=1", "bytes of weights");
        check(&file[..file.len() - 1], "bytes of weights for 5 channels and 2 blocks");
        let mut nan = file.clone();
        let end = nan.len();
        nan[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
        check(&nan, "finite weights");
    }
}
