package fleet

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// The same seed gives the same run, bit by bit: everything that is sent, when, and
// all events.
func TestASeedIsARun(t *testing.T) {
	digests := map[uint64]bool{}
	seeds := uint64(12)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		for _, players := range few(2, 5, 8, 16) {
			p := drawn(t, seed, All, players, 5*time.Second)
			again := drawn(t, seed, All, players, 5*time.Second)
			if !p.Equal(&again) {
				t.Fatalf("seed %d: two plans", seed)
			}
			a, b := playLedger(t, p), playLedger(t, again)
			if a.Digest != b.Digest || a.Datagrams != b.Datagrams || a.Length != b.Length || a.Frames != b.Frames {
				t.Errorf("seed %d, %d players: %016x after %v, then %016x after %v", seed, players, a.Digest, a.Length, b.Digest, b.Length)
			}
			if digests[a.Digest] {
				t.Errorf("seed %d, %d players: as another run", seed, players)
			}
			digests[a.Digest] = true
		}
	}
	// The negative control: one more byte, once.
	p := calmPlan(2, 200)
	p.Faults = []Fault{{Kind: Talk, At: time.Second, Value: 10}}
	a := playLedger(t, p)
	p.Faults[0].Value++
	if b := playLedger(t, p); a.Digest == b.Digest {
		t.Error("another message, and the same digest")
	}
}

// Over many seeds, plans contain everything; each leaves some of it out; and drawn
// plans are valid, and survive a file.
func TestPlansHaveEverything(t *testing.T) {
	var faults [kinds]int
	profiles := map[string]int{}
	without, crowded, lockstep, rematches := 0, 0, 0, 0
	for seed := range uint64(300) {
		p := drawn(t, seed, All, 2+int(seed)%7, time.Minute)
		if p.Players() != 2+int(seed)%7 {
			t.Fatalf("seed %d: %d players", seed, p.Players())
		}
		profiles[p.Profile]++
		here := [kinds]bool{}
		for _, f := range p.Faults {
			faults[f.Kind]++
			here[f.Kind] = true
		}
		if slices.Contains(here[1:], false) {
			without++
		}
		crowded += btoi(p.Players() > len(p.Machines))
		lockstep += btoi(p.Machines[0].Window == 0)
		rematches += btoi(p.Matches > 1)
		again, err := ParsePlan(p.JSON())
		if err != nil || !again.Equal(&p) {
			t.Fatalf("seed %d: %v\n%v\n%v", seed, err, p, again)
		}
	}
	if i := slices.Index(faults[1:], 0); i >= 0 {
		t.Errorf("no plan has a %v", FaultKind(i+1))
	}
	for _, name := range ProfileNames() {
		if profiles[name] < 20 {
			t.Errorf("%d plans of profile %s", profiles[name], name)
		}
	}
	if without < 250 || crowded < 10 || lockstep < 10 || rematches < 10 {
		t.Errorf("%d leave something out, %d are crowded, %d in lockstep, %d have rematches", without, crowded, lockstep, rematches)
	}
}

// What cannot be is refused by name.
func TestPlansThatCannotBe(t *testing.T) {
	for want, change := range map[string]func(p *Plan){
		"Matches is 0":                      func(p *Plan) { p.Matches = 0 },
		"Frames is 0":                       func(p *Plan) { p.Frames = 0 },
		"Until is":                          func(p *Plan) { p.Until = 48 * time.Hour },
		"TickRate is 0":                     func(p *Plan) { p.TickRate = 0 },
		"DropAfter is":                      func(p *Plan) { p.DropAfter = math.MaxInt64 },
		"HashEvery is 0":                    func(p *Plan) { p.HashEvery = 0 },
		"MaxOrders is":                      func(p *Plan) { p.MaxOrders = 1 << 20 },
		"there are 1 machines":              func(p *Plan) { p.Machines = p.Machines[:1] },
		"there are 1001 faults":             func(p *Plan) { p.Faults = make([]Fault, 1001) },
		"machine 1 has":                     func(p *Plan) { p.Machines[1].Players = 1 },
		"machine 2 has no players":          func(p *Plan) { p.Machines[2].Players = 0 },
		"machine 0: Window is -1":           func(p *Plan) { p.Machines[0].Window = -1 },
		"machine 0: Delay is 100":           func(p *Plan) { p.Machines[0].Delay = 100 },
		"machine 0: Late is":                func(p *Plan) { p.Machines[0].Late = -1 },
		"machine 0: Drift is":               func(p *Plan) { p.Machines[0].Drift = math.MaxInt64 },
		"Link: invalid netem.Link":          func(p *Plan) { p.Link.Loss = 2_000_000 },
		"Links[0] is from machine 9":        func(p *Plan) { p.Links = []Way{{From: 9, To: 1}} },
		"Faults[0] is a FaultKind(77)":      func(p *Plan) { p.Faults = []Fault{{Kind: 77}} },
		"Faults[0] is at":                   func(p *Plan) { p.Faults = []Fault{{Kind: Stall, At: math.MaxInt64}} },
		"Faults[0] is about machines":       func(p *Plan) { p.Faults = []Fault{{Kind: Stall, Machine: -1}} },
		"Faults[0] kicks machine 0":         func(p *Plan) { p.Faults = []Fault{{Kind: Kick}} },
		"Faults[0] is a return":             func(p *Plan) { p.Faults = []Fault{{Kind: Return}} },
		"machine 1 joins":                   func(p *Plan) { p.Machines[1].Joins = true },
		"QuorumTimeout is":                  func(p *Plan) { p.QuorumTimeout = -1 },
		"Faults[0] cuts the way":            func(p *Plan) { p.Faults = []Fault{{Kind: OneWay}} },
		"a message of 0 bytes":              func(p *Plan) { p.Faults = []Fault{{Kind: Talk}} },
		"a delay of -1 frames":              func(p *Plan) { p.Faults = []Fault{{Kind: SetDelay, Value: -1}} },
		"a detour of -1 ms":                 func(p *Plan) { p.Faults = []Fault{{Kind: Detour, Value: -1}} },
		"frame -1":                          func(p *Plan) { p.Faults = []Fault{{Kind: Desync, Value: -1}} },
		"a clock jumps by 3600001 ms":       func(p *Plan) { p.Faults = []Fault{{Kind: Clock, Value: 3_600_001}} },
		"a replay of kind 4":                func(p *Plan) { p.Faults = []Fault{{Kind: Replay, Value: 4}} },
		"101 datagrams before a crash":      func(p *Plan) { p.Faults = []Fault{{Kind: Crash, Value: 101}} },
		"a restart of kind 2":               func(p *Plan) { p.Faults = []Fault{{Kind: Restart, Value: 2}} },
		"a restart of a machine that joins": func(p *Plan) { p.Faults = []Fault{{Kind: Restart}} },
		"frame 0 of match 2 of 1":           func(p *Plan) { p.Faults = []Fault{{Kind: Kill, Match: 2}} },
		"frame 7 of match 0 of 1":           func(p *Plan) { p.Faults = []Fault{{Kind: Kill, Frame: 7}} },
		"a desync, is at frame":             func(p *Plan) { p.Faults = []Fault{{Kind: Desync, Match: 1}} },
	} {
		p := calmPlan(3, 60)
		change(&p)
		err := p.Validate()
		if !errors.Is(err, ErrPlan) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := ParsePlan(p.JSON()); err == nil {
			t.Errorf("a file with %q is read", want)
		}
		if _, err := Play(ledgerGame(nil), p, Options[ledger, note]{}); err == nil {
			t.Errorf("a plan with %q is played", want)
		}
	}
	for _, c := range []struct {
		profile string
		players int
		length  time.Duration
	}{{"lan", 1, time.Minute}, {"lan", 17, time.Minute}, {"lan", 2, 0}, {"lan", 2, 100 * time.Hour}, {"moon", 2, time.Minute}} {
		if _, err := Draw(1, c.profile, c.players, c.length); err == nil {
			t.Errorf("%+v is drawn", c)
		}
	}
}

// The text of a plan names everything in it.
func TestAPlanIsText(t *testing.T) {
	p := calmPlan(3, 60)
	p.Faults = []Fault{
		{Kind: Partition, At: time.Second, For: time.Second, Side: 0b101},
		{Kind: OneWay, Machine: 1, Other: 2, For: time.Second},
		{Kind: Move, Machine: 2},
		{Kind: Desync, Machine: 1, Value: 7},
		{Kind: Detour, Value: 30},
	}
	p.Links = []Way{{0, 2, p.Link}}
	for _, want := range []string{
		"3 players on 3 machines", "machine 2: player 2, window 8", "link 0 to 2: 30ms", "partition: machines 0+2 and the others for 1s",
		"from machine 1 to machine 2", "move: machine 2", "machine 1 simulates frame 7 twice", "30 ms longer",
	} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("no %q in\n%v", want, p)
		}
	}
}

func TestAnEmptyFileIsSaidToBeEmpty(t *testing.T) {
	for _, text := range []string{"", " \n"} {
		if _, err := ParsePlan([]byte(text)); !errors.Is(err, ErrPlan) || !strings.Contains(err.Error(), "the file is empty") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A file of a plan is trusted in nothing.
func FuzzParsePlan(f *testing.F) {
	for seed := range uint64(4) {
		p, err := Draw(seed, All, 3, time.Minute)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(p.JSON())
	}
	f.Add([]byte(`{"Seed":1} {}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParsePlan(b)
		if err != nil {
			if !errors.Is(err, ErrPlan) {
				t.Fatal(err)
			}
			return
		}
		again, err := ParsePlan(p.JSON())
		if err != nil || again.String() != p.String() {
			t.Fatalf("%v\n%v\n%v", err, p, again)
		}
		p.network().mayLose() // and what a run would ask of it
		newDirector(&p)
	})
}
