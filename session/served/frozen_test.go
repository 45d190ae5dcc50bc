package served_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/served"
)

var rewriteFrozen = flag.Bool("served.rewrite", false, "write testdata/frozen anew, from what happens")

// Rule: the same seed gives the same run. What a server and its clients send and when, what they report
// to their owners, and what they count is the same on every machine, and only changes on purpose: then
// see the difference in testdata/frozen.
func TestFrozenMatches(t *testing.T) {
	usual := netem.Link{Delay: 40 * ms, Jitter: 8 * ms, Distribution: netem.Exponential, Reorder: true, Loss: 2 * netem.Percent, Duplicate: netem.Percent}
	for _, c := range []struct {
		name   string
		look   func(*tanks.State, rollback.Player) rollback.PlayerSet
		link   netem.Link
		script func(b *book)
	}{
		{"full", nil, usual, (*book).evening},
		{"partial", tanks.Sight, usual, (*book).evening},
		{"asleep", nil, netem.Link{Delay: 60 * ms}, (*book).naps},
		{"asleep-partial", tanks.Sight, netem.Link{Delay: 60 * ms}, (*book).naps},
		{"slow", nil, usual, (*book).slowness},
		{"slow-partial", tanks.Sight, usual, (*book).slowness},
		{"narrow", tanks.Sight, netem.Link{Delay: 20 * ms, Bandwidth: 6000, Queue: 3000, Overhead: netem.OverheadIPv4}, (*book).crowd},
		{"far", nil, netem.Link{Delay: 350 * ms, Jitter: 30 * ms, Distribution: netem.Normal, Loss: 10 * netem.Percent}, (*book).crowd},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &book{house: newHouse(t, 11, 6, c.link, c.look, func(s *served.ServerConfig, h *served.ServerHooks[tanks.State, tanks.Input]) {
				s.Match.Frames = 400
				s.Machine = "a server"
			})}
			b.tap = func(datagram []byte) { b.heard(&b.down, datagram) }
			b.rise = func(node int, datagram []byte) { b.heard(&b.up[node], datagram) }
			c.script(b)
			b.summary()
			frozen(t, c.name, b.text.String())
		})
	}
}

// frozen compares what has happened with the file.
func frozen(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "frozen", name+".txt")
	if *rewriteFrozen {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.ReplaceAll(string(written), "\r", ""), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("line %d of %s was\n%s\nand is\n%s\n(go test ./session/served -run Frozen -served.rewrite writes it anew)", i+1, path, strings.Join(want[min(i, len(want)):min(i+1, len(want))], ""), line)
		}
	}
}

// book is a house whose events are written down.
type book struct {
	*house
	text   strings.Builder
	digest uint64 // of all that was seen
	down   count
	up     [7]count // by node
	told   int      // events of the server that are written
}

func (c count) String() string {
	return fmt.Sprintf("%d datagrams, %d bytes, %016x", c.number, c.bytes, c.digest)
}

// count returns the number of datagrams, and a hash of all of them and of their times.
type count struct {
	number, bytes int
	digest        uint64
}

func (b *book) heard(c *count, datagram []byte) {
	c.number++
	c.bytes += len(datagram)
	c.digest = xxh3.HashSeed(datagram, c.digest+uint64(b.now))
}

func (b *book) line(format string, args ...any) {
	fmt.Fprintf(&b.text, "%v: "+format+"\n", append([]any{b.now}, args...)...)
}

// pass lets seconds pass. It looks ten times in each, and writes down every second look.
func (b *book) pass(seconds int) {
	for i := range 10 * seconds {
		b.run(time.Second / 10)
		b.page(i%20 == 19)
	}
}

// page shows everything that an owner can see.
func (b *book) page(write bool) {
	for ; b.told < len(b.events); b.told++ {
		b.line("server: %s", b.events[b.told])
	}
	seen := fmt.Sprintf("%+v, %+v", b.server.Stats(nil), b.server.Counts())
	for i, g := range b.clients {
		if g == nil {
			continue
		}
		for _, e := range g.Events() {
			b.line("client %d: %v", i+1, e)
		}
		seen += fmt.Sprintf("%+v, %+v, %d, %b", g.Stats(nil), g.Counts(), g.Known(), g.Members())
		for _, e := range g.Effects() {
			seen += e.String()
		}
		if shown, ok := g.Shown(b.now); ok {
			seen += fmt.Sprint(b.plan.Hash(shown.Before), b.plan.Hash(shown.After), shown.Passed, shown.Period, shown.Seen)
		}
		seen += fmt.Sprint(g.Progress(b.now))
	}
	b.digest = xxh3.HashStringSeed(seen, b.digest)
	if !write {
		return
	}
	b.line("server %v, tick %d, members %b, sent %v; all that was seen until now %016x", b.server.Phase(), b.server.Frame(), b.server.Members(), b.down, b.digest)
	for i, g := range b.clients {
		if g != nil {
			b.line("client %d %v, frame %d, known %d, %v, sent %v", i+1, g.Phase(), g.Frame(), g.Known(), g.Health(), b.up[i+1])
		}
	}
}

// summary writes down all counts.
func (b *book) summary() {
	b.line("server counts %+v", b.server.Counts())
	b.line("server stats %+v", b.server.Stats(nil))
	for p := range rollback.Player(6) {
		if s, ok := b.server.Client(p); ok {
			b.line("server of player %d: %+v", p, s)
		}
	}
	outcome, over := b.server.Outcome()
	b.line("server outcome %+v, %v, done %v, %v", outcome, over, b.server.Done(), b.server.Err())
	for i, g := range b.clients {
		if g == nil {
			continue
		}
		b.line("client %d counts %+v", i+1, g.Counts())
		b.line("client %d stats %+v", i+1, g.Stats(nil))
		outcome, over := g.Outcome()
		b.line("client %d outcome %+v, %v, done %v, %v", i+1, outcome, over, g.Done(), g.Err())
	}
}

// evening: clients join one after the other, one is cut off and comes back in time, another one too late,
// one leaves and comes back, one is removed.
func (b *book) evening() {
	b.join(1)
	b.pass(1)
	b.join(2)
	b.join(3)
	b.pass(2)
	b.cut(2, true)
	b.pass(2)
	b.cut(2, false)
	b.join(4)
	b.pass(2)
	b.clients[2].Leave("supper")
	b.cut(1, true)
	b.pass(1)
	b.join(3)
	b.join(5)
	b.pass(5)
	b.cut(1, false)
	if err := b.server.Kick(b.player(5), "rude"); err != nil {
		b.line("%v", err)
	}
	b.pass(2)
	b.join(5)
	b.pass(9)
}

// naps: the server sleeps, and clients do, briefly and long; afterwards one plays another game.
func (b *book) naps() {
	b.sleepy = true
	for node := 1; node <= 4; node++ {
		b.join(node)
	}
	b.pass(2)
	b.wake[0] += 300 * ms
	b.pass(1)
	b.wake[2] += 400 * ms
	b.pass(2)
	b.wake[0] += 1500 * ms
	b.pass(3)
	b.wake[3] += 2500 * ms
	b.wake[4] += 150 * ms
	b.pass(4)
	b.tune = func(c *served.ClientConfig) { c.Build = "2" }
	b.join(5)
	b.wake[1] += 7 * time.Second
	b.pass(9)
	b.server.Leave("it closes")
	b.pass(4)
}

// slowness: on one machine a tick takes longer than its period until the end, on another one for a while.
func (b *book) slowness() {
	for node := 1; node <= 3; node++ {
		b.join(node)
	}
	b.pass(2)
	b.clients[0].slow, b.clients[1].slow = 120*ms, 70*ms
	b.pass(8)
	b.clients[1].slow = 0
	b.pass(14)
}

// crowd: all come at once, and stay to the end.
func (b *book) crowd() {
	for node := 1; node <= 6; node++ {
		b.join(node)
	}
	b.clients[3].pause = true
	b.pass(24)
}

func (b *book) cut(node int, down bool) {
	b.net.Cut(0, node, down)
	b.net.Cut(node, 0, down)
}

// player returns who plays at a node.
func (b *book) player(node int) rollback.Player {
	p, _ := b.clients[node-1].Player()
	return p
}
