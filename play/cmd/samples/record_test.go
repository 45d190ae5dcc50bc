package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/play/samples"
	"github.com/tickback/tickback/play/theatre"
)

// most is the maximum size of a sample: all of them are part of the page.
const most = 12_000

// The samples are those that the current rules produce from their seeds. If this fails after a change of the rules, run
// "go run ./play/cmd/samples" in the root.
func TestTheSamplesAreOfTodaysRules(t *testing.T) {
	for _, name := range samples.Names {
		kept, err := samples.File(name)
		if err != nil {
			t.Fatal(err)
		}
		made, err := record(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(kept, made) {
			t.Errorf("%s has %d bytes, and is made with %d others", name, len(kept), len(made))
		}
		if len(kept) > most {
			t.Errorf("%s has %d bytes, more than %d", name, len(kept), most)
		}
	}
}

// The duel and the brawl can be verified; the machine that counts differently is named, with frame and field.
func TestTheSamplesVerify(t *testing.T) {
	for i, want := range []string{theatre.Verified, theatre.Verified, "frame 300 does not lead to the state that was recorded"} {
		b, err := samples.File(samples.Names[i])
		if err != nil {
			t.Fatal(err)
		}
		o := theatre.Open(samples.Names[i], b)
		for !o.Work(time.Second) {
		}
		f, err := o.File()
		if err != nil {
			t.Fatal(err)
		}
		v := f.Verify()
		for !v.Work(time.Second) {
		}
		if got := v.Text(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", samples.Names[i], got, want)
		} else {
			t.Logf("%s: %s %s", samples.Names[i], got, v.Details())
		}
	}
}
