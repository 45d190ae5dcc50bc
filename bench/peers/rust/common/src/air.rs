//! The network of the comparison, in memory and in virtual time: the same as the package air in Go, which says what it does.

/// How many ticks there are in a second.
pub const RATE: u64 = 60;
/// The largest datagram, in bytes.
pub const MAX_DATAGRAM: usize = 4096;
/// For how many ticks ahead there are boxes.
const RING: usize = 128;

/// What a network does to datagrams, in each direction.
#[derive(Clone, Copy, Default)]
pub struct Weather {
    pub seed: u64,
    pub delay_us: i64,
    pub jitter_us: i64,
    pub loss_ppm: u64,
}

impl Weather {
    /// After how many ticks a datagram arrives, or None if it is lost.
    pub fn fate(&self, from: usize, to: usize, tick: u64, nth: u32) -> Option<usize> {
        let x = mix(self.seed ^ (from as u64) << 56 ^ (to as u64) << 48 ^ u64::from(nth) << 40 ^ tick);
        if (x >> 32) % 1_000_000 < self.loss_ppm {
            return None;
        }
        let mut delay = self.delay_us;
        if self.jitter_us > 0 {
            delay += ((x & 0xffff_ffff) % (2 * self.jitter_us as u64 + 1)) as i64 - self.jitter_us;
        }
        Some((1 + (delay.max(0) as usize) * RATE as usize / 1_000_000).min(RING - 1))
    }
}

fn mix(x: u64) -> u64 {
    let mut x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

#[derive(Default)]
struct Parcels {
    parcels: Vec<(usize, usize, usize)>, // from, start, end
    bytes: Vec<u8>,
    read: usize, // how many parcels have been received
}

/// A network of some peers, which are numbers from 0 on.
pub struct Air {
    weather: Weather,
    peers: usize,
    tick: u64,
    boxes: Vec<Option<Box<Parcels>>>, // by tick in which they arrive, in a ring, and by receiver
    free: Vec<Box<Parcels>>,          // the one that was used last is the next, so that it is in the cache
    sent: Vec<u32>,                   // in this tick, by sender and receiver
    pub datagrams: u64,
    pub bytes: u64,
}

impl Air {
    /// A network with room for what a match usually sends, so that nothing is allocated later.
    pub fn new(weather: Weather, peers: usize) -> Self {
        let mut boxes = Vec::new();
        boxes.resize_with(RING * peers, || None);
        let free = (0..16 * peers)
            .map(|_| Box::new(Parcels { parcels: Vec::with_capacity(4 * peers), bytes: Vec::with_capacity(512 * peers), read: 0 }))
            .collect();
        Air { weather, peers, tick: 0, boxes, free, sent: vec![0; peers * peers], datagrams: 0, bytes: 0 }
    }

    /// Begins the next tick, and returns its number.
    pub fn tick(&mut self) -> u64 {
        // What a peer did not read when it came is lost, so that a box is never filled twice.
        for to in 0..self.peers {
            let at = (self.tick as usize % RING) * self.peers + to;
            if let Some(b) = self.boxes[at].take() {
                self.recycle(b);
            }
        }
        self.tick += 1;
        self.sent.fill(0);
        self.tick
    }

    fn recycle(&mut self, mut b: Box<Parcels>) {
        b.parcels.clear();
        b.bytes.clear();
        b.read = 0;
        self.free.push(b);
    }

    /// Sends a datagram, which is copied.
    pub fn send(&mut self, from: usize, to: usize, b: &[u8]) {
        assert!(b.len() <= MAX_DATAGRAM && to < self.peers, "{} bytes from {from} to {to}", b.len());
        self.datagrams += 1;
        self.bytes += b.len() as u64;
        let nth = self.sent[from * self.peers + to];
        self.sent[from * self.peers + to] += 1;
        let Some(after) = self.weather.fate(from, to, self.tick, nth) else { return };
        let at = ((self.tick as usize + after) % RING) * self.peers + to;
        let free = &mut self.free;
        let x = self.boxes[at].get_or_insert_with(|| free.pop().unwrap_or_default());
        let start = x.bytes.len();
        x.bytes.extend_from_slice(b);
        x.parcels.push((from, start, x.bytes.len()));
    }

    /// Copies the next datagram that has arrived at a peer in this tick into b, and returns who sent it and how long it
    /// is, or None if there is none.
    pub fn receive(&mut self, to: usize, b: &mut [u8]) -> Option<(usize, usize)> {
        let at = (self.tick as usize % RING) * self.peers + to;
        let x = self.boxes[at].as_mut()?;
        match x.parcels.get(x.read) {
            Some(&(from, start, end)) => {
                x.read += 1;
                let n = (end - start).min(b.len());
                b[..n].copy_from_slice(&x.bytes[start..start + n]);
                Some((from, n))
            }
            None => {
                let b = self.boxes[at].take()?;
                self.recycle(b);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datagrams_fare_as_in_the_package_in_go() {
        let mut lines = 0;
        for line in include_str!("../../../testdata/air.txt").lines().filter(|l| !l.starts_with('#')) {
            let n: Vec<i64> = line.split_whitespace().map(|w| w.parse().unwrap()).collect();
            let w = Weather { seed: n[0] as u64, delay_us: n[1], jitter_us: n[2], loss_ppm: n[3] as u64 };
            let got = w.fate(n[4] as usize, n[5] as usize, n[6] as u64, n[7] as u32).map_or(0, |t| t as i64);
            assert_eq!(got, n[8], "{line}");
            lines += 1;
        }
        assert!(lines >= 20);
    }

    #[test]
    fn a_datagram_arrives_in_the_first_tick_after_its_delay() {
        for (delay_us, ticks) in [(0, 1), (16_000, 1), (17_000, 2), (50_000, 4)] {
            let mut air = Air::new(Weather { delay_us, ..Weather::default() }, 2);
            air.tick();
            air.send(0, 1, b"hello");
            let mut b = [0; 16];
            let mut took = 0;
            let got = loop {
                air.tick();
                took += 1;
                if let Some(got) = air.receive(1, &mut b) {
                    break got;
                }
            };
            assert_eq!((took, got, &b[..5]), (ticks, (0, 5), &b"hello"[..]));
            assert!(air.receive(1, &mut b).is_none());
        }
    }
}
