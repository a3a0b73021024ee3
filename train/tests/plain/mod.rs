//! An independent reader of the network file by its documented format, in plain loops, to check the export.

/// Weights by output, input and place, and the biases.
struct Layer {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// A network from a file.
pub struct Net {
    channels: usize,
    convolutions: Vec<Layer>,
    last: Layer,
}

impl Net {
    /// Reads a network file.
    pub fn read(bytes: &[u8]) -> Net {
        let lines: Vec<&[u8]> = bytes.splitn(3, |&byte| byte == b'\n').collect();
        assert_eq!(lines[0], b"anglerfish net 1");
        let head = std::str::from_utf8(lines[1]).unwrap();
        let (channels, blocks) = head.strip_prefix("ornn channels=").unwrap().split_once(" blocks=").unwrap();
        let (channels, blocks): (usize, usize) = (channels.parse().unwrap(), blocks.parse().unwrap());
        let mut floats = lines[2].chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
        let mut layer = |inputs: usize, outputs: usize| Layer {
            weights: floats.by_ref().take(inputs * outputs).collect(),
            bias: floats.by_ref().take(outputs).collect(),
        };
        let mut convolutions = vec![layer(86 * 9, channels)];
        convolutions.extend((0..2 * blocks).map(|_| layer(channels * 9, channels)));
        let last = layer(channels * 32, 3);
        assert_eq!((last.bias.len(), floats.next()), (3, None));
        Net { channels, convolutions, last }
    }

    /// Three numbers for an opening.
    pub fn logits(&self, boards: &[u32], unrevealed: &[f32]) -> Vec<f32> {
        let set = |board: &u32| (0..32).map(|i| (board >> i & 1) as f32).collect::<Vec<f32>>();
        let mut planes: Vec<Vec<f32>> = boards[..16].iter().map(set).collect();
        planes.extend(unrevealed.iter().map(|&value| vec![value; 32]));
        planes.extend(boards[16..].iter().map(set));

        let mut x = relu(self.convolve(0, &planes));
        for block in 0..self.convolutions.len() / 2 {
            let y = relu(self.convolve(1 + 2 * block, &x));
            let y = self.convolve(2 + 2 * block, &y);
            let sum = |(a, b): (&Vec<f32>, &Vec<f32>)| a.iter().zip(b).map(|(a, b)| a + b).collect();
            x = relu(x.iter().zip(&y).map(sum).collect());
        }
        let flat = x.concat();
        let rows = self.last.weights.chunks(self.channels * 32).zip(&self.last.bias);
        rows.map(|(row, bias)| bias + row.iter().zip(&flat).map(|(w, x)| w * x).sum::<f32>()).collect()
    }

    fn convolve(&self, layer: usize, input: &[Vec<f32>]) -> Vec<Vec<f32>> {
        let Layer { weights, bias } = &self.convolutions[layer];
        let mut output = vec![vec![0.0; 32]; self.channels];
        for (o, plane) in output.iter_mut().enumerate() {
            for (square, value) in plane.iter_mut().enumerate() {
                *value = bias[o];
                for (i, from) in input.iter().enumerate() {
                    for tap in 0..9 {
                        let (row, column) = (square / 8 + tap / 3, square % 8 + tap % 3);
                        if (1..=4).contains(&row) && (1..=8).contains(&column) {
                            *value +=
                                weights[(o * input.len() + i) * 9 + tap] * from[(row - 1) * 8 + column - 1];
                        }
                    }
                }
            }
        }
        output
    }
}

fn relu(planes: Vec<Vec<f32>>) -> Vec<Vec<f32>> {
    planes.into_iter().map(|plane| plane.into_iter().map(|x| x.max(0.0)).collect()).collect()
}
