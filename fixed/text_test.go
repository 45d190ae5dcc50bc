package fixed

import (
	"encoding"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var (
	_ encoding.TextAppender    = Num(0)
	_ encoding.TextMarshaler   = Num(0)
	_ encoding.TextUnmarshaler = (*Num)(nil)
	_ json.Marshaler           = Num(0)
	_ json.Unmarshaler         = (*Num)(nil)
)

// Rule: String is the exact decimal expansion, without trailing zeros.
func TestStringIsExact(t *testing.T) {
	for n, want := range map[Num]string{
		0:          "0",
		3 * One:    "3",
		-2 * One:   "-2",
		One + Half: "1.5",
		-Half:      "-0.5",
		-1:         "-0.0000152587890625",
		One / 4:    "0.25",
		100 * One:  "100",
		Max:        "140737488355327.9999847412109375",
		Min:        "-140737488355328",
		Min + 1:    "-140737488355327.9999847412109375",
	} {
		if got := n.String(); got != want {
			t.Errorf("Num(%d).String() = %q, want %q", int64(n), got, want)
		}
	}
	if got := (Vec2{One + Half, -2 * One}).String(); got != "(1.5, -2)" {
		t.Errorf("Vec2.String() = %q", got)
	}
}

// Rule: the text equals the value exactly, fits the buffer it is made in, and
// reads back as the same Num, through every pair of methods.
func TestTextRoundTrips(t *testing.T) {
	check(t, func(t *rapid.T) {
		n := anyNum().Draw(t, "n")
		s := n.String()
		if r, ok := new(big.Rat).SetString(s); !ok || r.Cmp(big.NewRat(int64(n), int64(One))) != 0 {
			t.Fatalf("text %q is not raw %d", s, int64(n))
		}
		if len(s) > maxTextLen {
			t.Fatalf("text %q is longer than %d", s, maxTextLen)
		}
		if got, err := Parse(s); got != n || err != nil {
			t.Fatalf("Parse(%q) = raw %d, %v", s, int64(got), err)
		}
		appended, _ := n.AppendText([]byte("n="))
		text, _ := n.MarshalText()
		if string(appended) != "n="+s || string(text) != s {
			t.Fatalf("AppendText %q, MarshalText %q, String %q", appended, text, s)
		}
		var back Num
		if err := back.UnmarshalText(text); back != n || err != nil {
			t.Fatalf("UnmarshalText(%q) = %v, %v", text, back, err)
		}
	})
}

// Rule: JSON carries a Num as a string of its exact decimal value, in structs
// and as a map key, and reads it back from a string or a number.
func TestJSONRoundTrips(t *testing.T) {
	type state struct {
		Pos  Vec2
		Best *Num
		Tab  map[Num]Num
	}
	best := Max
	in := state{Vec2{One + Half, Min}, &best, map[Num]Num{-Half: 7 * One}}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"Pos":{"X":"1.5","Y":"-140737488355328"},` +
		`"Best":"140737488355327.9999847412109375","Tab":{"-0.5":"7"}}`
	if string(data) != want {
		t.Errorf("got %s\nwant %s", data, want)
	}
	var out state
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, out); diff != "" {
		t.Error(diff)
	}
	var list []Num
	if err := json.Unmarshal([]byte(`[1.5, -2, "3", null, 0.00001]`), &list); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Num{One + Half, -2 * One, 3 * One, 0, 1}, list); diff != "" {
		t.Error(diff)
	}
}

// Rule: an error leaves the receiver unchanged, and so does null.
func TestUnmarshalErrorKeepsTheReceiver(t *testing.T) {
	for text, want := range map[string]error{
		`"x"`: ErrSyntax, `1e3`: ErrSyntax, `"1`: ErrSyntax, `"`: ErrSyntax, `""`: ErrSyntax,
		`true`: ErrSyntax, `999999999999999`: ErrRange, `"-1e9"`: ErrSyntax, `null`: nil,
	} {
		n := Pi
		if err := n.UnmarshalJSON([]byte(text)); !errors.Is(err, want) || n != Pi {
			t.Errorf("UnmarshalJSON(%s): n = %v, error %v, want %v", text, n, err, want)
		}
	}
	n := Pi
	if err := n.UnmarshalText([]byte("140737488355328")); !errors.Is(err, ErrRange) || n != Pi {
		t.Errorf("UnmarshalText: n = %v, error %v", n, err)
	}
}

// Rule: an error names the text, but never more than 40 bytes of it.
func TestParseErrorsNameTheText(t *testing.T) {
	_, err := Parse("1,5")
	if want := `fixed: parse "1,5": not a decimal number such as -1.5`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = Parse(strings.Repeat("9", 1<<20))
	if !errors.Is(err, ErrRange) || len(err.Error()) > 200 || !strings.Contains(err.Error(), "(1048576 bytes)") {
		t.Errorf("got %v", err)
	}
}
