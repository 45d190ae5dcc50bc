package fixed

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Rule: exactly the documented syntax is accepted.
func TestParseSyntax(t *testing.T) {
	for _, s := range []string{
		"", "-", "+", ".", ".5", "5.", "1..2", "1.2.3", "--1", "+-1", "1-", "1e5", "0x10",
		" 1", "1 ", "1_000", "NaN", "inf", "1,5", "-.5", "١", "1.5x", "1.\x00",
	} {
		if got, err := Parse(s); !errors.Is(err, ErrSyntax) || got != 0 {
			t.Errorf("Parse(%q) = %v, %v", s, got, err)
		}
	}
	for s, want := range map[string]Num{
		"0": 0, "-0": 0, "+1.5": One + Half, "-000.2500": -One / 4, "007": 7 * One,
		"3.14159265358979323846264338327950288": Pi,
	} {
		if got, err := Parse(s); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
}

// Rule: ties go away from zero, however far right the digit that makes or breaks
// one stands.
func TestParseRoundsToNearest(t *testing.T) {
	const tie = "0.00000762939453125" // 2^-17, half an ulp
	below := "0.00000762939453124" + strings.Repeat("9", 5000)
	for s, want := range map[string]Num{
		tie: 1, "-" + tie: -1, below: 0, "-" + below: 0,
		tie + strings.Repeat("0", 5000): 1, tie + strings.Repeat("0", 5000) + "1": 1,
		"0.00002288818359375": 2, "0.00002288818359374": 1,
		"0." + strings.Repeat("9", 5000): One, "-0.99999999": -One,
	} {
		if got, err := Parse(s); err != nil || got != want {
			t.Errorf("Parse(%.40q) = raw %d, %v, want %d", s, got, err, want)
		}
	}
}

// Rule: out of range means that the nearest Num would be; the result is the end
// of the range.
func TestParseSaturates(t *testing.T) {
	for _, c := range []struct {
		s    string
		want Num
		err  error
	}{
		{"140737488355327.9999847412109375", Max, nil},
		{"140737488355327.99999237", Max, nil},
		{"140737488355327.99999237060546875", Max, ErrRange},
		{"140737488355328", Max, ErrRange},
		{"-140737488355328", Min, nil},
		{"-140737488355328.0000076", Min, nil},
		{"-140737488355328.00000762939453125", Min, ErrRange},
		{"-140737488355329", Min, ErrRange},
		{"1" + strings.Repeat("0", 10000) + ".5", Max, ErrRange},
		{"-18446744073709551616", Min, ErrRange},
	} {
		if got, err := Parse(c.s); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("Parse(%.40q) = raw %d, %v, want %d, %v", c.s, got, err, c.want, c.err)
		}
	}
}

// Rule: Parse agrees with exact rational arithmetic.
func TestParseIsNearest(t *testing.T) {
	check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[-+]?[0-9]{1,16}(\.[0-9]{1,40})?`).Draw(t, "s")
		got, err := Parse(s)
		if msg := compareParse(s, got, err); msg != "" {
			t.Fatal(msg)
		}
	})
}

// compareParse checks an accepted or out of range text against big.Rat, and
// returns what is wrong.
func compareParse(s string, got Num, err error) string {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return "big.Rat rejects " + s
	}
	raw := nearest(shl(r.Num()), r.Denom())
	if want := clampBig(raw); got != want {
		return "Parse(" + s + ") = " + got.String() + ", want " + want.String()
	}
	if errors.Is(err, ErrRange) == raw.IsInt64() {
		return "Parse(" + s + "): range error is wrong"
	}
	return ""
}

// Rule: MustParse panics where Parse fails.
func TestMustParsePanics(t *testing.T) {
	if MustParse("-0.5") != -Half {
		t.Error("MustParse(-0.5) is wrong")
	}
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, ErrSyntax) {
			t.Errorf("recovered %v", err)
		}
	}()
	MustParse("half")
}

// FuzzParse: no text panics; what is accepted is the nearest Num and survives
// its own text; what is rejected is not of the documented form.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"0", "-1.5", "0.00000762939453125", "140737488355327.99999237"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := Parse(s)
		if errors.Is(err, ErrSyntax) {
			if isDecimal(s) {
				t.Fatalf("rejects %q", s)
			}
			return
		}
		if !isDecimal(s) {
			t.Fatalf("accepts %q", s)
		}
		if msg := compareParse(s, n, err); msg != "" {
			t.Fatal(msg)
		}
		if back, err := Parse(n.String()); back != n || err != nil {
			t.Fatalf("%q: raw %d reads back as %d, %v", s, int64(n), int64(back), err)
		}
	})
}

// isDecimal is the documented syntax, said another way.
func isDecimal(s string) bool {
	s = strings.Replace(s, "-", "+", 1)
	s, _ = strings.CutPrefix(s, "+")
	whole, frac, point := strings.Cut(s, ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return digits(whole) && (!point || digits(frac))
}
