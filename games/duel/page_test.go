package duel_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/internal/page"
)

const pageName = "../../docs/reference/duel.md"

// number reads a number of the page.
func number(t testing.TB, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// checkConstants: the page has all the constants that the package exports, and no others, and says which of them are
// only for display.
func checkConstants(t *testing.T, p *page.Page) {
	declared, listed := page.Constants(t, ".", nil), 0
	rules := source(t, "step.go") + source(t, "state.go")
	var shown []string
	for _, row := range p.Table("Constants", "constant", "value", "unit", "file", "meaning") {
		c, is := declared[row[0]]
		if !is || c.Value != row[1] || c.File != row[3] {
			t.Errorf("%s: the page has %s in %s, and the code %v", row[0], row[1], row[3], c)
		}
		if listed++; row[3] == "rules.go" && !regexp.MustCompile(`\b`+row[0]+`\b`).MatchString(rules) {
			shown = append(shown, "`"+row[0]+"`")
		}
	}
	for name, c := range declared {
		if name[0] >= 'A' && name[0] <= 'Z' && c.File != "bot.go" {
			listed--
		}
	}
	if listed != 0 {
		t.Errorf("the page has %+d constants more than the code", listed)
	}
	last := len(shown) - 1
	p.Says("Constants", "No rule reads %s and %s:", strings.Join(shown[:last], ", "), shown[last])
}

func source(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// scalars returns the fields of the state in the page's layout, with their initial values, and the total size in bytes.
func scalars(t *testing.T, p *page.Page, seed string) (values []string, width []int, size int) {
	t.Helper()
	add := func(base int, row []string, value string) {
		if at := int(number(t, row[0])) + base; at != size {
			t.Errorf("%s: the page has it at %d, and what is before it ends at %d", row[2], at, size)
		}
		n := int(number(t, row[1]))
		if bits := map[string]int{"uint32": 4, "int32": 4, "int8": 1, "uint8": 1}[row[3]]; bits != n {
			t.Errorf("%s: %s has not %d bytes", row[2], row[3], n)
		}
		values, width, size = append(values, value), append(width, n), size+n
	}
	fighter := p.Table("The state", "offset", "bytes", "field", "type", "player 1", "player 2", "meaning")
	player := 4
	for _, row := range p.Table("The state", "offset", "bytes", "field", "type", "at the start", "meaning") {
		if row[3] != "fighter" {
			add(0, row, map[string]string{"0": "0", "the seed": seed}[row[4]])
			continue
		}
		base := size
		if number(t, row[0]) != uint64(base) {
			t.Errorf("%s begins at %d", row[2], base)
		}
		for _, field := range fighter {
			add(base, field, field[player])
		}
		if player++; uint64(size-base) != number(t, row[1]) {
			t.Errorf("%s has %d bytes", row[2], size-base)
		}
	}
	return values, width, size
}

// checkState: an encoder written only from the page encodes state 0 like canon, and gets the same checksum.
func checkState(t *testing.T, p *page.Page) {
	plan, err := canon.PlanFor[duel.State]()
	if err != nil {
		t.Fatal(err)
	}
	p.Says("The state", "%d bytes without gaps", plan.Size())
	p.Says("The state", "Seed 0 is refused")
	constants := page.Constants(t, "../../canon", nil)
	block := p.Code("The checksum", "")
	for _, line := range []string{"h = " + constants["fnvOffset"].Value, "h = h * " + constants["fnvPrime"].Value + " "} {
		if !strings.Contains(block, line) {
			t.Errorf("the checksum is not %q", line)
		}
	}
	var b []byte
	for _, row := range p.Table("The hash", "seed", "checksum", "hash") {
		values, width, size := scalars(t, p, row[0])
		b = b[:0]
		sum := uint32(number(t, constants["fnvOffset"].Value))
		for i, value := range values {
			v, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			for k := range width[i] {
				b = append(b, byte(v>>(8*k)))
			}
			sum = (sum ^ uint32(v)) * uint32(number(t, constants["fnvPrime"].Value))
		}
		s := run(t, uint32(number(t, row[0])), nil, 0)
		want(t, "bytes of the state", fmt.Sprintf("%x", b), fmt.Sprintf("%x", plan.Append(nil, &s)))
		want(t, "size of the state", size, plan.Size())
		want(t, "checksum by the page", uint64(sum), number(t, row[1]))
		want(t, "checksum", uint64(duel.Checksum(&s)), number(t, row[1]))
		want(t, "hash", plan.Hash(&s), number(t, row[2]))
		checkFields(t, plan, s, width)
	}
	text := strings.Join(strings.Fields(p.Code("The hash", "hex")), "")
	want(t, "the bytes on the page", strings.ToLower(text), hex.EncodeToString(b))
}

// checkFields: changing any one field changes the checksum; and the fields are where the page says. (A change of the
// highest bits of two fields at once would cancel out.)
func checkFields(t *testing.T, plan *canon.Plan[duel.State], s duel.State, width []int) {
	at := 0
	for i, n := range width {
		b := plan.Append(nil, &s)
		for k := range n {
			for _, change := range []byte{1, 0x80, 0xFF} {
				b[at+k] ^= change
				var other duel.State
				if err := plan.Decode(&other, b); err != nil {
					t.Fatal(err)
				}
				if r := plan.Diff(&s, &other, 2); r.Total != 1 || duel.Checksum(&s) == duel.Checksum(&other) {
					t.Errorf("field %d: %v, checksums 0x%08X and 0x%08X", i, r, duel.Checksum(&s), duel.Checksum(&other))
				}
			}
		}
		at += n
	}
	both := s
	both.P[0].X ^= math.MinInt32
	if both.P[1].Hp ^= math.MinInt32; duel.Checksum(&both) != duel.Checksum(&s) {
		t.Error("the highest bits of two fields do not cancel each other out")
	}
}

// checkStep: the page has all the code of the reference, in the same order.
func checkStep(t *testing.T, p *page.Page) {
	_, body, _ := strings.Cut(source(t, "reference_test.go"), "\nfunc reference(")
	body, _, ok := strings.Cut("func reference("+body, "\n// drawFighter ")
	if !ok {
		t.Fatal("the reference is not where it was")
	}
	var code, shown strings.Builder
	for line := range strings.Lines(body) {
		if !strings.HasPrefix(line, "//") {
			code.WriteString(line)
		}
	}
	titles := p.Titles()
	first, end := slices.Index(titles, "The step"), slices.Index(titles, "Timers")
	for _, title := range titles[first:end] {
		shown.WriteString(p.Code(title, "go"))
	}
	got, want := strings.Fields(shown.String()), strings.Fields(code.String())
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("the page and the reference part at %q and %q",
				strings.Join(got[i:min(i+9, len(got))], " "), strings.Join(want[i:min(i+9, len(want))], " "))
		}
	}
	for _, row := range p.Table("Timers", "timer", "set in", "to", "runs down in", "at zero") {
		if !strings.Contains(body, "f."+row[0]+"--") {
			t.Errorf("there is no timer %s", row[0])
		}
	}
}

// The page of the duel describes the code: each of its figures is compared with the code or computed again, and no
// figure is left out.
func TestThePageOfTheDuelIsTrue(t *testing.T) {
	p := page.Open(t, pageName)
	checkConstants(t, p)
	checkState(t, p)
	checkStep(t, p)
	checkConsequences(t, p)
	checkPredictions(t, p)
	checkScripts(t, p)
	checkScenes(t, p)
	checkMatches(t, p)
	p.Says("The end", "somebody's health is 0")
	p.Loose([]string{
		"player 1", "Player 1", "player 2", "State 0", "state 0", "state f + 1", "seed 1", "FNV-1a", "XXH3-64, with seed 0",
		"uint16", "32-bit integers", "xorshift32", "RBN1", "64-bit product",
		"`Won1`", "`Won2`", "`A/15`", "`L/R 20`",
	})
}
