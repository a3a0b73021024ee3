//! Checks the sizes and counts in a Parquet file before trusting them.
//!
//! Parquet's reader allocates whatever a file asks for: a flipped bit in the number of row groups asks for
//! gigabytes, and the process dies. So the headers (Thrift's compact encoding) are walked first: every
//! counted item must be present, and pages may not claim to unpack to much more than their size in the file.

use crate::error::Damage;

/// Greatest depth of nested structures; Parquet's are six deep.
const DEPTH: usize = 16;

/// Greatest size of a page header. Those of dictionaries and data have no statistics and take some tens of bytes.
const PAGE_HEADER: usize = 4096;

/// Greatest number of columns, nested ones included; ours have 28.
const COLUMNS: i64 = 200;

/// Whether the footer counts only items that are present.
pub(crate) fn is_sound_footer(bytes: &[u8]) -> bool {
    let mut sound = true;
    let whole = walk(bytes, &mut |path, n| {
        // The columns and their nested columns: each is read inside its parent.
        if matches!(path, [2] | [2, 5]) {
            sound &= (0..=COLUMNS).contains(&n);
        }
    });
    sound && whole.is_some()
}

/// Walks one structure, and reports every integer and list length with the field numbers that lead there.
/// Returns the number of bytes read; `None` if the structure is cut off.
pub(crate) fn walk(bytes: &[u8], see: &mut dyn FnMut(&[i16], i64)) -> Option<usize> {
    let mut walker = Walker { bytes, at: 0, path: Vec::with_capacity(DEPTH), see };
    walker.structure()?;
    Some(walker.at)
}

struct Walker<'a> {
    bytes: &'a [u8],
    at: usize,
    path: Vec<i16>,
    see: &'a mut dyn FnMut(&[i16], i64),
}

impl Walker<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn skip(&mut self, n: u64) -> Option<()> {
        let end = self.at.checked_add(usize::try_from(n).ok()?)?;
        (end <= self.bytes.len()).then(|| self.at = end)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn number(&mut self) -> Option<i64> {
        let n = self.varint()?;
        Some((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    fn structure(&mut self) -> Option<()> {
        if self.path.len() >= DEPTH {
            return None;
        }
        let mut field = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            field = match head >> 4 {
                0 => i16::try_from(self.number()?).ok()?,
                step => field.checked_add(i16::from(step))?,
            };
            self.path.push(field);
            // The type of a boolean field is its value.
            match head & 0x0f {
                1 | 2 => {}
                kind => self.value(kind)?,
            }
            self.path.pop();
        }
    }

    fn value(&mut self, kind: u8) -> Option<()> {
        match kind {
            // In lists, booleans take a byte each.
            1..=3 => self.skip(1),
            4..=6 => {
                let n = self.number()?;
                (self.see)(&self.path, n);
                Some(())
            }
            7 => self.skip(8),
            8 => {
                let n = self.varint()?;
                self.skip(n)
            }
            9 | 10 => {
                let head = self.byte()?;
                let n = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                (self.see)(&self.path, i64::try_from(n).ok()?);
                // Every item takes at least a byte, so this ends where the bytes do.
                (0..n).try_for_each(|_| self.item(head & 0x0f))
            }
            11 => {
                let n = self.varint()?;
                let kinds = if n > 0 { self.byte()? } else { 0 };
                (0..n).try_for_each(|_| self.item(kinds >> 4).and_then(|()| self.item(kinds & 0x0f)))
            }
            12 => self.structure(),
            _ => None,
        }
    }

    /// An item of a list. Parquet has no lists of lists of lists.
    fn item(&mut self, kind: u8) -> Option<()> {
        if matches!(kind, 9..=11) { None } else { self.value(kind) }
    }
}

/// The header of a page.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Page {
    /// Whether the page is a dictionary.
    pub(crate) dictionary: bool,
    /// Whether its values are indexes into a dictionary.
    pub(crate) by_dictionary: bool,
    /// Its unpacked size in bytes.
    pub(crate) bytes: u64,
    /// Number of its values.
    pub(crate) values: u64,
}

impl Page {
    /// Reads the header at the beginning of a page. Only the encodings that we write are accepted: plain
    /// data, dictionaries and dictionary indexes. Others can expand without bound.
    pub(crate) fn read(bytes: &[u8]) -> Result<Page, Damage> {
        const DATA: i64 = 0;
        const DICTIONARY: i64 = 2;
        const PLAIN: i64 = 0;
        const DICTIONARY_NUMBERS: i64 = 8;
        let (mut kind, mut size, mut values, mut encoding) = (-1, -1, -1, -1);
        let head = &bytes[..bytes.len().min(PAGE_HEADER)];
        let whole = walk(head, &mut |path, n| match path {
            [1] => kind = n,
            [2] => size = n,
            [5 | 7, 1] => values = n,
            [5 | 7, 2] => encoding = n,
            // Another kind of page.
            [8, 1] => kind = -1,
            _ => {}
        });
        whole.ok_or("the header of a page is not whole")?;
        let known = match kind {
            DATA => matches!(encoding, PLAIN | DICTIONARY_NUMBERS),
            DICTIONARY => encoding == PLAIN,
            _ => false,
        };
        match (u64::try_from(size), u64::try_from(values)) {
            (Ok(bytes), Ok(values)) if known => Ok(Page {
                dictionary: kind == DICTIONARY,
                by_dictionary: encoding == DICTIONARY_NUMBERS,
                bytes,
                values,
            }),
            _ => Err(format!("a page of kind {kind}, encoding {encoding}, {size} bytes and {values} values")
                .into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_walked_and_numbers_seen() {
        // {1: 150, 2: [{3: -1}, {}], 16: "ab", 17: true}
        let bytes =
            [0x15, 0xac, 0x02, 0x19, 0x2c, 0x35, 0x01, 0x00, 0x00, 0x08, 0x20, 2, b'a', b'b', 0x11, 0, 99];
        let mut seen = Vec::new();
        assert_eq!(walk(&bytes, &mut |path, n| seen.push((path.to_vec(), n))), Some(16));
        assert_eq!(seen, [(vec![1], 150), (vec![2], 2), (vec![2, 3], -1)]);
        for cut in 0..16 {
            assert_eq!(walk(&bytes[..cut], &mut |_, _| {}), None, "cut at {cut}");
        }
    }

    #[test]
    fn what_is_not_there_is_not_counted() {
        // A list of two thousand million structures in eight bytes, and a text of that length.
        assert_eq!(walk(&[0x49, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0], &mut |_, _| {}), None);
        assert_eq!(walk(&[0x48, 0xff, 0xff, 0xff, 0xff, 0x07, 0], &mut |_, _| {}), None);
        assert_eq!(walk(&[0x1c; 100], &mut |_, _| {}), None, "structures without end");
    }

    #[test]
    fn columns_are_counted_soundly() {
        // {2: [{5: n}]}
        let footer = |n: &[u8]| [&[0x29, 0x1c, 0x55], n, &[0, 0]].concat();
        assert!(is_sound_footer(&footer(&[0x22])));
        assert!(!is_sound_footer(&footer(&[0x01])), "fewer than none");
        assert!(!is_sound_footer(&footer(&[0xfe, 0xff, 0xff, 0xff, 0x0f])), "two thousand million");
        // A thousand columns, each nested in the one before.
        let mut deep = vec![0x29, 0xfc, 0xe8, 0x07];
        (0..1000).for_each(|_| deep.extend([0x55, 0x02, 0]));
        deep.push(0);
        assert!(walk(&deep, &mut |_, _| {}).is_some() && !is_sound_footer(&deep));
    }
}
