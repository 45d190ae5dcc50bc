package ggpo

import (
	"cmp"
	"time"

	"github.com/tickback/tickback"
)

// match is the session of players, behind all size classes of inputs.
type match interface {
	SetDelay(p tickback.Player, frames int) error
	Kick(players tickback.PlayerSet, reason string) error
	DesyncReport() *tickback.DesyncReport
}

// where is what the game is doing, as far as a backend knows.
type where uint8

const (
	outside  where = iota
	inFrame        // its own frame is open: it calls SyncInput and AdvanceFrame
	inStep         // the same, in the callback AdvanceFrame
	inCall         // another callback, or the callback AdvanceFrame after it has advanced
	inEngine       // a turn is running: a transport, or a clock, calls back
)

// mode is what a backend is.
type mode uint8

const (
	noMode mode = iota
	peerMode
	spectatorMode
	syncTestMode
)

// backend implements [Backend].
type backend struct {
	caller
	setup
	cb      Session
	session tickback.Session[memory] // nil until it is built
	match   match                    // nil for a spectator

	where   where
	stepped bool // the game's own frame of this turn has begun
	newest  int  // the number of the game's own newest frame
	err     error
	turnErr error
	period  time.Duration
	debt    time.Duration      // how much longer than it should be a spectator has shown its frames
	given   tickback.PlayerSet // the local players whose inputs of the next frame are here
	inputs  [MaxPlayers][MaxInputSize]byte
	news    news
	broken  bool // a callback has not returned
	severed bool // a turn was ended in a rollback, and the session has not noticed
	left    bool // DisconnectPlayer has left the match
	closed  bool

	abandoned bool // a frame was open when the session was closed
}

// wrong returns the error of a call that may come at these times, or nil.
func (b *backend) wrong(call string, allowed ...where) error {
	switch {
	case b == nil || b.mode == noMode:
		return failf(ErrorCodeInvalidSession, "%s of a zero value: make a session with NewPeer, NewSpectator or NewSyncTest", call)
	case b.invalid != nil:
		return b.invalid
	case b.closed:
		return failf(ErrorCodeInvalidSession, "%s after Close: make another session", call)
	case b.broken:
		return failf(ErrorCodeInvalidSession, "%s after a callback has not returned: Close the session", call)
	}
	for _, a := range allowed {
		if b.where == a {
			return nil
		}
	}
	switch b.where {
	case outside:
		return failf(ErrorCodeInvalidRequest, "%s while no frame is open: call AddLocalInput for all local players first (for a spectator: SyncInput)", call)
	case inFrame:
		return failf(ErrorCodeInvalidRequest, "%s while a frame is open: call AdvanceFrame first", call)
	}
	return failf(ErrorCodeInRollback, "%s in a callback: call it when the callback has returned", call)
}

// drive goes on with the turn until the session wants the game's own frame, which then is open, or until the turn is
// over. It calls the callbacks. If one of them does not return, because of a panic or of runtime.Goexit, the turn is
// ended.
func (b *backend) drive() (own bool) {
	returned := false
	defer func() {
		if !returned {
			b.interrupt()
			b.where, b.broken = outside, true
		}
	}()
	for {
		b.where = inEngine
		r, ok := b.next()
		if b.where = inCall; !ok {
			b.end()
			b.where, returned = outside, true
			return false
		}
		switch r.kind {
		case saving:
			b.answer = b.cb.SaveGameState(r.state)
		case loading:
			b.cb.LoadGameState(r.state)
		case describing:
			b.shown = b.cb.(Describer).DescribeGameState()
		case stepping:
			if !r.again && !b.stepped {
				b.stepped, b.where, returned = true, inFrame, true
				b.newest = int(b.frame.number)
				return true
			}
			b.where = inStep
			if b.cb.AdvanceFrame(0); b.where == inStep && !b.closed {
				b.news.notAdvanced(int(b.frame.number))
			}
		}
		if !b.turning() { // a callback has closed the session
			b.where, returned = outside, true
			return false
		}
	}
}

// turn has the session do something that may need the game.
func (b *backend) turn(work func() error) (own bool) {
	b.stepped = false
	return b.takeTurn(work)
}

func (b *backend) takeTurn(work func() error) (own bool) {
	b.turnErr = nil
	b.begin(func() { b.turnErr = work() })
	return b.drive()
}

// interrupt ends the turn, if there is one, without calling the game.
func (b *backend) interrupt() {
	if b.turning() {
		b.dead = true
		b.end()
		b.severed = !b.clean && b.turnErr == nil
	}
}

// built builds the session if it can be built, and returns an error until then.
func (b *backend) built(call string) error {
	switch {
	case b.left:
		return failf(ErrorCodePlayerDisconnected, "%s after DisconnectPlayer of a local player: Close the session", call)
	case b.session != nil:
		return nil
	case b.err != nil:
		return b.err
	case !b.started:
		return failf(ErrorCodeNotSynchronized, "%s before Start", call)
	case b.missing() != 0:
		return failf(ErrorCodeNotSynchronized, "%s before all players are added: AddPlayer of player %d is missing", call, b.missing())
	}
	if err := b.settle(call); err != nil {
		return err
	}
	if err := b.open(); err != nil {
		b.err = failed(ErrorCodeGeneralFailure, "the match cannot be built", err)
		return b.err
	}
	return nil
}

// Idle implements [Backend].
func (b *backend) Idle(timeout int, _ ...func() int64) error {
	if err := b.wrong("Idle", outside, inFrame, inStep, inCall, inEngine); err != nil || b.where != outside {
		return err
	}
	if b.left || !b.started {
		return nil
	}
	if b.session == nil && b.err == nil && (b.missing() != 0 || b.settle("Idle") != nil) {
		return nil
	}
	if err := b.built("Idle"); err != nil {
		return err
	}
	b.look()
	if timeout > 0 && !b.closed && b.where == outside {
		b.session.Wait(time.Millisecond)
	}
	return nil
}

// AddLocalInput implements [Backend].
func (b *backend) AddLocalInput(player PlayerHandle, values []byte, size int) error {
	if err := b.wrong("AddLocalInput", outside, inFrame); err != nil {
		return err
	}
	if b.mode == spectatorMode {
		return nil // a spectator's loop may be that of a player
	}
	p, err := b.player("AddLocalInput", player)
	switch {
	case err != nil:
		return err
	case !b.local.Has(p):
		return failf(ErrorCodeInvalidPlayerHandle, "AddLocalInput for player %d, who is remote: only local players have inputs here", p+1)
	case size != b.inputSize || len(values) < size:
		return failf(ErrorCodeInvalidRequest, "AddLocalInput of %d bytes, of which %d are given: the input size of this match is %d", size, len(values), b.inputSize)
	case b.where == inFrame:
		return nil
	}
	if err := b.begun("AddLocalInput"); err != nil {
		return err
	}
	copy(b.inputs[p][:], values[:size])
	if b.given |= tickback.SetOf(p); b.given != b.local {
		return nil
	}
	b.given = 0
	return b.advance()
}

// begun returns an error until the match has begun.
func (b *backend) begun(call string) error {
	if err := b.built(call); err != nil {
		return err
	}
	if !b.news.running {
		if b.look(); b.closed {
			return b.wrong(call)
		}
	}
	if over := b.over(); over != nil {
		return over
	}
	if !b.news.running {
		return failf(ErrorCodeNotSynchronized, "the match has not begun: call Idle until EventCodeRunning")
	}
	return nil
}

// look serves the network, and tells events. A spectator's match begins with its first frame, which then is open.
func (b *backend) look() {
	if b.mode == spectatorMode && !b.news.running {
		b.turn(b.run)
	} else {
		b.turn(b.session.Poll)
	}
	b.tell()
}

// run is the work of a turn that runs a frame.
func (b *backend) run() (err error) {
	b.period, err = b.session.Advance()
	return err
}

// over returns an error if the session has ended.
func (b *backend) over() error {
	if b.news.why == nil {
		return nil
	}
	code := ErrorCodePlayerDisconnected
	if b.mode == syncTestMode {
		code = ErrorCodeGeneralFailure
	}
	return failed(code, "the match is over", b.news.why)
}

// advance begins the next frame.
func (b *backend) advance() error {
	if b.turn(b.run) {
		return nil
	}
	b.tell()
	if b.news.host != nil && !b.closed { // all that has come from the host is shown
		b.news.end(b, b.news.host)
		b.tell()
	}
	if b.closed {
		return failf(ErrorCodeInvalidSession, "the session was closed")
	}
	if over := b.over(); over != nil {
		return over
	}
	return failf(ErrorCodePredictionThreshod, "the frame waits for other machines: call Idle, and try again")
}

// mostCatchUp is how many frames a spectator simulates in a call at most.
const mostCatchUp = 8

// catchUp simulates the frames that a spectator is late with, by the callback AdvanceFrame. Its session says how long
// each frame should be shown, and the game's loop shows each for a tick period.
func (b *backend) catchUp() {
	nominal := time.Second / time.Duration(cmp.Or(b.options.TickRate, 60))
	b.debt = max(0, b.debt+nominal-b.period) // if it should show frames for longer, it waits once its buffer is empty
	for n := 1; n < mostCatchUp && b.debt >= b.period && b.turnErr == nil && !b.closed; n++ {
		before := b.frame.number
		b.stepped = true
		b.takeTurn(b.run)
		if b.debt -= b.period; b.frame.number == before {
			b.debt = 0 // there is nothing more yet
		}
	}
}

// SyncInput implements [Backend].
func (b *backend) SyncInput(disconnectFlags *int) ([][]byte, error) {
	if b != nil && b.mode == spectatorMode && b.where == outside {
		if err := b.wrong("SyncInput", outside); err != nil {
			return nil, err
		}
		if err := b.begun("SyncInput"); err != nil {
			return nil, err
		}
		if b.where == outside {
			if err := b.advance(); err != nil {
				return nil, err
			}
		}
	}
	if err := b.wrong("SyncInput", inFrame, inStep); err != nil {
		return nil, err
	}
	f := &b.frame
	if disconnectFlags != nil {
		*disconnectFlags = f.gone
	}
	list, all := make([][]byte, f.players), make([]byte, f.players*b.inputSize)
	for p := range list {
		n := copy(all[:b.inputSize:b.inputSize], f.inputs[p][:])
		list[p], all = all[:n:n], all[n:]
	}
	return list, nil
}

// AdvanceFrame implements [Backend].
func (b *backend) AdvanceFrame(checksum uint32) error {
	if b != nil && b.abandoned {
		b.abandoned = false
		return nil // of a frame in which the game has closed the session
	}
	if err := b.wrong("AdvanceFrame", inFrame, inStep); err != nil {
		return err
	}
	b.sum = checksum
	if b.where == inStep {
		b.where = inCall
		return nil
	}
	b.drive()
	if b.closed {
		return nil
	}
	if b.mode == spectatorMode {
		b.catchUp()
	}
	b.news.timeSync(b)
	b.tell()
	if b.strict && !b.closed {
		return b.over()
	}
	return nil
}

// DisconnectPlayer implements [Backend].
func (b *backend) DisconnectPlayer(handle PlayerHandle) error {
	if err := b.wrong("DisconnectPlayer", outside); err != nil {
		return err
	}
	if b.mode != peerMode {
		return failf(ErrorCodeInvalidRequest, "DisconnectPlayer is for a Peer")
	}
	p, err := b.player("DisconnectPlayer", handle)
	if err != nil {
		return err
	}
	if err := b.built("DisconnectPlayer"); err != nil {
		return err
	}
	switch {
	case b.news.gone.Has(p):
		return failf(ErrorCodePlayerDisconnected, "player %d is disconnected", p+1)
	case b.local.Has(p):
		b.left, b.dead = true, true
		err := b.session.Close()
		b.news.lose(b, ^b.local, "this machine has left the match", nil)
		if b.tell(); err != nil {
			return failed(ErrorCodeGeneralFailure, "", err)
		}
		return nil
	case !b.local.Has(0):
		return failf(ErrorCodeUnsupported, "only the machine of player 1 can disconnect others: DisconnectPlayer of a local player, or Close, leaves the match")
	}
	if err := b.match.Kick(b.together(p), "disconnected by the host"); err != nil {
		return failed(ErrorCodeInvalidRequest, "DisconnectPlayer", err)
	}
	return nil
}

// GetNetworkStats implements [Backend].
func (b *backend) GetNetworkStats(handle PlayerHandle) (NetworkStats, error) {
	if err := b.wrong("GetNetworkStats", outside, inFrame, inStep, inCall); err != nil {
		return NetworkStats{}, err
	}
	if b.mode != peerMode {
		return NetworkStats{}, failf(ErrorCodeInvalidRequest, "GetNetworkStats is for a Peer")
	}
	p, err := b.player("GetNetworkStats", handle)
	if err != nil || b.session == nil {
		return NetworkStats{}, err
	}
	s := b.session.Stats()
	for i := range s.Links {
		if l := &s.Links[i]; l.Players.Has(p) {
			return networkStats(&s, l), nil
		}
	}
	return NetworkStats{}, nil
}

// SetFrameDelay implements [Backend].
func (b *backend) SetFrameDelay(player PlayerHandle, delay int) error {
	if err := b.wrong("SetFrameDelay", outside, inCall); err != nil {
		return err
	}
	if b.mode == spectatorMode {
		return failf(ErrorCodeInvalidRequest, "SetFrameDelay is not for a Spectator")
	}
	if b.turning() {
		return failf(ErrorCodeInRollback, "SetFrameDelay in a callback: call it when the callback has returned, or in OnEvent")
	}
	p, err := b.player("SetFrameDelay", player)
	switch {
	case err != nil:
		return err
	case !b.local.Has(p):
		return failf(ErrorCodeInvalidPlayerHandle, "SetFrameDelay of player %d, who is remote: each machine sets the delay of its own players", p+1)
	case delay < 0 || delay > maxDelay:
		return failf(ErrorCodeInvalidRequest, "SetFrameDelay of %d frames, not 0 to %d", delay, maxDelay)
	}
	if b.session != nil {
		if err := b.match.SetDelay(p, delay); err != nil {
			return failed(ErrorCodeInvalidRequest, "SetFrameDelay", err)
		}
	}
	b.delay[p] = delay
	return nil
}

// Close implements [Backend].
func (b *backend) Close() error {
	switch {
	case b == nil || b.mode == noMode:
		return b.wrong("Close")
	case b.closed:
		return nil
	case b.where == inEngine:
		return failf(ErrorCodeInRollback, "Close by a transport or a clock")
	}
	b.closed, b.abandoned = true, b.where == inFrame || b.where == inStep
	b.interrupt()
	b.dead, b.where = true, outside
	if err := b.hangUp(); err != nil {
		return failed(ErrorCodeGeneralFailure, "Close", err)
	}
	return nil
}

// hangUp leaves the match, if there is one, and frees the transport.
func (b *backend) hangUp() error {
	var err error
	if b.session != nil && !b.severed { // one that was stopped in a rollback can tell nobody anything true
		err = b.session.Close()
		if b.owned {
			return err
		}
	}
	if b.transport == nil {
		return err
	}
	return cmp.Or(b.transport.Close(), err)
}
