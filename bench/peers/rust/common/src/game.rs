//! The games of the comparison: the same as in the package game in Go.

use twox_hash::XxHash3_64;

/// That of the inputs and of the duel.
pub const SEED: u32 = 1;

/// A game with a state that can be copied.
pub trait Game: Clone + 'static {
    const NAME: &'static str;
    /// State 0.
    fn start() -> Self;
    /// Advances the state by one frame; input returns the input of a player.
    fn step(&mut self, players: usize, input: impl Fn(usize) -> u16);
    /// XXH3-64 of the canonical bytes.
    fn hash(&self) -> u64;
    /// The state as bytes, for a library that saves bytes.
    fn bytes(&self) -> &[u8];
    /// Sets the state to what bytes returned.
    fn set_bytes(&mut self, b: &[u8]);
}

/// XXH3-64 with the seed 0.
#[inline]
pub fn hash_bytes(b: &[u8]) -> u64 {
    XxHash3_64::oneshot(b)
}

/// The bytes of a value that has no pointers and no undefined bytes.
pub fn plain_bytes<T: Copy>(v: &T) -> &[u8] {
    // SAFETY: any memory of a Copy value is readable for its size; the types of this crate have no padding.
    unsafe { std::slice::from_raw_parts((v as *const T).cast(), size_of::<T>()) }
}

/// Sets a value to the bytes of another one of its type.
pub fn set_plain<T: Copy>(v: &mut T, b: &[u8]) {
    assert_eq!(b.len(), size_of::<T>());
    // SAFETY: the bytes are those of a valid value of this type, and as many.
    unsafe { std::ptr::copy_nonoverlapping(b.as_ptr(), (v as *mut T).cast(), b.len()) }
}

/// A game that costs next to nothing: it adds up the inputs.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Tiny {
    sum: u64,
}

impl Game for Tiny {
    const NAME: &'static str = "tiny";

    fn start() -> Self {
        Tiny::default()
    }

    #[inline(always)]
    fn step(&mut self, players: usize, input: impl Fn(usize) -> u16) {
        for p in 0..players {
            self.sum = self.sum.rotate_left(5).wrapping_add(u64::from(input(p)));
        }
    }

    fn hash(&self) -> u64 {
        hash_bytes(&self.sum.to_le_bytes())
    }

    fn bytes(&self) -> &[u8] {
        plain_bytes(self)
    }

    fn set_bytes(&mut self, b: &[u8]) {
        set_plain(self, b);
    }
}

/// A large state, of so many words, of which a frame changes little.
pub struct Large<const WORDS: usize> {
    words: Box<[u64]>,
}

pub type Kib64 = Large<{ (64 << 10) / 8 }>;
pub type Mib1 = Large<{ (1 << 20) / 8 }>;
pub type Mib16 = Large<{ (16 << 20) / 8 }>;

impl<const WORDS: usize> Clone for Large<WORDS> {
    fn clone(&self) -> Self {
        Large { words: self.words.clone() }
    }

    fn clone_from(&mut self, from: &Self) {
        self.words.copy_from_slice(&from.words);
    }
}

impl<const WORDS: usize> Game for Large<WORDS> {
    const NAME: &'static str = match WORDS * 8 {
        0x1_0000 => "64k",
        0x10_0000 => "1m",
        _ => "16m",
    };

    fn start() -> Self {
        Large { words: vec![0; WORDS].into_boxed_slice() }
    }

    #[inline]
    fn step(&mut self, players: usize, input: impl Fn(usize) -> u16) {
        self.words[0] += 1;
        for p in 0..players {
            let at = 1 + (self.words[0].wrapping_mul(7919) + p as u64 * 104_729) % (WORDS as u64 - 1);
            self.words[at as usize] += u64::from(input(p)) + 1;
        }
    }

    fn hash(&self) -> u64 {
        hash_bytes(self.bytes())
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the words are as many bytes, and this comparison runs on little-endian machines.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), WORDS * 8) }
    }

    fn set_bytes(&mut self, b: &[u8]) {
        assert_eq!(b.len(), WORDS * 8);
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(b.as_ptr(), self.words.as_mut_ptr().cast(), b.len()) }
    }
}

#[cfg(target_endian = "big")]
compile_error!("the hashes are those of little-endian machines");
