//! The network: a convolution, residual blocks, and one layer to three numbers.
//!
//! It is the one of `crates/opponents/src/ornn/net.rs`, which reads what is trained here. There is no batch normalization, so there is
//! nothing to fold.
//!
//! Convolutions are matrix products here: every square's row is joined with those of its neighbors, and a
//! single product does the rest. burn's own `conv2d` multiplies example by example, which on such small
//! boards makes training take 2.5 times as long.

use anglerfish_rules::Rng;
use burn::module::Param;
use burn::prelude::*;
use burn::tensor::activation::relu;

use crate::data::{Example, LABELS};
use crate::planes::{COLUMNS, PLANES, ROWS, SQUARES, expand};

/// Squares under a convolution: a square and its neighbors, row by row.
pub const TAPS: usize = 9;

/// An example, and how many of its opponent's plies are shown.
pub type View<'a> = (&'a Example, usize);

/// The network that ranks opponents.
#[derive(Module, Debug)]
pub struct Ornn {
    pub(crate) first: Affine,
    pub(crate) blocks: Vec<Block>,
    pub(crate) last: Affine,
}

/// Two convolutions whose output is added to their input.
#[derive(Module, Debug)]
pub(crate) struct Block {
    pub(crate) first: Affine,
    pub(crate) second: Affine,
}

/// A matrix with a row per input and a column per output, and the bias.
#[derive(Module, Debug)]
pub(crate) struct Affine {
    pub(crate) weight: Param<Tensor<2>>,
    pub(crate) bias: Param<Tensor<1>>,
}

impl Ornn {
    /// An untrained network.
    ///
    /// He, Zhang, Ren and Sun (2015), "Delving Deep into Rectifiers", section 2.2: the size of weights
    /// preserves the signal. Blocks start as the identity (Zhang, Dauphin and Ma, 2019, "Fixup
    /// Initialization", section 3), which makes batch normalization unnecessary.
    pub fn new(channels: usize, blocks: usize, rng: &mut Rng, device: &Device) -> Ornn {
        let mut affine = |inputs: usize, outputs: usize, gain: f32| {
            let bound = (gain / inputs as f32).sqrt();
            let weights = (0..inputs * outputs).map(|_| bound * symmetric(rng)).collect();
            Affine {
                weight: Param::from_data(TensorData::new::<f32, _>(weights, [inputs, outputs]), device),
                bias: Param::from_tensor(Tensor::zeros([outputs], device)),
            }
        };
        let inside = TAPS * channels;
        Ornn {
            first: affine(TAPS * PLANES, channels, 6.0),
            blocks: (0..blocks)
                .map(|_| Block {
                    first: affine(inside, channels, 6.0),
                    second: affine(inside, channels, 0.0),
                })
                .collect(),
            last: affine(SQUARES * channels, LABELS, 1.0),
        }
    }

    /// A row of three logits for every view.
    pub fn forward(&self, views: &[View], device: &Device) -> Tensor<2> {
        let n = views.len();
        let near = neighbors(n, device);
        let mut x = relu(self.first.convolve(planes(views, device), &near));
        for block in &self.blocks {
            let y = relu(block.first.convolve(x.clone(), &near));
            x = relu(block.second.convolve(y, &near) + x);
        }
        let [rows, channels] = x.dims();
        self.last.apply(x.reshape([n, rows / n * channels]))
    }
}

impl Affine {
    fn apply(&self, x: Tensor<2>) -> Tensor<2> {
        x.matmul(self.weight.val()) + self.bias.val().unsqueeze()
    }

    /// A convolution of 3 × 3, with one row per square: `near` says which rows are neighbors.
    fn convolve(&self, x: Tensor<2>, near: &Tensor<1, Int>) -> Tensor<2> {
        let [rows, channels] = x.dims();
        let outside = Tensor::zeros([1, channels], &x.device());
        let around = Tensor::cat(vec![x, outside], 0).select(0, near.clone());
        self.apply(around.reshape([rows, TAPS * channels]))
    }
}

/// The planes of all views, one row per square.
fn planes(views: &[View], device: &Device) -> Tensor<2> {
    let mut input = Vec::with_capacity(views.len() * SQUARES * PLANES);
    for (example, plies) in views {
        expand(example, *plies, &mut input);
    }
    Tensor::from_data(TensorData::new(input, [views.len() * SQUARES, PLANES]), device)
}

/// For every square of `n` boards the rows of the nine squares around it; beyond the edge it is the row after
/// the last.
fn neighbors(n: usize, device: &Device) -> Tensor<1, Int> {
    let mut near = Vec::with_capacity(n * SQUARES * TAPS);
    for place in 0..n * SQUARES {
        let (board, row, column) = (place / SQUARES, place / COLUMNS % ROWS, place % COLUMNS);
        for tap in 0..TAPS {
            // Both are one too large, so that they are never negative.
            let (row, column) = (row + tap / 3, column + tap % 3);
            let inside = (1..=ROWS).contains(&row) && (1..=COLUMNS).contains(&column);
            let found = if inside { board * SQUARES + (row - 1) * COLUMNS + column - 1 } else { n * SQUARES };
            near.push(found as i32);
        }
    }
    Tensor::from_data(TensorData::new(near, [n * SQUARES * TAPS]), device)
}

/// A number from −1 to 1.
fn symmetric(rng: &mut Rng) -> f32 {
    (rng.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0
}

#[cfg(test)]
mod tests {
    use burn::tensor::Tolerance;
    use burn::tensor::module::conv2d;
    use burn::tensor::ops::ConvOptions;

    use super::*;

    fn random<const D: usize>(shape: [usize; D], rng: &mut Rng, device: &Device) -> Tensor<D> {
        let values: Vec<f32> = (0..shape.iter().product()).map(|_| symmetric(rng)).collect();
        Tensor::from_data(TensorData::new(values, shape), device).require_grad()
    }

    /// burn's convolution is the plain one; values and both gradients have to agree with it.
    #[test]
    fn a_convolution_is_a_convolution() {
        let (n, inputs, outputs) = (3, 5, 4);
        let device = Device::flex().autodiff();
        let mut rng = Rng::new(1);
        let x = random([n * SQUARES, inputs], &mut rng, &device);
        let weight = random([TAPS * inputs, outputs], &mut rng, &device);
        let bias = random([outputs], &mut rng, &device);
        let factors = random([n * SQUARES, outputs], &mut rng, &device);

        let affine =
            Affine { weight: Param::from_tensor(weight.clone()), bias: Param::from_tensor(bias.clone()) };
        let ours = affine.convolve(x.clone(), &neighbors(n, &device));
        let boards = x.clone().reshape([n, ROWS, COLUMNS, inputs]).permute([0, 3, 1, 2]);
        let kernel = weight.clone().reshape([3, 3, inputs, outputs]).permute([3, 2, 0, 1]);
        let options = ConvOptions::new([1, 1], [1, 1], [1, 1], 1);
        let theirs = conv2d(boards, kernel, Some(bias), options);
        let theirs = theirs.permute([0, 2, 3, 1]).reshape([n * SQUARES, outputs]);

        let same = |a: Tensor<2>, b: Tensor<2>| {
            a.into_data().assert_approx_eq::<f32>(&b.into_data(), Tolerance::absolute(1e-5));
        };
        same(ours.clone(), theirs.clone());
        let [ours, theirs] = [ours, theirs].map(|y| (y * factors.clone()).sum().backward());
        same(x.grad(&ours).unwrap(), x.grad(&theirs).unwrap());
        same(affine.weight.val().grad(&ours).unwrap(), weight.grad(&theirs).unwrap());
    }
}
