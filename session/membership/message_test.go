package membership

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// maxMessage is the maximum size of a message, in bytes: a claim with every field set.
const (
	maxSet     = 2
	maxGate    = maxSet + 8 + 4
	maxClaim   = 3*maxSet + 4*maxPlayers + maxSet + (maxSet+8)*maxPlayers + 1 + 4 + maxSet + 2 + 1 + maxGate + 1 + maxGate
	maxMessage = 5 + maxClaim
)

func someMessages() []message {
	full := claim{accused: 1, stopped: 1<<maxPlayers - 1, whole: 1<<maxPlayers - 1, wishes: wishes{leaving: true, leave: 9, kick: 2, pause: true, resume: true}}
	full.intent = intent{Join, 8, gate{newcomer{8, 7}, 99}}
	full.gate = gate{newcomer{8, 7}, 100}
	for p := range full.ready {
		full.ready[p], full.held[p] = newcomer{1 << p, 1 << 60}, Frame(p)
	}
	list := []message{
		{what: tellClaim},
		{what: tellClaim, slot: 1 << 31, claim: full},
		{what: tellClaim, claim: claim{intent: intent{kind: Drop, players: 6}}},
		{what: tellPrepare, slot: 3, ballot: newBallot(1, 1)},
		{what: tellPromise, slot: 3, ballot: newBallot(2, 3)},
		{what: tellRefuse, slot: 3, ballot: newBallot(1, 1), previous: newBallot(2, 1)},
	}
	for _, e := range someEntries() {
		list = append(list, message{what: tellPromise, slot: 3, ballot: newBallot(2, 3), previous: newBallot(1, 1), entry: e},
			message{what: tellAccept, ballot: newBallot(1, 0), entry: e}, message{what: tellAccepted, ballot: newBallot(1, 0), entry: e}, message{what: tellChosen, slot: 6, entry: e})
	}
	return list
}

// A message is decoded as it was encoded; cut at any length, or with more bytes after it, it
// is refused.
func TestMessagesAreWholeOrNone(t *testing.T) {
	longest := 0
	for _, want := range someMessages() {
		b := want.append(nil, ofAll)
		longest = max(longest, len(b))
		if got, err := parse(b, ofAll); err != nil || got != want {
			t.Errorf("%+v is read as %+v: %v", want, got, err)
		}
		for i := range b {
			if _, err := parse(b[:i], ofAll); !errors.Is(err, errMalformed) {
				t.Errorf("%d bytes of %+v: %v", i, want, err)
			}
		}
		if _, err := parse(append(b, 0), ofAll); !errors.Is(err, errMalformed) {
			t.Errorf("a byte more than %+v: %v", want, err)
		}
	}
	if longest != maxMessage {
		t.Errorf("the longest message has %d bytes, and maxMessage is %d", longest, maxMessage)
	}
}

// A message that names players that the match does not have is invalid, wherever it names
// them.
func TestMessagesAreAboutPlayersOfTheMatch(t *testing.T) {
	const other = PlayerSet(1 << 9)
	sets := datagram.SetsOf(9)
	for name, m := range map[string]message{
		"accused":  {claim: claim{accused: other}},
		"stopped":  {claim: claim{stopped: other}},
		"whole":    {claim: claim{whole: other}},
		"ready":    {claim: claim{ready: [maxPlayers]newcomer{9: {other, 1}}}},
		"newcomer": {claim: claim{ready: [maxPlayers]newcomer{0: {other | 1, 1}}}},
		"kick":     {claim: claim{wishes: wishes{kick: other}}},
		"intent":   {claim: claim{intent: intent{kind: Kick, players: other}}},
		"opening":  {claim: claim{intent: intent{Join, other, gate{newcomer{other, 1}, 1}}}},
		"gate":     {claim: claim{gate: gate{newcomer{other, 1}, 1}}},
		"entry":    {what: tellChosen, entry: Entry{Kind: Leave, Players: other}},
		"cuts":     {what: tellChosen, entry: Entry{Kind: Drop, Players: other | 1}},
	} {
		if got, err := parse(m.append(nil, ofAll), ofAll); err != nil || got != m {
			t.Errorf("%s: in a larger match it is %+v, %v", name, got, err)
		}
		if _, err := parse(m.append(nil, sets), sets); !errors.Is(err, errMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, s := range map[string]LogState{
		"member": Begin([]PlayerSet{1, other}, 0),
		"paused": {Paused: true, PausedBy: other},
	} {
		if _, _, err := ConsumeState(s.Append(nil, sets), sets); !errors.Is(err, errMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A decoded message is encoded again in the same way.
func FuzzMessage(f *testing.F) {
	for _, m := range someMessages() {
		f.Add(m.append(nil, ofAll))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parse(b, ofAll)
		if err != nil {
			if !errors.Is(err, errMalformed) {
				t.Fatal(err)
			}
			return
		}
		if again := m.append(nil, ofAll); !bytes.Equal(again, b) {
			t.Fatalf("% x, not % x", again, b)
		}
	})
}

// Whatever a member or a stranger sends, a core stays consistent, its memory is bounded, and
// it reports errors in one of three ways.
func FuzzReceive(f *testing.F) {
	for i, m := range someMessages() {
		f.Add(m.append(nil, ofAll), uint8(i))
		m.slot = 0
		f.Add(m.append(nil, ofAll), uint8(2))
	}
	f.Fuzz(func(t *testing.T, b []byte, who uint8) {
		n := newTrio()
		c := n[0].core
		for len(b) > 0 {
			size := min(len(b), 1+int(b[0]))
			err := c.Receive(PlayerSet(who), b[1:size])
			if err != nil && !errors.Is(err, errMalformed) && !errors.Is(err, errImpossible) && !errors.Is(err, errConflict) {
				t.Fatal(err)
			}
			b = b[size:]
			total := 0
			for _, m := range c.Outgoing() {
				if _, err := parse(m, ofAll); err != nil {
					t.Fatalf("it sends what cannot be read: % x", m)
				}
				total++
			}
			if s := c.State(); total > 100 || len(c.log.kept) > keep || !s.sound() {
				t.Fatalf("%d messages, %d entries, %+v", total, len(c.log.kept), s)
			}
		}
	})
}
