//! The rows of the comparison with GGPO, which is C++. It has one setting, the time after which a silent peer is lost,
//! and keeps its default. It has no comparison of states between peers, so that none is hashed in a match.

use libc::{c_char, c_int, c_uchar, c_ushort, c_void};
use peers_common::alloc::{count, Counting};
use peers_common::game::Game;
use peers_common::held::Table;
use peers_common::rows::{fail, main as rows, Library, Peer, Stage, SyncTest};
use std::ptr::{null_mut, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What the C++ side calls for each allocation.
#[no_mangle]
pub extern "C" fn peers_count() {
    count();
}

const OK: c_int = 0;
const PREDICTION_THRESHOLD: c_int = 4;
const NOT_SYNCHRONIZED: c_int = 7;
const RUNNING: c_int = 1003;
const DISCONNECTED: c_int = 1004;
const TIMESYNC: c_int = 1005;

#[repr(C)]
struct Callbacks {
    begin_game: extern "C" fn(*const c_char) -> bool,
    save_game_state: extern "C" fn(*mut *mut c_uchar, *mut c_int, *mut c_int, c_int) -> bool,
    load_game_state: extern "C" fn(*mut c_uchar, c_int) -> bool,
    log_game_state: extern "C" fn(*mut c_char, *mut c_uchar, c_int) -> bool,
    free_buffer: extern "C" fn(*mut c_void),
    advance_frame: extern "C" fn(c_int) -> bool,
    on_event: extern "C" fn(*mut Event) -> bool,
}

#[repr(C)]
struct Event {
    code: c_int,
    first: c_int, // of three: the frames ahead, of a TIMESYNC
    others: [c_int; 2],
}

#[repr(C)]
struct RemotePlayer {
    size: c_int,
    kind: c_int, // 0 is local, 1 remote
    number: c_int,
    ip_address: [c_char; 32],
    port: c_ushort,
}

extern "C" {
    fn ggpo_start_session(s: *mut *mut c_void, cb: *mut Callbacks, game: *const c_char, players: c_int, input_size: c_int, port: c_ushort) -> c_int;
    fn ggpo_start_synctest(s: *mut *mut c_void, cb: *mut Callbacks, game: *mut c_char, players: c_int, input_size: c_int, frames: c_int) -> c_int;
    fn ggpo_add_player(s: *mut c_void, player: *mut RemotePlayer, handle: *mut c_int) -> c_int;
    fn ggpo_add_local_input(s: *mut c_void, player: c_int, values: *mut c_void, size: c_int) -> c_int;
    fn ggpo_synchronize_input(s: *mut c_void, values: *mut c_void, size: c_int, flags: *mut c_int) -> c_int;
    fn ggpo_advance_frame(s: *mut c_void) -> c_int;
    fn ggpo_idle(s: *mut c_void, timeout: c_int) -> c_int;
    fn ggpo_close_session(s: *mut c_void) -> c_int;
}

/// The most players that GGPO has.
const MAX: usize = 4;
/// What is saved before a state: its number, which GGPO does not tell when it brings a state back.
const HEAD: usize = 8;

/// A session with its state. It stays where it is, since callbacks find it by its address.
struct Inner<G> {
    session: *mut c_void,
    stage: Stage<G>,
    players: usize,
    hashed: bool, // whether states are saved with a checksum
    running: bool,
    wait: c_int,
}

/// Whose callbacks are called. GGPO calls none but during its own functions, and has no argument that says whose.
static CURRENT: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

fn current<'a, G>() -> &'a mut Inner<G> {
    // SAFETY: each call of GGPO is made through Inner::call, which sets it to a live value of this type.
    unsafe { &mut *CURRENT.load(Relaxed).cast::<Inner<G>>() }
}

extern "C" fn begin_game(_: *const c_char) -> bool {
    true
}

extern "C" fn save<G: Game>(buffer: *mut *mut c_uchar, len: *mut c_int, checksum: *mut c_int, _: c_int) -> bool {
    let p = current::<G>();
    let state = p.stage.state.bytes();
    let n = HEAD + state.len();
    count();
    // SAFETY: GGPO gives places for what is returned; the new piece has n bytes.
    unsafe {
        let b = libc::malloc(n).cast::<c_uchar>();
        if b.is_null() {
            fail("there is no memory");
        }
        b.cast::<u64>().write_unaligned(p.stage.frame as u64);
        std::ptr::copy_nonoverlapping(state.as_ptr(), b.add(HEAD), state.len());
        *buffer = b;
        *len = n as c_int;
        *checksum = if p.hashed { p.stage.state.hash() as c_int } else { 0 };
    }
    true
}

extern "C" fn load<G: Game>(buffer: *mut c_uchar, len: c_int) -> bool {
    let p = current::<G>();
    // SAFETY: GGPO returns what save gave it.
    let b = unsafe { std::slice::from_raw_parts(buffer, len as usize) };
    p.stage.frame = u64::from_ne_bytes(b[..HEAD].try_into().expect("eight bytes")) as usize;
    p.stage.state.set_bytes(&b[HEAD..]);
    true
}

extern "C" fn log(_: *mut c_char, _: *mut c_uchar, _: c_int) -> bool {
    true
}

extern "C" fn free(buffer: *mut c_void) {
    // SAFETY: it came from malloc, or is null.
    unsafe { libc::free(buffer) }
}

extern "C" fn advance<G: Game>(_: c_int) -> bool {
    current::<G>().run();
    true
}

extern "C" fn on_event<G: Game>(event: *mut Event) -> bool {
    // SAFETY: GGPO gives an event, of which TIMESYNC has the first number.
    let (code, first) = unsafe { ((*event).code, (*event).first) };
    let p = current::<G>();
    match code {
        RUNNING => p.running = true,
        DISCONNECTED => fail("a peer is lost"),
        TIMESYNC => p.wait = first,
        _ => {}
    }
    true
}

impl<G: Game> Inner<G> {
    fn new(players: usize, hashes: bool, hashed: bool) -> Box<Self> {
        let stage = Stage::new(players, hashes);
        Box::new(Inner { session: null_mut(), stage, players, hashed, running: false, wait: 0 })
    }

    fn callbacks() -> Callbacks {
        Callbacks {
            begin_game,
            save_game_state: save::<G>,
            load_game_state: load::<G>,
            log_game_state: log,
            free_buffer: free,
            advance_frame: advance::<G>,
            on_event: on_event::<G>,
        }
    }

    /// Makes the callbacks those of this session, and returns it.
    fn enter(&mut self) -> *mut c_void {
        CURRENT.store(NonNull::from(&mut *self).as_ptr().cast(), Relaxed);
        self.session
    }

    /// Runs a frame with the inputs that GGPO has for it.
    fn run(&mut self) {
        let mut inputs = [0u16; MAX];
        let mut flags = 0;
        // SAFETY: there is room for the inputs of all players.
        let code = unsafe { ggpo_synchronize_input(self.session, inputs.as_mut_ptr().cast(), (self.players * 2) as c_int, &mut flags) };
        if code != OK {
            fail(&format!("ggpo_synchronize_input: {code}"));
        }
        self.stage.step(|p| inputs[p]);
        // SAFETY: the session is open.
        unsafe { ggpo_advance_frame(self.session) };
    }
}

impl<G> Drop for Inner<G> {
    fn drop(&mut self) {
        CURRENT.store((self as *mut Self).cast(), Relaxed);
        // SAFETY: it is open until now.
        unsafe { ggpo_close_session(self.session) };
    }
}

struct Ours<G> {
    inner: Box<Inner<G>>,
    handle: c_int,
    me: usize,
    ran: usize,
}

impl<G: Game> Peer for Ours<G> {
    fn tick(&mut self, inputs: &Table) {
        let session = self.inner.enter();
        // SAFETY: the session is open.
        unsafe { ggpo_idle(session, 0) };
        if !self.inner.running {
            return;
        }
        if self.inner.wait > 0 {
            self.inner.wait -= 1;
            return;
        }
        let mut input = inputs.at(self.me, self.ran);
        // SAFETY: GGPO copies the two bytes.
        match unsafe { ggpo_add_local_input(session, self.handle, (&raw mut input).cast(), 2) } {
            OK => {
                self.inner.run();
                self.ran += 1;
            }
            PREDICTION_THRESHOLD | NOT_SYNCHRONIZED => {}
            code => fail(&format!("ggpo_add_local_input: {code}")),
        }
    }

    fn playing(&self) -> bool {
        self.inner.running
    }

    fn frame(&self) -> usize {
        self.ran
    }

    fn hash_of(&self, frame: usize) -> Option<u64> {
        self.inner.stage.hash_of(frame)
    }
}

struct Tested<G> {
    inner: Box<Inner<G>>,
    ran: usize,
}

impl<G: Game> SyncTest for Tested<G> {
    fn tick(&mut self, inputs: &Table) {
        let session = self.inner.enter();
        // SAFETY: the session is open, and GGPO copies the inputs.
        unsafe {
            ggpo_idle(session, 0);
            for p in 0..2 {
                let mut input = inputs.at(p, self.ran);
                let code = ggpo_add_local_input(session, p as c_int, (&raw mut input).cast(), 2);
                if code != OK {
                    fail(&format!("ggpo_add_local_input: {code}"));
                }
            }
        }
        self.inner.run();
        self.ran += 1;
    }
}

struct Ggpo;

impl Library for Ggpo {
    const MAX_PLAYERS: usize = MAX;
    type Peer<G: Game> = Ours<G>;
    type Sync<G: Game> = Tested<G>;

    fn peer<G: Game>(me: usize, players: usize, port: u16, hashes: bool) -> Ours<G> {
        let mut inner = Inner::<G>::new(players, hashes, false);
        let mut callbacks = Inner::<G>::callbacks();
        inner.enter();
        let mut session = null_mut();
        // SAFETY: GGPO copies the callbacks, and the name of the game is a literal.
        let code = unsafe { ggpo_start_session(&mut session, &mut callbacks, c"peers".as_ptr(), players as c_int, 2, port + me as u16) };
        if code != OK {
            fail(&format!("ggpo_start_session: {code}"));
        }
        inner.session = session;
        let mut mine = 0;
        for i in 0..players {
            let mut player = RemotePlayer { size: 0, kind: 0, number: i as c_int + 1, ip_address: [0; 32], port: port + i as u16 };
            player.size = size_of::<RemotePlayer>() as c_int;
            player.kind = c_int::from(i != me);
            for (to, from) in player.ip_address.iter_mut().zip(b"127.0.0.1") {
                *to = *from as c_char;
            }
            let mut handle = 0;
            // SAFETY: GGPO copies the player.
            let code = unsafe { ggpo_add_player(session, &mut player, &mut handle) };
            if code != OK {
                fail(&format!("ggpo_add_player: {code}"));
            }
            if i == me {
                mine = handle;
            }
        }
        Ours { inner, handle: mine, me, ran: 0 }
    }

    fn sync<G: Game>(depth: usize) -> Tested<G> {
        let mut inner = Inner::<G>::new(2, false, true);
        let mut callbacks = Inner::<G>::callbacks();
        inner.enter();
        let mut session = null_mut();
        // SAFETY: as above; GGPO copies the name.
        let code = unsafe { ggpo_start_synctest(&mut session, &mut callbacks, c"peers".as_ptr().cast_mut(), 2, 2, depth as c_int) };
        if code != OK {
            fail(&format!("ggpo_start_synctest: {code}"));
        }
        inner.session = session;
        Tested { inner, ran: 0 }
    }
}

fn main() {
    rows::<Ggpo>();
}
