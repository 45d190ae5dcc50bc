package spectate

import (
	"net/netip"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/ends"
	"github.com/tickback/tickback/cmd/cli/internal/live"
)

// Rule: whatever ends watching, the log and the output of the command are true for the spectator.
func TestHowWatchingEnds(t *testing.T) {
	one := netip.MustParseAddrPort("192.0.2.2:7000")
	hosts := func(why ...error) error {
		return &tickback.HostsError{Hosts: []netip.AddrPort{one, netip.MustParseAddrPort("192.0.2.3:7000")}[:len(why)], Why: why}
	}
	player := []ends.End{{Never: "that ends the session of a player"}}
	client := []ends.End{{Never: "that ends the session of a client"}}
	token := &tickback.TokenError{Reason: "the token is not that of the match"}
	missing := &tickback.TokenError{Reason: token.Reason, Missing: true}
	ends.Check(t, ends.Table{
		"MismatchError":    {{Err: hosts(&tickback.MismatchError{Item: "build", Ours: "1", Theirs: "2"}), Log: "no host lets us in: 192.0.2.2:7000: the build differs: here 1, there 2: both sides need the same build of the game", Says: "cannot watch 192.0.2.2:7000: it has another build of the game: here 1, there 2"}, {Err: hosts(&tickback.MismatchError{Item: "game", Ours: "1", Theirs: "2"}), Log: "no host lets us in: 192.0.2.2:7000: the game differs: here 1, there 2: look at its address, and at GameID", Says: "cannot watch 192.0.2.2:7000: it plays another game: here 1, there 2 (see --game)"}, {Err: hosts(&tickback.MismatchError{Item: "tick rate", Ours: "1", Theirs: "2"}), Log: "no host lets us in: 192.0.2.2:7000: the tick rate differs: here 1, there 2: TickRate has to be the same on all machines", Says: "cannot watch 192.0.2.2:7000: the tick rate differs: here 1, there 2"}},
		"PlaceError":       player,
		"TimeoutError":     player,
		"RefusedError":     player,
		"LostError":        player,
		"RemovedError":     player,
		"QuorumError":      player,
		"JoinError":        player,
		"RestartedError":   player,
		"SyncTestError":    {{Never: "spectate has no sync test"}},
		"TokenError":       {{Err: hosts(token), Log: "no host lets us in: 192.0.2.2:7000: the token is not that of the match: give the token that its players have", Says: "cannot watch 192.0.2.2:7000: the token is not that of the match: give the token that its players have"}, {Err: hosts(missing, token), Log: "no host lets us in: 192.0.2.2:7000: the token is not that of the match: none was given here; ask its players for it; 192.0.2.3:7000: the token is not that of the match: give the token that its players have", Says: "there is no host to watch; 192.0.2.2:7000: the token is not that of the match: none was given here; ask its players for it; 192.0.2.3:7000: the token is not that of the match: give the token that its players have"}},
		"ByeError":         client,
		"ServerLostError":  client,
		"ErrPartial":       client,
		"JournalError":     {{Never: "it ends a server"}},
		"ErrJournalEnded":  {{Never: "it ends a server"}},
		"WishError":        player,
		"ErrClosed":        {{Err: tickback.ErrClosed, Log: "the session is closed", Says: "the session is closed"}},
		"HostsError":       {{Err: hosts(tickback.ErrHostRestarted, tickback.ErrEnd), Log: "no host lets us in: 192.0.2.2:7000: it was started again; 192.0.2.3:7000: the match is over", Says: "there is no host to watch; 192.0.2.2:7000: it was started again; 192.0.2.3:7000: the match is over"}},
		"ErrHostRestarted": {{Err: hosts(tickback.ErrHostRestarted), Log: "no host lets us in: 192.0.2.2:7000: it was started again", Says: "cannot watch 192.0.2.2:7000: it was started again"}},
		"ErrEnd":           {{Err: tickback.ErrEnd, Log: "the match is over", Says: "the match is over"}},
	}, func(err error) string {
		s := &spectatorSetup{log: &live.Log{}}
		return s.explainError(err).Error()
	})
}
