//! The rows that a program measures: the same as those of the program in Go, with the same arguments and lines.

use crate::air::{Weather, RATE};
use crate::duel::Duel;
use crate::game::{hash_bytes, Game, Kib64, Mib1, Mib16, Tiny, SEED};
use crate::held::Table;
use crate::{alloc, sys};
use std::collections::HashMap;
use std::hint::black_box;
use std::process::exit;
use std::time::{Duration, Instant};

/// How many parts a measurement has; what is printed is their median.
const BATCHES: u64 = 9;
/// How many frames of inputs a table has: 18 minutes.
const TABLE: usize = 1 << 16;
/// The frame whose agreed state is hashed after a match over a bad network.
const AGREED: usize = 600;

/// A library, which plays any game.
pub trait Library {
    /// The most players that a match may have.
    const MAX_PLAYERS: usize;
    type Peer<G: Game>: Peer;
    type Sync<G: Game>: SyncTest;
    /// A peer of a match, with its own UDP socket. Peer i has the port port + i of this machine. With hashes, its stage
    /// keeps those of its states.
    fn peer<G: Game>(me: usize, players: usize, port: u16, hashes: bool) -> Self::Peer<G>;
    /// A sync test of that depth for two players.
    fn sync<G: Game>(depth: usize) -> Self::Sync<G>;
}

/// A peer of a match.
pub trait Peer {
    /// Reads what has come, runs a frame if it can, and sends.
    fn tick(&mut self, inputs: &Table);
    /// Whether it is connected to all others.
    fn playing(&self) -> bool;
    /// How many frames it has run, those that it ran again not counted.
    fn frame(&self) -> usize;
    /// The hash of the state of that number when it was made last, which is the agreed one if all inputs are known.
    fn hash_of(&self, frame: usize) -> Option<u64>;
}

/// A sync test.
pub trait SyncTest {
    /// Runs a frame, and what the test runs again.
    fn tick(&mut self, inputs: &Table);
}

/// A state, its number, and the hashes of those before it if somebody wants them.
pub struct Stage<G> {
    pub state: G,
    pub frame: usize,
    players: usize,
    hashes: Option<Vec<u64>>,
}

impl<G: Game> Stage<G> {
    pub fn new(players: usize, hashes: bool) -> Self {
        Stage { state: G::start(), frame: 0, players, hashes: hashes.then(Vec::new) }
    }

    /// Advances the state by one frame.
    #[inline]
    pub fn step(&mut self, input: impl Fn(usize) -> u16) {
        self.state.step(self.players, input);
        self.frame += 1;
        if let Some(h) = &mut self.hashes {
            if h.len() <= self.frame {
                h.resize(self.frame + 1, 0);
            }
            h[self.frame] = self.state.hash();
        }
    }

    pub fn hash_of(&self, frame: usize) -> Option<u64> {
        self.hashes.as_ref().and_then(|h| h.get(frame)).copied()
    }
}

/// Runs the row that the arguments of the program name.
pub fn main<L: Library>() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(row) = args.first() else { fail("usage: check|match|sync|memory|connect|process|bare [name=value ...]") };
    let a = Arguments::parse(&args[1..]);
    match row.as_str() {
        "check" => check::<L>(&a),
        "match" => a.play(Match::<L>(std::marker::PhantomData)),
        "sync" => a.play(Sync::<L>(std::marker::PhantomData)),
        "memory" => memory::<L>(&a),
        "connect" => connect::<L>(&a),
        "process" => process::<L>(&a),
        "bare" => bare(a.number("frames", 1 << 18)),
        _ => fail(&format!("no row is called {row:?}")),
    }
}

/// Ends the program with an error.
pub fn fail(why: &str) -> ! {
    eprintln!("{}: {why}", std::env::args().next().unwrap_or_default());
    exit(1)
}

struct Arguments(HashMap<String, String>);

impl Arguments {
    fn parse(args: &[String]) -> Self {
        Arguments(
            args.iter()
                .map(|arg| match arg.split_once('=') {
                    Some((name, value)) => (name.to_string(), value.to_string()),
                    None => fail(&format!("{arg:?} is not of the form name=value")),
                })
                .collect(),
        )
    }

    fn of(entries: &[(&str, String)]) -> Self {
        Arguments(entries.iter().map(|(n, v)| (n.to_string(), v.clone())).collect())
    }

    fn number(&self, name: &str, absent: u64) -> u64 {
        match self.0.get(name) {
            Some(v) => v.parse().unwrap_or_else(|_| fail(&format!("{name}={v} is not a number"))),
            None => absent,
        }
    }

    fn weather(&self) -> Weather {
        Weather {
            seed: self.number("seed", 1),
            delay_us: self.number("rtt", 0) as i64 * 500,
            jitter_us: self.number("jitter", 0) as i64 * 1000,
            loss_ppm: self.number("loss", 0) * 10_000,
        }
    }

    fn play(&self, f: impl Player) {
        match self.0.get("game").map_or("tiny", String::as_str) {
            "tiny" => f.play::<Tiny>(self),
            "duel" => f.play::<Duel>(self),
            "64k" => f.play::<Kib64>(self),
            "1m" => f.play::<Mib1>(self),
            "16m" => f.play::<Mib16>(self),
            name => fail(&format!("no game is called {name:?}: there are tiny, duel, 64k, 1m and 16m")),
        }
    }

    /// The number of players, which the library must be able to have.
    fn players<L: Library>(&self) -> usize {
        let players = self.number("players", 2) as usize;
        if players > L::MAX_PLAYERS {
            fail(&format!("the library has at most {} players", L::MAX_PLAYERS));
        }
        players
    }
}

/// Something that is done with any game.
trait Player {
    fn play<G: Game>(self, a: &Arguments);
}

fn print(name: &str, value: f64, unit: &str) {
    println!("{name} {value} {unit}");
}

/// Runs something in batches, and returns the median of the processor time in nanoseconds that each operation of a batch
/// took. What runs returns how many operations it has done.
fn measured(mut run: impl FnMut() -> u64) -> f64 {
    let mut times: Vec<f64> = (0..BATCHES)
        .map(|_| {
            let start = sys::processor();
            let n = run();
            (sys::processor() - start) as f64 / n.max(1) as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[BATCHES as usize / 2]
}

/// A match in virtual time, all peers of which are here.
struct Mesh<P> {
    world: &'static mut sys::World,
    peers: Vec<P>,
    seen: Vec<usize>,
    inputs: Table,
    stalls: u64,
    frames: u64,
}

impl<P: Peer> Mesh<P> {
    fn new<L: Library, G: Game>(players: usize, w: Weather, hashes: bool) -> Mesh<L::Peer<G>> {
        let world = sys::enter(w, players);
        Mesh {
            peers: (0..players).map(|me| L::peer::<G>(me, players, sys::PORT, hashes)).collect(),
            world,
            seen: vec![0; players],
            inputs: Table::new(SEED, players, TABLE),
            stalls: 0,
            frames: 0,
        }
    }

    fn tick(&mut self) {
        self.world.tick();
        for (p, seen) in self.peers.iter_mut().zip(&mut self.seen) {
            p.tick(&self.inputs);
            let f = p.frame();
            if f == *seen {
                self.stalls += 1;
            } else {
                self.frames += (f - *seen) as u64;
                *seen = f;
            }
        }
    }

    fn playing(&self) -> bool {
        self.peers.iter().all(Peer::playing)
    }

    fn connect(&mut self, seconds: u64) {
        for _ in 0..seconds * RATE {
            self.tick();
            if self.playing() {
                return;
            }
        }
        fail(&format!("the match has not begun after {seconds} seconds"));
    }
}

struct Match<L>(std::marker::PhantomData<L>);

impl<L: Library> Player for Match<L> {
    fn play<G: Game>(self, a: &Arguments) {
        let players = a.players::<L>();
        let frames = a.number("frames", 6000);
        let mut m = Mesh::<L::Peer<G>>::new::<L, G>(players, a.weather(), false);
        m.connect(120);
        for _ in 0..(frames / 10).max(60) {
            m.tick();
        }
        (m.stalls, m.frames) = (0, 0);
        (m.world.air.datagrams, m.world.air.bytes) = (0, 0);
        let allocated = alloc::calls();
        let mut ticks = 0;
        let time = measured(|| {
            let done = m.frames;
            for _ in 0..frames / BATCHES {
                m.tick();
                ticks += 1;
            }
            m.frames - done
        });
        if !m.playing() || m.frames == 0 {
            fail("the match has ended");
        }
        let seconds = ticks as f64 / RATE as f64 * players as f64;
        print("time", time, "ns");
        print("allocs", (alloc::calls() - allocated) as f64 / m.frames as f64, "per-frame");
        print("bytes", m.world.air.bytes as f64 / seconds, "B/s");
        print("datagrams", m.world.air.datagrams as f64 / seconds, "per-second");
        print("stalls", 100.0 * m.stalls as f64 / (ticks * players as u64) as f64, "percent");
    }
}

struct Sync<L>(std::marker::PhantomData<L>);

impl<L: Library> Player for Sync<L> {
    fn play<G: Game>(self, a: &Arguments) {
        let frames = (a.number("frames", 6000) / BATCHES).max(1);
        let inputs = Table::new(SEED, 2, TABLE);
        let mut s = L::sync::<G>(a.number("depth", 2) as usize);
        let mut run = || {
            for _ in 0..frames {
                s.tick(&inputs);
            }
            frames
        };
        run();
        print("time", measured(run), "ns");
    }
}

fn memory<L: Library>(a: &Arguments) {
    let players = a.players::<L>();
    let mut m = Mesh::<L::Peer<Tiny>>::new::<L, Tiny>(players, a.weather(), false);
    m.connect(120);
    for _ in 0..a.number("seconds", 60) * RATE {
        m.tick();
    }
    let with = alloc::live();
    m.peers = Vec::new();
    print("memory", (with - alloc::live()) as f64 / players as f64, "B");
}

/// Starts a match for each seed, in a process of its own, since some libraries end the program where a start fails.
fn connect<L: Library>(a: &Arguments) {
    let players = a.players::<L>();
    let seeds = a.number("seeds", 51);
    let mut all: Vec<u64> = (1..=seeds)
        .filter_map(|seed| {
            apart(|| {
                let mut m = Mesh::<L::Peer<Tiny>>::new::<L, Tiny>(players, Weather { seed, ..a.weather() }, false);
                m.connect(120);
                m.world.now()
            })
        })
        .collect();
    print("failed", 100.0 * (seeds - all.len() as u64) as f64 / seeds as f64, "percent");
    all.sort_unstable();
    if let Some(worst) = all.last() {
        print("median", all[all.len() / 2] as f64 / 1e6, "ms");
        print("worst", *worst as f64 / 1e6, "ms");
    }
}

/// Runs something in a process of its own, and returns its result, which is not 0, or None if the process failed.
fn apart(f: impl FnOnce() -> u64) -> Option<u64> {
    // SAFETY: the programs have one thread; the memory is shared by both processes, and unmapped when it has been read.
    unsafe {
        let shared = libc::mmap(std::ptr::null_mut(), 8, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS, -1, 0);
        if shared == libc::MAP_FAILED {
            fail("there is no memory");
        }
        let result = shared.cast::<u64>();
        match libc::fork() {
            -1 => fail("there is no other process"),
            0 => {
                // What it says of its failure is counted, not shown.
                libc::close(2);
                *result = f();
                libc::_exit(0);
            }
            child => {
                let mut status = 0;
                libc::waitpid(child, &mut status, 0);
                let got = *result;
                libc::munmap(shared, 8);
                (status == 0 && got != 0).then_some(got)
            }
        }
    }
}

struct Bare;

impl Player for Bare {
    fn play<G: Game>(self, a: &Arguments) {
        let (players, frames) = (a.number("players", 2) as usize, a.number("frames", 0) as usize);
        let inputs = Table::new(SEED, players, frames);
        let mut s = G::start();
        for f in 0..frames {
            s.step(players, |p| inputs.at(p, f));
        }
        println!("bare/{}/{players} {:016x} hash", G::NAME, s.hash());
    }
}

struct Agreed<L>(std::marker::PhantomData<L>);

impl<L: Library> Player for Agreed<L> {
    fn play<G: Game>(self, a: &Arguments) {
        let players = a.players::<L>();
        let mut m = Mesh::<L::Peer<G>>::new::<L, G>(players, a.weather(), true);
        m.connect(120);
        for _ in 0..40 * RATE {
            m.tick();
        }
        let hashes: Vec<_> = m.peers.iter().map(|p| p.hash_of(AGREED).filter(|_| p.frame() > AGREED + 200)).collect();
        match hashes[0] {
            Some(h) if hashes.iter().all(|x| *x == Some(h)) => println!("agreed/{}/{players} {h:016x} hash", G::NAME),
            _ => fail(&format!("{}, {players} players: the hashes of state {AGREED} are {hashes:x?}", G::NAME)),
        }
    }
}

fn check<L: Library>(a: &Arguments) {
    for (game, players, frames) in
        [("tiny", 2, 3000), ("tiny", 4, 3000), ("tiny", 8, 3000), ("tiny", 16, 3000), ("duel", 2, 3000), ("64k", 2, 300), ("1m", 2, 100), ("16m", 2, 20)]
    {
        Arguments::of(&[("game", game.into()), ("players", players.to_string()), ("frames", frames.to_string())]).play(Bare);
    }
    let most = (a.number("players", 16) as usize).min(L::MAX_PLAYERS);
    for (game, players) in [("tiny", 2), ("tiny", 4), ("tiny", 8), ("tiny", 16), ("duel", 2), ("64k", 2)] {
        if players <= most {
            Arguments::of(&[
                ("game", game.into()),
                ("players", players.to_string()),
                ("rtt", "80".into()),
                ("jitter", "20".into()),
                ("loss", "5".into()),
            ])
            .play(Agreed::<L>(std::marker::PhantomData));
        }
    }
}

/// Plays one peer of a match between processes, over UDP on this machine.
fn process<L: Library>(a: &Arguments) {
    let (me, players, port) = (a.number("me", 0) as usize, a.players::<L>(), a.number("port", 7300) as u16);
    let frames = (a.number("seconds", 10) * RATE) as usize;
    let inputs = Table::new(SEED, players, TABLE);
    let mut p = L::peer::<Tiny>(me, players, port, false);
    let period = Duration::from_nanos(1_000_000_000 / RATE);
    let mut next = Instant::now();
    let mut turns: Vec<f64> = Vec::with_capacity(4 * frames);
    let mut begun = None;
    let mut left = RATE; // turns after the last frame, since the others need what was sent last
    while left > 0 {
        if begun.is_none() && p.frame() >= 2 * RATE as usize {
            begun = Some((p.frame(), sys::processor(), sys::switches()));
        }
        let start = Instant::now();
        p.tick(&inputs);
        if let Some((first, time, switches)) = begun {
            if left == RATE {
                turns.push(start.elapsed().as_secs_f64() * 1e6);
            }
            if p.frame() >= first + frames {
                if left == RATE {
                    let n = (p.frame() - first) as f64;
                    print("time", (sys::processor() - time) as f64 / n, "ns");
                    print("switches", (sys::switches() - switches) as f64 / n, "per-frame");
                }
                left -= 1;
            }
        }
        next = (next + period).max(start);
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    turns.sort_by(f64::total_cmp);
    for (name, share) in [("p50", 0.5), ("p99", 0.99), ("worst", 1.0)] {
        print(name, turns[((share * turns.len() as f64) as usize).min(turns.len() - 1)], "us");
    }
}

/// The duel without any library: a step and a copy; and what a rollback of 7 frames must do, which is 8 steps, 8 copies
/// and a hash.
fn bare(n: u64) {
    const DEPTH: usize = 7;
    let inputs = Table::new(SEED, 2, TABLE);
    let mut ring = [Duel::start(); 16];
    let mut s = Duel::start();
    let mut f = 0;
    let mut plain = || {
        for _ in 0..n {
            ring[f & 15] = s;
            black_box(&mut ring);
            s.advance(inputs.at(0, f), inputs.at(1, f));
            f += 1;
        }
        n
    };
    plain();
    print("plain", measured(plain), "ns");
    let mut f = DEPTH;
    let mut sum = 0u64;
    let mut ring = [Duel::start(); 16];
    let mut rollback = || {
        for _ in 0..n {
            let from = f - DEPTH;
            let late = inputs.at(1, from) ^ (from & 1) as u16;
            for k in from..=f {
                let mut s = ring[k & 15];
                s.advance(inputs.at(0, k), late);
                ring[(k + 1) & 15] = s;
                black_box(&mut ring);
            }
            sum = sum.wrapping_add(hash_bytes(&ring[from & 15].canonical()));
            f += 1;
        }
        n
    };
    rollback();
    print("rollback", measured(rollback), "ns");
    black_box(sum);
}
