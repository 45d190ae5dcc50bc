//! The system's calls that the libraries make for time and datagrams, in virtual time: the functions of this file take the
//! place of those of the C library with the same names, in the whole program. So each library runs as it is, with its own
//! UDP socket. Where nothing is virtual, which is where processes are compared, the C library's are called.

use crate::air::{Air, Weather};
use libc::{c_char, c_int, c_long, c_void, sockaddr, sockaddr_in, socklen_t, timespec};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

/// The port of peer 0; the others have the next ones.
pub const PORT: u16 = 7000;
/// The largest number of a file.
const FILES: usize = 1024;

/// A world in which time is virtual.
pub struct World {
    pub air: Air,
    nanos: u64,
    peers: [u16; FILES], // by file: the peer whose socket it is, plus one
}

static WORLD: AtomicPtr<World> = AtomicPtr::new(null_mut());

/// Makes time and datagrams virtual, from now on. An earlier virtual world is forgotten.
pub fn enter(weather: Weather, peers: usize) -> &'static mut World {
    let world = Box::leak(Box::new(World { air: Air::new(weather, peers), nanos: 0, peers: [0; FILES] }));
    leave();
    WORLD.store(world, Relaxed);
    world
}

/// Makes everything real again.
pub fn leave() {
    let old = WORLD.swap(null_mut(), Relaxed);
    if !old.is_null() {
        // SAFETY: it came from a box, and the programs have one thread.
        drop(unsafe { Box::from_raw(old) });
    }
}

/// The virtual world, if there is one. Programs that use it have one thread.
fn world() -> Option<&'static mut World> {
    // SAFETY: it is alive until leave takes it out.
    unsafe { WORLD.load(Relaxed).as_mut() }
}

impl World {
    /// Begins the next tick.
    pub fn tick(&mut self) {
        self.nanos = self.air.tick() * 1_000_000_000 / crate::air::RATE;
    }

    /// The time since the beginning, in nanoseconds.
    pub fn now(&self) -> u64 {
        self.nanos
    }

    fn peer(&self, file: c_int) -> Option<usize> {
        usize::try_from(file).ok().and_then(|f| self.peers.get(f)).and_then(|&p| (p as usize).checked_sub(1))
    }
}

/// Returns the C library's function of that name, which ends in a zero byte, looked up once.
macro_rules! real {
    ($name:literal, $type:ty) => {{
        static FOUND: AtomicUsize = AtomicUsize::new(0);
        let mut at = FOUND.load(Relaxed);
        if at == 0 {
            at = libc::dlsym(libc::RTLD_NEXT, concat!($name, "\0").as_ptr().cast::<c_char>()) as usize;
            assert!(at != 0);
            FOUND.store(at, Relaxed);
        }
        std::mem::transmute::<usize, $type>(at)
    }};
}

/// # Safety
/// That of the C library's function.
#[no_mangle]
pub unsafe extern "C" fn clock_gettime(clock: c_int, out: *mut timespec) -> c_int {
    match world() {
        Some(w) if clock == libc::CLOCK_MONOTONIC || clock == libc::CLOCK_REALTIME => {
            // Some libraries take time 0 for no time.
            let nanos = w.nanos + 1_000_000_000_000;
            (*out).tv_sec = (nanos / 1_000_000_000) as i64;
            (*out).tv_nsec = (nanos % 1_000_000_000) as c_long;
            0
        }
        _ => real!("clock_gettime", unsafe extern "C" fn(c_int, *mut timespec) -> c_int)(clock, out),
    }
}

/// # Safety
/// That of the C library's function.
#[no_mangle]
pub unsafe extern "C" fn bind(file: c_int, address: *const sockaddr, len: socklen_t) -> c_int {
    match world() {
        Some(w) => {
            let port = u16::from_be((*address.cast::<sockaddr_in>()).sin_port);
            w.peers[file as usize] = port - PORT + 1;
            0
        }
        None => real!("bind", unsafe extern "C" fn(c_int, *const sockaddr, socklen_t) -> c_int)(file, address, len),
    }
}

/// # Safety
/// That of the C library's function.
#[no_mangle]
pub unsafe extern "C" fn sendto(file: c_int, b: *const c_void, n: usize, flags: c_int, to: *const sockaddr, len: socklen_t) -> isize {
    if let Some(w) = world() {
        if let Some(me) = w.peer(file) {
            let port = u16::from_be((*to.cast::<sockaddr_in>()).sin_port);
            w.air.send(me, (port - PORT) as usize, std::slice::from_raw_parts(b.cast(), n));
            return n as isize;
        }
    }
    real!("sendto", unsafe extern "C" fn(c_int, *const c_void, usize, c_int, *const sockaddr, socklen_t) -> isize)(file, b, n, flags, to, len)
}

/// # Safety
/// That of the C library's function.
#[no_mangle]
pub unsafe extern "C" fn recvfrom(file: c_int, b: *mut c_void, n: usize, flags: c_int, from: *mut sockaddr, len: *mut socklen_t) -> isize {
    if let Some(w) = world() {
        if let Some(me) = w.peer(file) {
            return match w.air.receive(me, std::slice::from_raw_parts_mut(b.cast(), n)) {
                Some((sender, got)) => {
                    let a = from.cast::<sockaddr_in>();
                    (*a).sin_family = libc::AF_INET as u16;
                    (*a).sin_port = (PORT + sender as u16).to_be();
                    (*a).sin_addr.s_addr = u32::from_ne_bytes([127, 0, 0, 1]);
                    *len = size_of::<sockaddr_in>() as socklen_t;
                    got as isize
                }
                None => {
                    *libc::__errno_location() = libc::EAGAIN;
                    -1
                }
            };
        }
    }
    real!("recvfrom", unsafe extern "C" fn(c_int, *mut c_void, usize, c_int, *mut sockaddr, *mut socklen_t) -> isize)(file, b, n, flags, from, len)
}

/// The processor time that this process has taken, in nanoseconds.
pub fn processor() -> u64 {
    let mut t = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes to t alone.
    unsafe { libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

/// How often this process has given up a processor to wait.
pub fn switches() -> i64 {
    // SAFETY: it writes to u alone, which may be zero.
    unsafe {
        let mut u: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut u);
        u.ru_nvcsw
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::UdpSocket;
    use std::time::Instant;

    // One test, since there is one world.
    #[test]
    fn time_and_sockets_are_virtual_until_they_are_left() {
        let w = enter(Weather { delay_us: 50_000, ..Weather::default() }, 2);
        let sockets: Vec<UdpSocket> = (0..2).map(|i| UdpSocket::bind(("0.0.0.0", PORT + i)).unwrap()).collect();
        let start = Instant::now();
        w.tick();
        sockets[0].send_to(b"hello", ("127.0.0.1", PORT + 1)).unwrap();
        let mut b = [0; 16];
        for _ in 0..3 {
            w.tick();
            assert_eq!(sockets[1].recv_from(&mut b).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
        }
        w.tick();
        let (n, from) = sockets[1].recv_from(&mut b).unwrap();
        assert_eq!((&b[..n], from.port()), (&b"hello"[..], PORT));
        assert_eq!(start.elapsed().as_nanos() as u64, w.now());
        leave();
        // The C library's clock goes on from another time, and does go on.
        let real = Instant::now();
        while Instant::now() == real {}
    }
}
