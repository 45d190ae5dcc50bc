package webrtc

import (
	"strings"
	"testing"
)

// FuzzSignal: an accepted signal keeps every limit.
func FuzzSignal(f *testing.F) {
	f.Add((&message{Kind: sayHello, From: "x", Want: true}).encode())
	f.Add((&message{Kind: sayOffer, From: "x", To: "y", Attempt: 1, SDP: "v=0\r\n"}).encode())
	f.Add((&message{Kind: sayCandidate, From: "x", Attempt: 3, Candidate: &candidate{Text: "candidate:1", Mid: new("0"), Line: new(uint16(0))}}).encode())
	f.Fuzz(func(t *testing.T, text string) {
		m, err := decodeSignal(text)
		if err != nil {
			return
		}
		if m.From == "" || len(m.SDP) > maxSDP || m.Kind == sayCandidate && !m.Candidate.bounded() || m.Kind != sayHello && m.Attempt == 0 {
			t.Fatalf("%+v", m)
		}
	})
}

// A signal is accepted when it names its sender, its attempt, and its content: each up to
// its length, and with every part that it needs.
func TestWhichSignalsAreTaken(t *testing.T) {
	way := &candidate{Text: "candidate:1"}
	text := func(n int) string { return strings.Repeat("x", n) }
	for what, c := range map[string]struct {
		m    message
		want bool
	}{
		"a hello":                         {message{Kind: sayHello, From: "x"}, true},
		"a hello of nobody":               {message{Kind: sayHello}, false},
		"of a name of 32 bytes":           {message{Kind: sayHello, From: text(32)}, true},
		"of a longer name":                {message{Kind: sayHello, From: text(33)}, false},
		"to a name of 32 bytes":           {message{Kind: sayHello, From: "x", To: text(32)}, true},
		"to a longer name":                {message{Kind: sayHello, From: "x", To: text(33)}, false},
		"an offer":                        {message{Kind: sayOffer, From: "x", Attempt: 1, SDP: "v=0"}, true},
		"an offer of no attempt":          {message{Kind: sayOffer, From: "x", SDP: "v=0"}, false},
		"an offer of nothing":             {message{Kind: sayOffer, From: "x", Attempt: 1}, false},
		"an offer of nobody":              {message{Kind: sayOffer, Attempt: 1, SDP: "v=0"}, false},
		"an answer":                       {message{Kind: sayAnswer, From: "x", Attempt: 1, SDP: text(12288)}, true},
		"an answer that is too long":      {message{Kind: sayAnswer, From: "x", Attempt: 1, SDP: text(12289)}, false},
		"an answer of no attempt":         {message{Kind: sayAnswer, From: "x", SDP: "v=0"}, false},
		"a way":                           {message{Kind: sayCandidate, From: "x", Attempt: 1, Candidate: way}, true},
		"a way of no attempt":             {message{Kind: sayCandidate, From: "x", Candidate: way}, false},
		"a way of nobody":                 {message{Kind: sayCandidate, Attempt: 1, Candidate: way}, false},
		"a way of 1024 bytes":             {message{Kind: sayCandidate, From: "x", Attempt: 1, Candidate: &candidate{Text: text(1000), Mid: new(text(14)), Fragment: new(text(10))}}, true},
		"a way with more text":            {message{Kind: sayCandidate, From: "x", Attempt: 1, Candidate: &candidate{Text: text(1001), Mid: new(text(14)), Fragment: new(text(10))}}, false},
		"a way with a longer middle":      {message{Kind: sayCandidate, From: "x", Attempt: 1, Candidate: &candidate{Text: text(1000), Mid: new(text(15)), Fragment: new(text(10))}}, false},
		"a way with a longer end":         {message{Kind: sayCandidate, From: "x", Attempt: 1, Candidate: &candidate{Text: text(1000), Mid: new(text(14)), Fragment: new(text(11))}}, false},
		"no way":                          {message{Kind: sayCandidate, From: "x", Attempt: 1}, false},
		"no way of nobody, of no attempt": {message{Kind: sayCandidate}, false},
		"what nobody knows":               {message{Kind: "wave", From: "x"}, false},
	} {
		text := c.m.encode()
		if _, err := decodeSignal(text); (err == nil) != c.want {
			t.Errorf("%s: %.80s: %v", what, text, err)
		}
	}
}

// A signal is decoded up to its maximum length, and no further.
func TestHowLongASignalMayBe(t *testing.T) {
	hello := (&message{Kind: sayHello, From: "x"}).encode()
	for n, want := range map[int]bool{MaxSignal: true, MaxSignal + 1: false} {
		if _, err := decodeSignal(hello + strings.Repeat(" ", n-len(hello))); (err == nil) != want {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// A signal has up to 16,384 bytes, as many as a room carries.
func TestHowLongASignalIs(t *testing.T) {
	text := (&message{Kind: sayHello, From: "x"}).encode()
	for size, want := range map[int]bool{16384: true, 16385: false} {
		if _, err := decodeSignal(text + strings.Repeat(" ", size-len(text))); (err == nil) != want {
			t.Errorf("of %d bytes: %v", size, err)
		}
	}
}
