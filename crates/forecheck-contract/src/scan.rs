//! Finding what JSON writes escaped, eight bytes at a time.

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES * 0x80;

/// The number of bytes before the first quote, backslash or control character.
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    let (blocks, tail) = bytes.as_chunks::<8>();
    for (index, block) in blocks.iter().enumerate() {
        let found = specials(u64::from_le_bytes(*block));
        if found != 0 {
            return index * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    blocks.len() * 8 + tail.iter().take_while(|&&byte| byte != b'"' && byte != b'\\' && byte >= 0x20).count()
}

/// Sets the high bit of each quote, backslash and byte below 0x20 in a block. The subtractions
/// borrow from the bytes above a find, so only the lowest bit that is set is sure.
fn specials(block: u64) -> u64 {
    let zero_bytes = |x: u64| x.wrapping_sub(ONES) & !x & HIGH;
    let quotes = zero_bytes(block ^ (ONES * u64::from(b'"')));
    let backslashes = zero_bytes(block ^ (ONES * u64::from(b'\\')));
    let controls = block.wrapping_sub(ONES * 0x20) & !block & HIGH;
    quotes | backslashes | controls
}

#[cfg(test)]
mod tests {
    use super::*;

    fn byte_by_byte(bytes: &[u8]) -> usize {
        bytes.iter().position(|&byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(bytes.len())
    }

    /// Each byte value at each place of a block, between neighbours that borrow and carry.
    #[test]
    fn blocks_agree_with_bytes() {
        for byte in 0..=255 {
            for filler in [0x20, 0x21, 0x23, 0x5b, 0x5d, 0x7f, 0x80, 0xff, b'"', b'\\', 0x1f] {
                for at in 0..19 {
                    let mut bytes = [b'a'; 19];
                    bytes[at..].fill(filler);
                    bytes[at] = byte;
                    assert_eq!(plain_length(&bytes), byte_by_byte(&bytes), "{bytes:x?}");
                }
            }
        }
    }
}
