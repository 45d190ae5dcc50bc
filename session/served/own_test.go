package served

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// ownGame is the fixture's game, with its own memory.
func ownGame() rollback.OwnMemory[count, count, uint16] {
	return rollback.OwnMemory[count, count, uint16]{
		Step:    countGame().Step,
		Save:    func(s, slot *count) { *slot = *s },
		Restore: func(s, slot *count) { *s = *slot },
		Marshal: func(b []byte, s *count) ([]byte, error) { return binary.Append(b, binary.LittleEndian, s) },
		Unmarshal: func(s *count, encoded []byte) error {
			_, err := binary.Decode(encoded, binary.LittleEndian, s)
			return err
		},
		Hash: func(s *count) uint64 {
			return uint64(s.Sum[0]*31+s.Sum[1]*7+s.Sum[2])*1_000_003 + uint64(s.Ticks[0]+s.Ticks[1]+s.Ticks[2])
		},
		New: func() *count { return new(count) },
	}
}

// Rule: in a game with its own memory, too, a client that joins continues from the server's state, and predicts
// that absent players stay absent: the prediction is what happens. Without Marshal it cannot be recorded. It needs
// neither Init nor New.
func TestAGameWithItsOwnMemoryIsPlayed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	bare := ownGame()
	bare.New = nil
	server, err := NewServer(bare, ServerConfig{Game: countAbout, Random: r.Uint64}, ServerHooks[count, uint16]{})
	if err != nil {
		t.Fatal(err)
	}
	join := func(game rollback.OwnMemory[count, count, uint16]) *Client[count, uint16] {
		c, err := NewClient(game, ClientConfig{Game: countAbout, Server: serverAddr, Random: r.Uint64}, ClientHooks[count, uint16]{Sample: func(Player) uint16 { return 1 }})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	mute := ownGame()
	mute.Marshal, mute.Unmarshal = nil, nil
	var lacks *rollback.CapabilityError
	if err := join(mute).Record(nil, stream.Wants{}); !errors.As(err, &lacks) || lacks.Missing != "Marshal" {
		t.Errorf("without Marshal: %v", err)
	}
	failing, full, noMemory := false, bare, errors.New("no memory")
	full.Marshal = func(b []byte, s *count) ([]byte, error) {
		if failing {
			return b, noMemory
		}
		return bare.Marshal(b, s)
	}
	c := join(full)
	for now := time.Duration(0); now < 3*time.Second; now += time.Millisecond {
		server.Update(now)
		for _, b := range server.Outgoing() {
			c.Receive(now, serverAddr, b)
		}
		c.Update(now)
		for _, b := range c.Outgoing() {
			server.Receive(now, otherAddr, bytes.Clone(b))
		}
		if s := c.State(); c.Phase() == session.Playing && (s.Ticks[1] != 0 || s.Ticks[2] != 0) {
			t.Fatalf("at %v it predicts players that are not there: %+v", now, s)
		}
	}
	if s := c.State(); c.Phase() != session.Playing || c.Health() != stream.Healthy || s.Ticks[0] < 100 {
		t.Errorf("%v, %v, %v: %+v", c.Phase(), c.Err(), c.Health(), s)
	}
	failing = true
	if err := c.Record(new(silent), stream.Wants{}); !errors.Is(err, noMemory) {
		t.Errorf("with a state that cannot be encoded: %v", err)
	}
	failing = false
	if err := c.Record(new(silent), stream.Wants{}); err != nil {
		t.Errorf("after a recording that could not begin: %v", err)
	}
}

// silent is a recorder that keeps nothing.
type silent struct{}

func (silent) Begin(*stream.Begin)               {}
func (silent) Frame(*agreed.Frame, uint64, bool) {}
func (silent) State(Frame, []byte)               {}
func (silent) End(*stream.End)                   {}
