package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/dtls"
)

// crossing is an attacker between two players, through whom all their datagrams go. Each player knows the other one by
// an address of the attacker.
type crossing struct {
	ends    [2]*net.UDPConn // at which player 2 finds player 1, and player 1 player 2
	players [2]*net.UDPAddr
	third   *net.UDPConn // an address of his own
	evil    bool         // he does more than to read

	mu   sync.Mutex
	seen [][]byte
	from []int // of seen: which player
	rng  *rand.Rand
}

func newCrossing(t *testing.T, players []string, evil bool) *crossing {
	t.Helper()
	c := &crossing{evil: evil, rng: rand.New(rand.NewPCG(17, 4))}
	open := func() *net.UDPConn {
		s, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	c.third = open()
	var readers sync.WaitGroup
	for i := range c.ends {
		addr, err := net.ResolveUDPAddr("udp4", players[i])
		if err != nil {
			t.Fatal(err)
		}
		c.ends[i], c.players[i] = open(), addr
	}
	for i := range c.ends {
		readers.Go(func() { c.carry(1 - i) })
	}
	t.Cleanup(func() {
		for _, s := range append(c.ends[:], c.third) {
			s.Close()
		}
		readers.Wait()
	})
	return c
}

// carry takes what a player sends to the other one.
func (c *crossing) carry(from int) {
	to, buf := 1-from, make([]byte, 2048)
	for {
		n, _, err := c.ends[to].ReadFromUDP(buf)
		if err != nil {
			return
		}
		c.mu.Lock()
		b := bytes.Clone(buf[:n])
		c.seen, c.from = append(c.seen, b), append(c.from, from)
		if c.evil {
			c.tamper(b, from)
		}
		c.ends[from].WriteToUDP(b, c.players[to])
		c.mu.Unlock()
	}
}

// tamper sends datagrams that no player has sent: changed ones, earlier ones, earlier ones back to their senders, and
// noise; and sometimes copies that overtake the original, from another address.
func (c *crossing) tamper(b []byte, from int) {
	to := 1 - from
	bad := bytes.Clone(b)
	bad[c.rng.IntN(len(bad))] ^= 1 << c.rng.IntN(8)
	c.ends[from].WriteToUDP(bad, c.players[to])
	old := c.rng.IntN(len(c.seen))
	c.ends[from].WriteToUDP(c.seen[old], c.players[to])
	c.third.WriteToUDP(c.seen[old], c.players[from])
	for i := range bad {
		bad[i] = byte(c.rng.Int())
	}
	c.ends[from].WriteToUDP(bad, c.players[to])
	if c.rng.IntN(20) == 0 {
		c.third.WriteToUDP(b, c.players[to])
	}
}

// reads reports whether the attacker can read a text that every unencrypted match contains.
func (c *crossing) reads() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, b := range c.seen {
		if bytes.Contains(b, []byte("duel")) || bytes.HasPrefix(b, []byte("\x01TKB")) || !dtls.Recognize(b) {
			return true
		}
	}
	return false
}

// play plays a match of two processes through the attacker.
func (c *crossing) play(t *testing.T, at []string, args ...string) [2]*process {
	t.Helper()
	var both [2]*process
	for i := range both {
		its := []string{
			"duel", "--json", "--player", fmt.Sprint(i + 1), "--listen", at[i], "--peer", c.ends[1-i].LocalAddr().String(), "--bot", "brawler",
		}
		if i == 0 { // the host decides
			its = append(its, "--seed", "7")
		}
		both[i] = start(t, append(its, args...)...)
	}
	return both
}

// An attacker on the path who records everything, sends changed datagrams, earlier ones and noise, and copies from
// another address, cannot read a match of two processes, and changes nothing: it ends as it does without the attacker.
func TestASecureMatchWithSomebodyOnTheWay(t *testing.T) {
	t.Parallel()
	frames := "600"
	if testing.Short() {
		frames = "90"
	}
	secret := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(secret, []byte(tickback.NewToken().String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	results := map[bool]map[string]any{}
	for _, evil := range []bool{true, false} {
		at := freePorts(t, "udp4", "127.0.0.1", 2)
		c := newCrossing(t, at, evil)
		args := []string{"--frames", frames}
		if evil {
			args = append(args, "--secure", "@"+secret)
		}
		both := c.play(t, at, args...)
		for i, p := range both {
			if code := p.code(); code != 0 {
				t.Fatalf("exit code %d\n%s", code, p.errs.String())
			}
			r := objects(t, p.out.String())[0]
			if r["health"] != "healthy" || fmt.Sprint(r["frames"]) != frames || r["secure"] != evil || strings.Contains(p.errs.String(), "has moved") {
				t.Errorf("player %d: %v\n%s", i+1, r, p.errs.String())
			}
			if results[evil] == nil {
				results[evil] = r
			} else if r["checksum"] != results[evil]["checksum"] {
				t.Errorf("the checksums differ: %v", r)
			}
		}
		if c.reads() == evil {
			t.Errorf("encrypted: %v, and he reads: %v", evil, c.reads())
		}
	}
}

// An attacker on the path cannot take over a match: with everything that was sent so far, the attacker can do nothing
// once a player is cut off, not even in that player's name.
func TestASecureMatchIsNotTakenOver(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	token := tickback.NewToken().String()
	at := freePorts(t, "udp4", "127.0.0.1", 2)
	c := newCrossing(t, at, false)
	both := c.play(t, at, "--secure", token, "--drop", "2s")
	both[1].untilPlaying(t)
	if err := both[0].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	both[0].code()
	ended := make(chan int, 1)
	go func() { ended <- both[1].code() }()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case code := <-ended:
			if errs := both[1].errs.String(); code != 1 || !strings.Contains(errs, "player 1 is lost") || strings.Contains(errs, "has moved") {
				t.Errorf("exit code %d\n%s", code, errs)
			}
			return
		case <-ticker.C: // everything that player 1 has sent, again
			c.mu.Lock()
			for i, b := range c.seen {
				if c.from[i] == 0 && i%7 == 0 {
					c.ends[0].WriteToUDP(b, c.players[1])
					c.third.WriteToUDP(b, c.players[1])
				}
			}
			c.mu.Unlock()
		}
	}
}

// Eight processes play with one token, and a ninth watches; a process without the token is told why it understands
// nothing.
func TestASecureMatchOfEight(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	token := tickback.NewToken().String()
	at := freePorts(t, "udp4", "127.0.0.1", 8)
	var all []*process
	for p := range at {
		args := []string{"match", "--game", "arena", "--json", "--players", "8", "--player", fmt.Sprint(p + 1), "--listen", at[p], "--frames", "600", "--timeout", "20s", "--secure", token}
		for q := range at {
			if q != p {
				args = append(args, "--peer", at[q])
			}
		}
		all = append(all, start(t, args...))
	}
	all[0].untilPlaying(t)
	watcher := start(t, "spectate", "--json", "--game", "arena", "--host", at[0], "--secure", token)
	plain := start(t, "spectate", "--json", "--game", "arena", "--host", at[1], "--timeout", "2s")
	stranger := start(t, "spectate", "--json", "--game", "arena", "--host", at[2], "--timeout", "2s", "--secure", tickback.NewToken().String())
	var checksum any
	for i, p := range append(all, watcher) {
		if code := p.code(); code != 0 {
			t.Fatalf("process %d: exit code %d\n%s", i+1, code, p.errs.String())
		}
		r := objects(t, p.out.String())[0]
		if i == 0 {
			checksum = r["checksum"]
		}
		if r["checksum"] != checksum || r["health"] != "healthy" || r["frames"] != 600.0 {
			t.Errorf("process %d: %v", i+1, r)
		}
	}
	for p, want := range map[*process]string{plain: "encrypts, and we do not", stranger: "has another token"} {
		if code := p.code(); code != 1 || !strings.Contains(p.errs.String(), want) {
			t.Errorf("exit code %d, want %q in\n%s", code, want, p.errs.String())
		}
	}
}
