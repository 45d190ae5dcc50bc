//go:build !js

package lan

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// A search at its port finds a host: with its offer, at the address at which it listens. Afterwards nothing of
// the search runs any more.
func TestAHostIsFound(t *testing.T) {
	h, port := host(t)
	s, err := NewSearch(port)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the host is found", func() bool { return len(s.Found()) == 1 })
	o := s.Found()[0]
	if o.Name != "Ada" || o.GameID != "duel" || o.Build != "test" || o.Seats != 2 || o.Taken != 1 || o.Room != "" ||
		o.At != "127.0.0.1" || o.Address != h.Addresses()[0] {
		t.Errorf("found: %+v", o)
	}
	s.Close()
	if _, err := s.socket.Write(nil); !isClosed(err) {
		t.Errorf("its socket is open: %v", err)
	}
}

// Only a complete query is answered, and so is the next one, whatever arrives between them.
func TestWhatIsNoQuestionIsNotAnswered(t *testing.T) {
	nonce := [nonceSize]byte{1, 2, 3}
	question := encodeQuestion(nonce)
	for n := range question {
		if _, ok := decodeQuestion(question[:n]); ok {
			t.Errorf("%d bytes are a question", n)
		}
	}
	for i := range questionName {
		other := slices.Clone(question)
		other[i]++
		if _, ok := decodeQuestion(other); ok {
			t.Errorf("%q is a question", other[:wordSize])
		}
	}
	if _, ok := decodeQuestion(append(question, 0)); ok {
		t.Error("a longer one is a question")
	}
	_, port := host(t)
	socket, err := net.DialUDP("udp4", nil, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	longer := append(encodeQuestion([nonceSize]byte{9}), 0) // whose answer would come first
	for _, b := range [][]byte{{}, []byte("?"), question[:searchSize-1], longer, question} {
		if _, err := socket.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	buf := make([]byte, 2*searchSize)
	_ = socket.SetReadDeadline(time.Now().Add(testTime))
	n, err := socket.Read(buf)
	if o, ok := decodeAnswer(buf[:n], nonce); err != nil || !ok || o.Name != "Ada" {
		t.Errorf("%q, %v", buf[:n], err)
	}
}

// A host whose port for searches is taken by another program plays without being found, and its log says so.
func TestAHostThatCannotBeFound(t *testing.T) {
	busy, err := net.ListenUDP("udp4", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	var said strings.Builder
	cfg := config("Ada")
	cfg.Log = slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelWarn}))
	h, err := Create(within(t), Options{Listen: "127.0.0.1:0", SearchPort: busy.LocalAddr().(*net.UDPAddr).Port}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil || h.answerer != nil {
		t.Errorf("it answers: %v; %v", h.answerer != nil, err)
	}
	if text := said.String(); !strings.Contains(text, "others will not find this host by themselves") {
		t.Errorf("the log says %q", text)
	}
}

// No error of a socket is its end, except that it is closed: reading continues.
func TestASocketIsReadUntilItIsClosed(t *testing.T) {
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := socket.SetReadDeadline(time.Unix(1, 0)); err != nil { // each call fails at once
		t.Fatal(err)
	}
	var buf [8]byte
	ended := make(chan bool, 1)
	go func() {
		n, _, open := read(socket, buf[:])
		ended <- open && n == 2
	}()
	go func() {
		time.Sleep(5 * readPause) // it has failed by then, on most machines
		_ = socket.SetReadDeadline(time.Time{})
		_, _ = socket.WriteToUDPAddrPort([]byte("hi"), socket.LocalAddr().(*net.UDPAddr).AddrPort())
	}()
	if !<-ended {
		t.Error("it has ended, or has another length")
	}
	socket.Close()
	if _, _, open := read(socket, buf[:]); open {
		t.Error("a closed socket is open")
	}
}

// A host is listed for three and a half seconds after its last answer, at the better one of its addresses; hosts beyond
// the 32nd are not listed, and the list is sorted by name.
func TestWhatASearchKeeps(t *testing.T) {
	s := &Search{found: map[uint64]found{}}
	now := time.Now().Add(time.Hour) // Found forgets by the clock
	offer := func(host uint64, name string) Offer {
		return Offer{GameID: "duel", Seats: 2, Name: name, Port: 7717, Host: host}
	}
	at := func() (list []string) {
		for _, o := range s.Found() {
			list = append(list, o.Name+" "+o.Address)
		}
		return list
	}
	s.keep(offer(1, "Cy"), netip.MustParseAddr("2001:db8::1"), now)
	s.keep(offer(1, "Cy"), netip.MustParseAddr("192.168.1.5"), now)
	s.keep(offer(1, "Cy"), netip.MustParseAddr("203.0.113.5"), now)
	s.keep(offer(3, "Bo"), netip.MustParseAddr("fe80::1"), now)
	s.keep(offer(2, "Bo"), netip.MustParseAddr("fe80::1"), now)
	alone := offer(4, "Ada")
	alone.At = "127.0.0.1"
	s.keep(alone, netip.MustParseAddr("192.168.1.5"), now)
	if got := at(); !slices.Equal(got, []string{"Ada 127.0.0.1:7717", "Bo [fe80::1]:7717", "Bo [fe80::1]:7717", "Cy 192.168.1.5:7717"}) || s.Found()[1].Host != 2 {
		t.Errorf("%q", got)
	}
	now = now.Add(3 * time.Second)
	s.keep(offer(1, "Cy"), netip.MustParseAddr("203.0.113.5"), now) // it is still kept, at its better address
	now = now.Add(time.Second)
	s.keep(offer(5, "Di"), netip.MustParseAddr("10.0.0.7"), now)
	s.keep(offer(5, "Di"), netip.MustParseAddr("10.0.0.1"), now) // of two equally good ones, the newer
	if got := at(); !slices.Equal(got, []string{"Cy 192.168.1.5:7717", "Di 10.0.0.1:7717"}) {
		t.Errorf("four seconds later: %q", got)
	}
	for i := range uint64(100) {
		s.keep(offer(10+i, fmt.Sprintf("host %02d", i)), netip.MustParseAddr("10.0.0.9"), now)
	}
	s.keep(offer(5, "Ed"), netip.MustParseAddr("10.0.0.1"), now) // one that is known is kept
	if got := at(); len(got) != maxFound || got[1] != "Ed 10.0.0.1:7717" || got[maxFound-1] != "host 29 10.0.0.9:7717" {
		t.Errorf("of 102: %q", got)
	}
}

// A host that was heard is kept for 3.5 s, and no longer.
func TestHowLongAHostIsKept(t *testing.T) {
	s, now := &Search{found: map[uint64]found{}}, time.Unix(0, 0)
	s.keep(Offer{GameID: "duel", Seats: 2, Port: 7717, Host: 1}, netip.MustParseAddr("10.0.0.1"), now)
	if s.forget(now.Add(3500 * time.Millisecond)); len(s.found) != 1 {
		t.Error("it is forgotten early")
	}
	if s.forget(now.Add(3500*time.Millisecond + 1)); len(s.found) != 0 {
		t.Error("it is kept for longer")
	}
	for ago, want := range map[time.Duration]int{0: 1, time.Hour: 0} { // callers of Found do not see older ones
		s := &Search{found: map[uint64]found{}}
		s.keep(Offer{GameID: "duel", Seats: 2, Port: 7717, Host: 1}, netip.MustParseAddr("10.0.0.1"), time.Now().Add(-ago))
		if n := len(s.Found()); n != want {
			t.Errorf("heard %v ago, and %d are found", ago, n)
		}
	}
}

// A search sends queries to the broadcast address of each network, of the group, of all, and of this machine.
func TestWhereASearchAsks(t *testing.T) {
	var n network
	n.add(netip.MustParsePrefix("192.168.1.5/24"), "one")
	n.add(netip.MustParsePrefix("10.0.0.1/31"), "two") // which has none
	var got []string
	for range 2 { // asking once changes nothing
		got = got[:0]
		for _, a := range n.asked() {
			got = append(got, a.String())
		}
	}
	if want := "192.168.1.255 239.255.84.75 255.255.255.255 127.0.0.1"; strings.Join(got, " ") != want {
		t.Errorf("it asks at %v, want %s", got, want)
	}
}

// A host gives at most 200 answers in a second, however many queries arrive, and as many in the next one.
func TestAnswersAreBounded(t *testing.T) {
	now := time.Now()
	var r rate
	for _, after := range []time.Duration{0, time.Second - 1, time.Second, 2*time.Second - 1, time.Minute} {
		given := 0
		for range 1000 {
			if r.allows(now.Add(after)) {
				given++
			}
		}
		want := 200
		if after == time.Second-1 || after == 2*time.Second-1 {
			want = 0 // those of the second are given
		}
		if given != want {
			t.Errorf("%v after the first one %d are given, want %d", after, given, want)
		}
	}
}

// everywhere is a listener at all addresses.
type everywhere struct{ net.Listener }

func (everywhere) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv6unspecified, Port: 7000} }

// A host that listens at all addresses is found on this machine at the one of loopback, and reports to others no
// address that means nothing to them.
func TestWhereAHostIs(t *testing.T) {
	h := &Host{listener: everywhere{}}
	if got := h.local(); got != netip.MustParseAddrPort("127.0.0.1:7000") {
		t.Errorf("here it is at %v", got)
	}
	for _, text := range h.Addresses() {
		at, err := netip.ParseAddrPort(text)
		if err != nil || at.Port() != 7000 || at.Addr().Is6() && at.Addr().IsLinkLocalUnicast() {
			t.Errorf("others are told %s, %v", text, err)
		}
		if at.Addr().IsLoopback() && len(h.Addresses()) > 1 {
			t.Errorf("others are told %s", text)
		}
	}
	if len(h.Addresses()) == 0 {
		t.Error("others are told nothing")
	}
}

// The ports are those documented for firewalls, and those of earlier versions.
func TestUsualPorts(t *testing.T) {
	if at, err := ParseAddress("192.0.2.1"); err != nil || at != "192.0.2.1:7717" {
		t.Errorf("a host is at %s, %v", at, err)
	}
	if orUsual(0) != 7718 || orUsual(9) != 9 {
		t.Errorf("searches are answered at %d", orUsual(0))
	}
}

// The formats of a query and its answer are frozen: a game of today finds one of tomorrow.
func TestFrozenSearch(t *testing.T) {
	nonce := [nonceSize]byte{'1', '2', '3', '4', '5', '6', '7', '8'}
	if got, want := string(encodeQuestion(nonce)), "tickback-lan-1?12345678"; len(got) != 512 || strings.TrimRight(got, "\x00") != want {
		t.Errorf("the question is %q", got)
	}
	text := `{"game":"duel","seats":2,"port":7717,"host":"9"}`
	if o, ok := decodeAnswer([]byte("tickback-lan-1!12345678"+text), nonce); !ok || o != (Offer{GameID: "duel", Seats: 2, Port: 7717, Host: 9}) {
		t.Errorf("the answer is %+v, %v", o, ok)
	}
}

// Queries are answered 200 times in a second, and invalid ones do not count; a host that listens on loopback only
// answers this machine only.
func TestWhatIsAnswered(t *testing.T) {
	now, elsewhere := time.Unix(1000, 0), netip.MustParseAddr("198.51.100.7")
	question := encodeQuestion([nonceSize]byte{1})
	for at, c := range map[string]struct {
		from netip.Addr
		want int
	}{"": {elsewhere, 200}, "192.0.2.1": {elsewhere, 200}, "127.0.0.1": {elsewhere, 0}, "::1": {elsewhere, 0}} {
		o := sample
		o.At = at
		var r rate
		given := 0
		for range 300 {
			if r.answer(question[:1], c.from, now, func() Offer { return o }) != nil {
				t.Fatal("what is no question is answered")
			}
			if b := r.answer(question, c.from, now, func() Offer { return o }); b != nil {
				given++
			}
		}
		if given != c.want {
			t.Errorf("a host at %q gives %d answers, want %d", at, given, c.want)
		}
	}
}
