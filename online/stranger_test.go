//go:build !js

package online

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/webrtc"
)

// stranger is a member of a room that seems to watch, and sends nonsense: signals, and
// datagrams.
type stranger struct {
	client    *rooms.Client
	transport *webrtc.Transport
	random    *rand.Rand
}

// intrude keeps a stranger in a room until the test ends.
func intrude(t *testing.T, link string, seed uint64) *stranger {
	t.Helper()
	page, room, err := parse(link)
	if err != nil {
		t.Fatal(err)
	}
	client, err := rooms.Enter(within(t), socketOf(page), rooms.Entry{GameID: "duel", Build: "test", Room: room, Role: rooms.Spectator, Name: "<b>nobody"})
	if err != nil {
		t.Fatal(err)
	}
	transport, err := webrtc.New(webrtc.Config{Self: client.You(), Signaler: client, Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	s := &stranger{client, transport, rand.New(rand.NewPCG(seed, 1))}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.annoy(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
		transport.Close()
		client.Close()
	})
	return s
}

// annoy sends nonsense to all who have a seat, until ctx ends: below the rate for which
// the server would cut it off.
func (s *stranger) annoy(ctx context.Context) {
	beat := time.NewTicker(50 * time.Millisecond)
	defer beat.Stop()
	for {
		for e, ok := s.client.Receive(); ok; e, ok = s.client.Receive() {
			if e.Kind == rooms.Signalled {
				s.transport.Deliver(e.From, e.Data)
			}
		}
		var seated []uint32
		for _, m := range s.client.State().Members {
			if m.Seat != rooms.NoSeat {
				seated = append(seated, m.ID)
			}
		}
		s.transport.SetPeers(seated...)
		for _, id := range seated {
			if s.random.IntN(4) == 0 {
				_ = s.client.Signal(id, s.signal())
			}
			for range 30 {
				_ = s.transport.Send(webrtc.AddrOf(id), s.datagram())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
		}
	}
}

// signal makes a signal that makes more or less no sense.
func (s *stranger) signal() string {
	me := fmt.Sprintf("%c", 'a'+s.random.IntN(3))
	description := "v=0\\r\\no=- 1 1 IN IP4 0.0.0.0\\r\\ns=-\\r\\nt=0 0\\r\\n" + strings.Repeat("m=audio 9 UDP/TLS/RTP/SAVPF 0\\r\\na=mid:0\\r\\n", 1+s.random.IntN(90))
	all := []string{
		"", "null", `{"k":"hello"}`, strings.Repeat("[", 5000), `{"k":"hello","f":"` + me + `","w":true}`,
		`{"k":"offer","f":"` + me + `","n":4294967295,"sdp":"` + description + `"}`,
		`{"k":"answer","f":"` + me + `","n":1,"sdp":"` + description + `"}`,
		`{"k":"candidate","f":"` + me + `","n":1,"c":{"candidate":"candidate:1 1 udp 1 example.invalid 9 typ host","sdpMid":"0"}}`,
		`{"k":"candidate","f":"` + me + `","n":1,"c":{"candidate":"` + strings.Repeat("\\u0000", 100) + `","sdpMLineIndex":65535}}`,
	}
	return all[s.random.IntN(len(all))]
}

// datagram makes a datagram of anything.
func (s *stranger) datagram() []byte {
	b := make([]byte, s.random.IntN(webrtc.MaxDatagram+1))
	for i := range b {
		b[i] = byte(s.random.Uint32())
	}
	return b
}

// Two pages play undisturbed by a third one that sends nothing but nonsense, and twenty
// more that want to join are admitted as far as there are places.
func TestPagesAmongStrangers(t *testing.T) {
	browsertest.Rarely(t)
	const frames, seed = 600, 5
	t.Logf("seed %d", seed)
	b := browsertest.Shared(t)
	first := b.Open(t, fmt.Sprintf("%s?frames=%d", servePage(t, rooms.Config{}), frames))
	first.Name = "the first page"
	link := untilPage(t, first, "there is a link", func(s said) bool { return s.Link != "" }).Link
	bad := intrude(t, link, seed)
	second := b.Open(t, link)
	second.Name = "the second page"
	untilPage(t, first, "they play", func(s said) bool { return s.Frame > 30 })
	var crowd sync.WaitGroup
	var mu sync.Mutex
	refused := map[string]int{}
	for range 20 {
		crowd.Go(func() {
			cfg := Config{GameID: "duel", Build: "test", Loopback: true}
			r, err := Join(within(t), link, cfg)
			if err == nil {
				r.Close()
				return
			}
			mu.Lock()
			defer mu.Unlock()
			refused[err.Error()]++
		})
	}
	crowd.Wait()
	x, y := endOf(t, first), endOf(t, second)
	t.Logf("%+v and %+v; the stranger has sent %+v; refused were %v", x, y, bad.transport.Stats(), refused)
	if x.Frames != frames || x.Hash != y.Hash || x.Health != "healthy" || y.Health != "healthy" {
		t.Errorf("they end with %+v and %+v", x, y)
	}
	if s := bad.transport.Stats(); s.Sent < 1000 || bad.client.Err() != nil {
		t.Errorf("the stranger was not heard: %+v, %v", s, bad.client.Err())
	}
}
