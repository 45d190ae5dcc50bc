package rom

import (
	"strings"
	"testing"
)

// Rule: the source makes the same game everywhere, which machines compare by its digest.
func TestFrozenGame(t *testing.T) {
	file := File()
	if len(file) != 16+programSize+tilesSize || string(file[:6]) != "NES\x1a\x01\x01" {
		t.Fatalf("%d bytes, which begin with %q", len(file), file[:6])
	}
	if got, want := Digest(file), uint64(0xBCC5_0184_6C2A_34B3); got != want {
		t.Errorf("the digest is %#x, want %#x", got, want)
	}
	if Digest(file[1:]) == Digest(file) {
		t.Error("another file has the same digest")
	}
}

// Rule: instructions have the bytes that a 6502 knows.
func TestInstructions(t *testing.T) {
	for source, want := range map[string]string{
		"lda #$12":                 "\xA9\x12",
		"lda 18":                   "\xA5\x12",
		"lda $1234":                "\xAD\x34\x12",
		"lda $12,x":                "\xB5\x12",
		"lda $1234,x":              "\xBD\x34\x12",
		"n = $12\nsta n+1":         "\x85\x13",
		"here: bne here":           "\xD0\xFE",
		"bne on\ninx\non: rts":     "\xD0\x01\xE8\x60",
		"jmp on\non: rts":          "\x4C\x03\xC0\x60",
		"lsr a":                    "\x4A",
		"byte 1,$FF\nword $1234":   "\x01\xFF\x34\x12",
		"lda on,x\non: byte 7":     "\xBD\x03\xC0\x07",
		"inx ; and a comment\ninx": "\xE8\xE8",
		"tay\ntya\nsty $12":        "\xA8\x98\x84\x12",
	} {
		b, err := Assemble(source)
		if err != nil || !strings.HasPrefix(string(b[16:]), want) || b[16+len(want)] != 0 {
			t.Errorf("%q: %v, % x; want % x", source, err, b[16:24], want)
		}
	}
}

// Rule: the colours of a tile are bits of two planes, and an earlier picture in its place is gone.
func TestTiles(t *testing.T) {
	b, err := Assemble("tile 2\n########\ntile 2\n.-+#\n#")
	if err != nil {
		t.Fatal(err)
	}
	at := 16 + programSize + 2*16
	if got := string(b[at : at+16]); got != "\x50\x80\x00\x00\x00\x00\x00\x00\x30\x80\x00\x00\x00\x00\x00\x00" {
		t.Errorf("% x", got)
	}
}

// Rule: what is wrong is refused, with its line.
func TestWrongSources(t *testing.T) {
	for source, want := range map[string]string{
		"inx\nbrr":                         `line 2: there is no instruction "brr"`,
		"lda":                              "line 1: lda cannot be used like this",
		"sta #1":                           "cannot be used",
		"lda #256":                         "does not fit",
		"lda #70000":                       "neither a number nor known",
		"jmp nowhere":                      "neither a number nor known",
		"org $100\ninx":                    "line 2: 0x100 is not in the program",
		"here: inx\nhere: inx":             "named twice",
		"tile 512":                         "there is no tile 512",
		"tile 1\n#########":                "8 lines of 8",
		"lda 5+x":                          "is no number",
		"there: inx\norg $C100\nbne there": "too far away",
	} {
		if _, err := Assemble(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", source, err, want)
		}
	}
}

// Rule: whatever the source is, there is a file or an error.
func FuzzAssemble(f *testing.F) {
	f.Add(Source)
	f.Add("org $FFFF\nword 1,2\ntile 3\n#\n")
	f.Fuzz(func(t *testing.T, source string) {
		if b, err := Assemble(source); err == nil && len(b) != 16+programSize+tilesSize {
			t.Errorf("%d bytes", len(b))
		}
	})
}
