package ggpo

import (
	"net/netip"

	"github.com/tickback/tickback"
)

// Limits and defaults. MaxPlayers is larger than that of the ports of GGPO, and the others are the same.
const (
	MaxPlayers          = tickback.MaxPlayers
	MaxPredictionFrames = 8  // frames that may run on predictions, unless [Options.Window] says otherwise
	MaxSpectators       = 32 // that a peer can name with AddSpectator
	MaxInputSize        = 64 // bytes of the input of one player in one frame

	DefaultDisconnectTimeout     = 5000 // milliseconds; see [Backend].SetDisconnectTimeout
	DefaultDisconnectNotifyStart = 750  // milliseconds; see [Backend].SetDisconnectNotifyStart
	RecommendationInterval       = 240  // frames from one [EventCodeTimeSync] to the next

	// InvalidHandle is the handle of nobody.
	InvalidHandle int = -1
	// DefaultChecksum is the checksum for a game that computes none. Nothing is compared then.
	DefaultChecksum = 0
)

// Session is what the game implements. All its methods are called by methods of a [Backend], on the goroutine and
// the OS thread of their caller. Except where it says otherwise, they must not call the Backend, which refuses with
// [ErrorCodeInRollback]. They may call Close.
type Session interface {
	// SaveGameState stores the state of the game under a number, and returns a checksum of it or [DefaultChecksum].
	// Numbers are 0 to MaxPredictionFrames+1 and are used in turn, each again as soon as its state is not needed any
	// more. It is called in AddLocalInput, before the frame that begins at that state. The checksum is compared in a
	// sync test alone.
	SaveGameState(stateID int) int
	// LoadGameState brings back what was last stored under the number. The same state may be loaded several times.
	LoadGameState(stateID int)
	// AdvanceFrame has the game simulate a frame again, or one that a spectator has to catch up on: it calls SyncInput
	// and then AdvanceFrame of the Backend, as the game's own loop does. The flags are 0.
	AdvanceFrame(flags int)
	// OnEvent tells what has happened. The event belongs to the game.
	OnEvent(info *Event)
}

// Describer is a [Session] that can show its state, so that the error of a sync test names the fields that differ
// instead of two checksums. Implementing it is optional.
type Describer interface {
	// DescribeGameState returns a value that shows the present state and shares no memory with it, such as a copy of a
	// struct. It is called for each frame of a sync test.
	DescribeGameState() any
}

// Backend runs a match for a game: a [Peer], a [Spectator] or a [SyncTest]. It is for one goroutine at a time.
//
// The loop of a game calls Idle, then AddLocalInput for each local player. If these succeed, it calls SyncInput,
// simulates the frame, and calls AdvanceFrame. The last AddLocalInput of a frame (of a spectator: SyncInput) is where
// a rollback happens; [Session] says which callbacks that brings. Until AdvanceFrame, the frame is open: the network
// is not served then, so do not leave it open while the game waits for something.
//
// If a goroutine is locked to its thread, lock it before AddLocalInput and not within a frame: the Go runtime ends the
// program when a lock begins or ends between AddLocalInput and AdvanceFrame.
//
// All errors are of type [Error].
type Backend interface {
	// Idle serves the network, and tells events. If timeout is positive, it may wait for a millisecond, as long as
	// nothing arrives that a frame waits for. The time function is ignored. In callbacks and while a frame is open it
	// does nothing. A spectator's first frame is open after the Idle that tells [EventCodeRunning]. It returns why the match could not be built, but not why a match has ended: AddLocalInput does that.
	Idle(timeout int, timeFunc ...func() int64) error
	// AddPlayer adds a player or a spectator, and sets its handle. All players must be added before the match can be
	// built. Players at the same remote address share a machine. A host name is resolved, which takes up to 10 s.
	AddPlayer(player *Player, handle *PlayerHandle) error
	// AddLocalInput gives the input of a local player for the next frame: the first size bytes of values, which is the
	// input size of the match. It copies them. The last local player's call begins the frame; if it fails, no frame is
	// open. With [ErrorCodePredictionThreshod] the frame has to wait for other machines; the inputs of the first try
	// are the ones that count, in that case, so no press is lost. While a frame is open, the call does nothing.
	AddLocalInput(player PlayerHandle, values []byte, size int) error
	// SyncInput returns the input of each player, in the order of their numbers, in the frame that is open. The slices
	// belong to the caller. Bit n of the flags says that player n+1 is disconnected, and its input zero. The flags may
	// be nil.
	SyncInput(disconnectFlags *int) ([][]byte, error)
	// AdvanceFrame says that the game has simulated the frame, with a checksum of the state that it led to. All peers
	// compare these checksums, unless they are all [DefaultChecksum]. The error of a failed sync test is
	// [ErrorCodeGeneralFailure] and wraps a *tickback.SyncTestError.
	AdvanceFrame(checksum uint32) error
	// DisconnectPlayer removes a player from the match: a local one by leaving it, and a remote one if this machine
	// has player 1 ([ErrorCodeUnsupported] elsewhere). All players of a machine leave together.
	DisconnectPlayer(handle PlayerHandle) error
	// GetNetworkStats returns the statistics of the connection to a remote player. For a local one they are zeros.
	GetNetworkStats(handle PlayerHandle) (NetworkStats, error)
	// SetFrameDelay sets the input delay of a local player, 0 to 60 frames, before or during the match.
	SetFrameDelay(player PlayerHandle, delay int) error
	// SetDisconnectTimeout sets how long a peer may be silent before it is dropped, in milliseconds: 400 (more below 10
	// ticks a second) to 120,000; 0 means the longest. It must be called before the match is built.
	SetDisconnectTimeout(timeout int) error
	// SetDisconnectNotifyStart sets the silence after which [EventCodeConnectionInterrupted] is told, in milliseconds;
	// 0 means a second. It must be called before the match is built.
	SetDisconnectNotifyStart(timeout int) error
	// Close leaves the match, tells the others, and frees the transport, also while a frame is open. It takes a round
	// trip, and at most [Options.Linger]. A second call does nothing.
	Close() error
	// Start allows the match to be built. The next Idle, AddLocalInput or SyncInput builds it, once all players are
	// added: so players may be added, and everything set, before Start or right after it.
	Start()
	// InitializeConnection opens the UDP port, or takes a transport instead, which then belongs to the Backend. Without
	// this call, the match opens the port when it is built.
	InitializeConnection(c ...tickback.Transport) error
	// AddSpectator allows one more spectator. They are counted and not told apart by address: with the first
	// AddSpectator, that many machines may watch, from wherever they come. See [Options.Token].
	AddSpectator(ip string, port int) error
}

var (
	_ Backend = (*Peer)(nil)
	_ Backend = (*Spectator)(nil)
	_ Backend = (*SyncTest)(nil)
)

// PlayerHandle names a player to a [Backend]. A [Peer]'s are 1 for the first player and so on, and those of a [SyncTest]
// begin at 0.
type PlayerHandle int

// PlayerType says where a player is.
type PlayerType int

const (
	// PlayerTypeLocal is a player on this machine.
	PlayerTypeLocal PlayerType = iota
	// PlayerTypeRemote is a player on another machine.
	PlayerTypeRemote
	// PlayerTypeSpectator is no player, but watches.
	PlayerTypeSpectator
)

// Player describes a player for AddPlayer.
type Player struct {
	Size       int // ignored
	PlayerType PlayerType
	PlayerNum  int // 1 to the number of players; the machine of player 1 is the host
	Remote     RemotePlayer
}

// RemotePlayer says where a remote player is: at an address, or, without one, at a transport's peer.
type RemotePlayer struct {
	IpAdress string // (its name is that in the ports of GGPO)
	Port     int
	// Handle is the one by which a [Transport] knows the player's machine, if there is neither an address nor a port.
	Handle PlayerHandle
}

// Transport is a transport that knows other machines by handles of their players, for [Peer] and [Spectator]'s
// InitializeTransport. The packages below compat/ggpo/ikemen/transport are two.
type Transport interface {
	tickback.Transport
	// Address returns the address by which the transport sends to the machine of a player, and from which it receives. It
	// is false as long as the transport does not know the player; the match is built when it knows all.
	Address(player PlayerHandle) (at netip.AddrPort, known bool)
}

// NewLocalPlayer returns a player on this machine. The size is ignored.
func NewLocalPlayer(size, playerNum int) Player {
	return Player{Size: size, PlayerType: PlayerTypeLocal, PlayerNum: playerNum}
}

// NewRemotePlayer returns a player on another machine. The size is ignored.
func NewRemotePlayer(size, playerNum int, ipAddress string, port int) Player {
	return Player{Size: size, PlayerType: PlayerTypeRemote, PlayerNum: playerNum, Remote: RemotePlayer{IpAdress: ipAddress, Port: port}}
}

// NewSpectatorPlayer returns a spectator, for AddPlayer of the [Peer] that it watches. The size is ignored.
func NewSpectatorPlayer(size int, ipAddress string, port int) Player {
	return Player{Size: size, PlayerType: PlayerTypeSpectator, Remote: RemotePlayer{IpAdress: ipAddress, Port: port}}
}
