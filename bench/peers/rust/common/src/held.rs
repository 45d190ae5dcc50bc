//! Buttons that are held for some frames, as people hold them. The package held in Go makes the same ones.

/// The longest time, in frames, that a player holds the same buttons.
pub const MAX_HOLD: u32 = 11;
/// How many different inputs there are: each is a number below it.
pub const BUTTONS: u32 = 16;

/// Makes the inputs of one player, one for each frame.
pub struct Player {
    x: u32,
    left: u32,
    held: u16,
}

impl Player {
    /// The inputs of a player, from 0 on, of a match.
    pub fn new(seed: u32, player: u32) -> Self {
        let x = seed.wrapping_mul(2654435761) ^ (player + 1).wrapping_mul(0x9E37_79B9);
        // xorshift would never leave 0.
        Player { x: if x == 0 { 1 } else { x }, left: 0, held: 0 }
    }

    /// The input of the next frame.
    pub fn next_input(&mut self) -> u16 {
        if self.left == 0 {
            self.left = 1 + (self.draw() >> 16) % MAX_HOLD;
            self.held = ((self.draw() >> 20) % BUTTONS) as u16;
        }
        self.left -= 1;
        self.held
    }

    fn draw(&mut self) -> u32 {
        self.x ^= self.x << 13;
        self.x ^= self.x >> 17;
        self.x ^= self.x << 5;
        self.x
    }
}

/// The inputs of all players of a match, so that what makes them is not measured.
pub struct Table {
    rows: Vec<Vec<u16>>,
}

impl Table {
    /// The inputs of that many players for that many frames. After the last frame it begins again.
    pub fn new(seed: u32, players: usize, frames: usize) -> Self {
        let row = |p| {
            let mut player = Player::new(seed, p as u32);
            (0..frames).map(|_| player.next_input()).collect()
        };
        Table { rows: (0..players).map(row).collect() }
    }

    /// The input of a player in a frame.
    #[inline]
    pub fn at(&self, player: usize, frame: usize) -> u16 {
        let row = &self.rows[player];
        row[frame % row.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::Player;

    #[test]
    fn the_inputs_are_those_of_the_package_in_go() {
        let mut lines = 0;
        for line in include_str!("../../../testdata/held.txt").lines().filter(|l| !l.starts_with('#')) {
            let words: Vec<u32> = line.split_whitespace().map(|w| w.parse().unwrap()).collect();
            let mut player = Player::new(words[0], words[1]);
            for (frame, want) in words[2..].iter().enumerate() {
                assert_eq!(u32::from(player.next_input()), *want, "seed {}, player {}, frame {frame}", words[0], words[1]);
            }
            lines += 1;
        }
        assert!(lines >= 4);
    }
}
