package ggpo

import (
	"log"

	"github.com/tickback/tickback/compat/ggpo"
	"github.com/tickback/tickback/compat/ggpo/ikemen/transport"
)

// Limits and defaults, as in package compat/ggpo.
const (
	MaxPlayers                   = ggpo.MaxPlayers
	MaxPredictionFrames          = ggpo.MaxPredictionFrames
	MaxSpectators                = ggpo.MaxSpectators
	MaxInputSize                 = ggpo.MaxInputSize
	DefaultDisconnectTimeout     = ggpo.DefaultDisconnectTimeout
	DefaultDisconnectNotifyStart = ggpo.DefaultDisconnectNotifyStart
	RecommendationInterval       = ggpo.RecommendationInterval
	InvalidHandle                = ggpo.InvalidHandle
	DefaultChecksum              = ggpo.DefaultChecksum
)

// PlayerHandle names a player, to a [Backend] and to the transport.
type PlayerHandle = transport.PlayerHandle

// Session is what the game implements: SaveGameState, LoadGameState, AdvanceFrame and OnEvent.
type Session = ggpo.Session

// Describer is a [Session] that can show its state to a sync test.
type Describer = ggpo.Describer

// Options are settings that the ports of GGPO do not have, for SetOptions.
type Options = ggpo.Options

// Player describes a player for AddPlayer: its PlayerType, its PlayerNum, and, of a remote one, Remote.Handle.
type Player = ggpo.Player

// RemotePlayer is the handle by which the transport knows the machine of a remote player; IpAdress and Port stay empty.
type RemotePlayer = ggpo.RemotePlayer

// PlayerType says where a player is.
type PlayerType = ggpo.PlayerType

// The types of players.
const (
	PlayerTypeLocal     = ggpo.PlayerTypeLocal
	PlayerTypeRemote    = ggpo.PlayerTypeRemote
	PlayerTypeSpectator = ggpo.PlayerTypeSpectator
)

// NewLocalPlayer returns a player on this machine. The size is ignored.
func NewLocalPlayer(size, playerNum int) Player { return ggpo.NewLocalPlayer(size, playerNum) }

// NewRemotePlayer returns a player on the machine that the transport knows by a handle, which AddPeer has said or is yet
// to say. The size is ignored.
func NewRemotePlayer(size, playerNum int, handle PlayerHandle) Player {
	return Player{Size: size, PlayerType: PlayerTypeRemote, PlayerNum: playerNum, Remote: RemotePlayer{Handle: handle}}
}

// NewSpectatorPlayer returns a spectator, for AddPlayer of the [Peer] that it watches. The size and the handle are
// ignored: spectators are counted, and come from wherever they are.
func NewSpectatorPlayer(size int, handle PlayerHandle) Player {
	return Player{Size: size, PlayerType: PlayerTypeSpectator, Remote: RemotePlayer{Handle: handle}}
}

// Backend runs a match for a game: a [Peer], a [Spectator] or a [SyncTest]. It is for one goroutine at a time. The
// methods are described at those of the same name in package compat/ggpo, and InitializeTransport at the one of its Peer:
// call it before the first Idle.
type Backend interface {
	Idle(timeout int, timeFunc ...func() int64) error
	AddPlayer(player *Player, handle *PlayerHandle) error
	AddLocalInput(player PlayerHandle, values []byte, size int) error
	SyncInput(disconnectFlags *int) ([][]byte, error)
	AdvanceFrame(checksum uint32) error
	DisconnectPlayer(handle PlayerHandle) error
	GetNetworkStats(handle PlayerHandle) (NetworkStats, error)
	SetFrameDelay(player PlayerHandle, delay int) error
	SetDisconnectTimeout(timeout int) error
	SetDisconnectNotifyStart(timeout int) error
	Close() error
	Start()
	InitializeTransport(t transport.Transport) error
}

var (
	_ Backend = (*Peer)(nil)
	_ Backend = (*Spectator)(nil)
	_ Backend = (*SyncTest)(nil)
)

// Peer plays a match with the peers of other machines. It has all methods of compat/ggpo's Peer.
type Peer struct{ ggpo.Peer }

// NewPeer returns a peer of a match of this many players, whose inputs have this many bytes. If an argument cannot be
// used, each call returns [ErrorCodeInvalidSession].
func NewPeer(cb Session, numPlayers, inputSize int) Peer {
	return Peer{ggpo.NewPeer(cb, 0, numPlayers, inputSize)}
}

// AddSpectator allows one more spectator, whoever it is: the handle is ignored.
func (p *Peer) AddSpectator(PlayerHandle) error { return p.Peer.AddSpectator("", 0) }

// Spectator watches a match at one of its peers, which has called AddSpectator.
type Spectator = ggpo.Spectator

// NewSpectator returns a spectator of a match of this many players, whose inputs have this many bytes. The transport
// knows one of the peers, its host, by a handle. If an argument cannot be used, each call returns
// [ErrorCodeInvalidSession].
func NewSpectator(cb Session, numPlayers, inputSize int, hostHandle PlayerHandle) Spectator {
	return ggpo.NewSpectatorOf(cb, numPlayers, inputSize, hostHandle)
}

// SyncTest runs a match without a network, and simulates each frame several times. Handles begin at 0.
type SyncTest = ggpo.SyncTest

// NewSyncTest returns a sync test, which goes back this many frames in each frame. It never panics: a difference is told
// by [EventCodeSyncTestDesync], and by a strict test's AdvanceFrame.
func NewSyncTest(cb Session, numPlayers, frames, inputSize int, strict bool) SyncTest {
	return ggpo.NewSyncTest(cb, numPlayers, frames, inputSize, strict)
}

// SetLogger sets the logger of all sessions that are built from now on; nil turns that off, which is the default.
func SetLogger(l *log.Logger) { ggpo.SetLogger(l) }

// EnableLogs has sessions that are built from now on log to the standard output.
func EnableLogs() { ggpo.EnableLogs() }

// DisableLogs turns off what SetLogger and EnableLogs have turned on.
func DisableLogs() { ggpo.DisableLogs() }
