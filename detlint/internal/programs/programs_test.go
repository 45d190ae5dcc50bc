package programs_test

import (
	"flag"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint/internal/programs"
	"github.com/tickback/tickback/detlint/internal/rules"
)

var (
	many = flag.Int("programs", 200, "how many programs are examined")
	seed = flag.Uint64("seed", 1, "the first of their seeds")
)

// missedAtMost and accusedAtMost are the shares, per thousand programs, that the test lets pass. They are goals, far
// above what is measured, since other seeds draw other programs.
const (
	missedAtMost  = 5
	accusedAtMost = 5
)

// Rule: in programs of the shapes in which people write games, nearly all flaws are found, and hardly any twin is
// accused, whatever is drawn.
func TestFlawsAreFoundAndTwinsAreNot(t *testing.T) {
	if testing.Short() {
		t.Skip("it examines some hundred programs")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	c, err := programs.NewChecker(root)
	if err != nil {
		t.Fatal(err)
	}
	var missed, accused []string
	for i := range uint64(*many) {
		p := programs.Make(*seed + i)
		v, err := c.Check(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Flawed) == 0 {
			missed = append(missed, p.String())
		}
		if len(v.Twin) > 0 {
			accused = append(accused, p.String()+": "+v.Twin[0].Text)
		}
	}
	t.Logf("%d programs from seed %d: %d missed, %d twins accused\n%s\n--\n%s", *many, *seed, len(missed), len(accused), strings.Join(missed, "\n"), strings.Join(accused, "\n"))
	if limit := 4 + *many*missedAtMost/1000; len(missed) > limit {
		t.Errorf("more than %d are missed", limit)
	}
	if limit := 4 + *many*accusedAtMost/1000; len(accused) > limit {
		t.Errorf("more than %d twins are accused", limit)
	}
}

var left = regexp.MustCompile(`[«¦»]|BODY|\$[A-Z]`)

// Rule: a seed makes the same program each time, and its two halves differ.
func TestSeedsMakeTheSame(t *testing.T) {
	flaws := map[string]bool{}
	for seed := range uint64(500) {
		p, again := programs.Make(seed), programs.Make(seed)
		bad := p.Sources("m", "main", true)
		if !slices.Equal(bad, again.Sources("m", "main", true)) {
			t.Fatalf("seed %d makes two programs", seed)
		}
		if slices.Equal(bad, p.Sources("m", "main", false)) {
			t.Errorf("%v has equal halves", p)
		}
		for _, x := range bad {
			if left.MatchString(x.Source) {
				t.Fatalf("%v has something that was not replaced:\n%s", p, x.Source)
			}
		}
		for _, r := range p.Rules {
			if rules.Get(r) == nil {
				t.Errorf("%v: there is no rule %q", p, r)
			}
		}
		flaws[p.Flaw] = true
	}
	if len(flaws) < 180 {
		t.Errorf("there are %d flaws: %v", len(flaws), slices.Sorted(maps.Keys(flaws)))
	}
}
