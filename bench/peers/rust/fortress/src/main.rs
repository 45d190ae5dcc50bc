//! The rows of the comparison with fortress-rollback. All settings are its own defaults: a window of 8 frames, a state
//! saved in each frame, and checksums compared once a second, of which only those are computed.

use fortress_rollback::{
    Config, FortressEvent, FortressRequest, P2PSession, PlayerHandle, PlayerType, RequestVec, SessionBuilder, SessionState,
    SyncTestSession, UdpNonBlockingSocket,
};
use peers_common::alloc::Counting;
use peers_common::game::Game;
use peers_common::held::Table;
use peers_common::rows::{fail, main as rows, Library, Peer, Stage, SyncTest};
use std::marker::PhantomData;
use std::net::SocketAddr;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often peers compare their states, in frames: the library's default.
const COMPARED: i32 = 60;

struct Settings<G>(PhantomData<G>);

impl<G: Game> Config for Settings<G> {
    type Input = u16;
    type State = G;
    type Address = SocketAddr;
}

/// Does what the library asks for. Of the frames for which hashed is true, the state is saved with its checksum.
fn fulfil<G: Game>(stage: &mut Stage<G>, requests: RequestVec<Settings<G>>, hashed: impl Fn(i32) -> bool) {
    for request in requests {
        match request {
            FortressRequest::SaveGameState { cell, frame } => {
                let sum = hashed(frame.as_i32()).then(|| u128::from(stage.state.hash()));
                cell.save(frame, Some(stage.state.clone()), sum);
            }
            FortressRequest::LoadGameState { cell, frame } => match cell.data() {
                Some(saved) => {
                    stage.state.clone_from(&saved);
                    stage.frame = frame.as_i32() as usize;
                }
                None => fail("a state that was saved is gone"),
            },
            FortressRequest::AdvanceFrame { inputs } => stage.step(|p| inputs[p].0),
        }
    }
}

struct Ours<G: Game> {
    session: P2PSession<Settings<G>>,
    stage: Stage<G>,
    me: usize,
    wait: u32,
}

impl<G: Game> Peer for Ours<G> {
    fn tick(&mut self, inputs: &Table) {
        self.session.poll_remote_clients();
        for event in self.session.events() {
            match event {
                FortressEvent::WaitRecommendation { skip_frames } => self.wait = skip_frames,
                FortressEvent::Disconnected { .. } | FortressEvent::DesyncDetected { .. } => fail("a peer is lost, or differs"),
                _ => {}
            }
        }
        if self.session.current_state() != SessionState::Running {
            return;
        }
        if self.wait > 0 {
            self.wait -= 1;
            return;
        }
        let frame = self.session.current_frame().as_i32() as usize;
        if let Err(err) = self.session.add_local_input(PlayerHandle::new(self.me), inputs.at(self.me, frame)) {
            fail(&format!("frame {frame}: {err}"));
        }
        match self.session.advance_frame() {
            Ok(requests) => fulfil(&mut self.stage, requests, |f| f % COMPARED == 0),
            Err(err) if format!("{err:?}").contains("PredictionThreshold") => {}
            Err(err) => fail(&format!("frame {frame}: {err}")),
        }
    }

    fn playing(&self) -> bool {
        self.session.current_state() == SessionState::Running
    }

    fn frame(&self) -> usize {
        self.session.current_frame().as_i32().max(0) as usize
    }

    fn hash_of(&self, frame: usize) -> Option<u64> {
        self.stage.hash_of(frame)
    }
}

struct Tested<G: Game> {
    session: SyncTestSession<Settings<G>>,
    stage: Stage<G>,
    frame: usize,
}

impl<G: Game> SyncTest for Tested<G> {
    fn tick(&mut self, inputs: &Table) {
        for p in 0..2 {
            if let Err(err) = self.session.add_local_input(PlayerHandle::new(p), inputs.at(p, self.frame)) {
                fail(&format!("frame {}: {err}", self.frame));
            }
        }
        match self.session.advance_frame() {
            Ok(requests) => fulfil(&mut self.stage, requests, |_| true),
            Err(err) => fail(&format!("frame {}: {err}", self.frame)),
        }
        self.frame += 1;
    }
}

struct Fortress;

impl Library for Fortress {
    const MAX_PLAYERS: usize = 16;
    type Peer<G: Game> = Ours<G>;
    type Sync<G: Game> = Tested<G>;

    fn peer<G: Game>(me: usize, players: usize, port: u16, hashes: bool) -> Ours<G> {
        let build = || {
            let mut b = SessionBuilder::<Settings<G>>::new().with_num_players(players)?;
            for i in 0..players {
                let kind = match i == me {
                    true => PlayerType::Local,
                    false => PlayerType::Remote(SocketAddr::from(([127, 0, 0, 1], port + i as u16))),
                };
                b = b.add_player(kind, PlayerHandle::new(i))?;
            }
            let socket = UdpNonBlockingSocket::bind_to_port(port + me as u16).unwrap_or_else(|err| fail(&format!("the socket: {err}")));
            b.start_p2p_session(socket)
        };
        let session = build().unwrap_or_else(|err| fail(&format!("the session: {err}")));
        Ours { session, stage: Stage::new(players, hashes), me, wait: 0 }
    }

    fn sync<G: Game>(depth: usize) -> Tested<G> {
        let session = SessionBuilder::<Settings<G>>::new().with_check_distance(depth).start_synctest_session();
        Tested { session: session.unwrap_or_else(|err| fail(&format!("the session: {err}"))), stage: Stage::new(2, false), frame: 0 }
    }
}

fn main() {
    rows::<Fortress>();
}
