package world

import (
	"errors"
	"strings"
	"testing"
)

// Rule: the error about a refused state names the table, the column and the row, if they are known; otherwise the row
// is -1.
func TestARefusedStateNamesItsRow(t *testing.T) {
	const row = 295 // the row of the 295th unit, since row 0 is never used
	w, _ := filled(t, 400)
	s := Save(w)
	defer s.Release()
	good := s.Append(nil)
	refused := func(b []byte, path string, row int, text string) {
		t.Helper()
		_, err := Decode[sample](b)
		var d *DecodeError
		if !errors.As(err, &d) || d.Path != path || d.Row != row || !strings.Contains(err.Error(), text) {
			t.Errorf("%+v: %v", d, err)
		}
	}
	change := func(part string, page, offset int, to byte) []byte {
		t.Helper()
		b := append([]byte(nil), good...)
		for _, p := range storeOf(w).parts {
			if p.pathOf() != part {
				continue
			}
			content := p.appendPage(nil, page)
			at := strings.Index(string(b), string(content))
			if at < 0 {
				t.Fatalf("%s has no such page", part)
			}
			b[at+offset] = to
			return b
		}
		t.Fatalf("no part %s", part)
		return nil
	}
	const present = Rows / 8 // bytes before the rows of an optional component
	const wide = 1 + 16 + 1  // bytes of an order
	at := present + (row-Rows)*wide + wide - 1
	refused(change("Units.Order", 1, at, 9), "Units.Order", row, "sample.Units.Order row 295: ")
	refused(change("Units.Order", 1, (500-Rows)/8, 1<<(500%8)), "Units.Order", 500, "Units.Order row 500: ")
	refused(change("Units", 1, 4*(row-Rows), 0), "Units", row, "Units row 295: ")
	refused(good[:len(good)-1], storeOf(w).parts[len(storeOf(w).parts)-1].pathOf(), -1, "it is cut off")
	refused(append(good[:len(good):len(good)], 0), storeOf(w).parts[len(storeOf(w).parts)-1].pathOf(), -1, "there are bytes behind it")
}

// Rule: an error in a value that is in no row names none.
func TestARefusedValueThatIsInNoRow(t *testing.T) {
	w, err := New[wide]()
	ok(t, err)
	Update(w, func(w *wide) {
		for i := range w.Ways.Write() {
			w.Ways.Write()[i] = way{Kind: 7, Cost: 7, Ends: [3]uint16{7, 7, 7}, Open: true}
		}
	})
	b := Save(w).Append(nil)
	at := strings.LastIndex(string(b), "\x07\x00\x01") + 2 // the last one that is open
	b[at] = 2
	var d *DecodeError
	if _, err := Decode[wide](b); !errors.As(err, &d) || d.Path != "Ways" || d.Row != -1 {
		t.Errorf("%+v: %v", d, err)
	}
}

// Rule: row 0 is named like any other, and a missing row is not.
func TestADecodeErrorNamesRowZero(t *testing.T) {
	e := DecodeError{World: "sample", Path: "Units", Err: errRest}
	if text := e.Error(); !strings.Contains(text, "sample.Units row 0: ") {
		t.Error(text)
	}
	if e.Row = -1; strings.Contains(e.Error(), "row") {
		t.Error(e.Error())
	}
}

// Rule: if decoding fails with an error of use, only its reason is included: the part and the row are named once.
func TestADecodeErrorNamesThePartOnce(t *testing.T) {
	e := DecodeError{World: "sample", Path: "Units", Row: 7, Offset: 9, Err: &UseError{Call: "Load", Path: "Units", Row: 7, Err: ErrFull}}
	want := "world: byte 9 of the encoding of sample.Units row 7: " + ErrFull.Error() + "; it is corrupt, or of another build"
	if got := e.Error(); got != want || !errors.Is(&e, ErrFull) {
		t.Errorf("%q, want %q", got, want)
	}
}
