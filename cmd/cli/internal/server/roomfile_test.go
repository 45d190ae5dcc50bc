package server

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tickback/tickback/online"
)

// Only a link in the form that was written is accepted, for the page for which it was written.
func TestWhatARoomFileSays(t *testing.T) {
	const page, link = "http://127.0.0.1:8080/", "http://127.0.0.1:8080/#room=abc&place=x-_1"
	for text, want := range map[string]string{
		link + "\n":                              link,
		link + "\r\n":                            link,
		link:                                     link,
		"http://127.0.0.1:8080#room=abc&place=x": "http://127.0.0.1:8080#room=abc&place=x", // --room without the slash
	} {
		if got, err := parseRoomFile([]byte(text), page); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", "\n", link + "\n\n", link + "\n" + link, " " + link, link + "\x00", link[:len(link)-len("place=x-_1")], "http://127.0.0.1:8080/#room=abc",
		"room=abc&place=x", "{}", "TBR\x01\x02", link + strings.Repeat("x", 64), strings.Repeat("x", maxRoomFile+1), link + "ä",
	} {
		if got, err := parseRoomFile([]byte(text), page); got != "" || !errors.Is(err, errRoomFile) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, other := range []string{"http://127.0.0.1:8081/", "https://127.0.0.1:8080/", "http://127.0.0.1:8080/games/"} {
		if got, err := parseRoomFile([]byte(link), other); got != "" || err == nil || !strings.Contains(err.Error(), "not at "+other) {
			t.Errorf("%s: %q, %v", other, got, err)
		}
	}
}

// FuzzRoomFile: a file with any content is refused, or yields the link to a place in a room, on one line.
func FuzzRoomFile(f *testing.F) {
	f.Add([]byte("http://127.0.0.1:8080/#room=abc&place=x\n"), "http://127.0.0.1:8080/")
	f.Add([]byte("http://h/#place=%"), "http://h/")
	f.Fuzz(func(t *testing.T, b []byte, page string) {
		link, err := parseRoomFile(b, page)
		if (err == nil) != (link != "") {
			t.Fatalf("%q, %v", link, err)
		}
		if err == nil && (online.RoomOf(link) == "" || online.TicketOf(link) == "" || strings.ContainsAny(link, " \r\n") || len(link) > maxRoomFile) {
			t.Fatalf("%q is taken", link)
		}
	})
}

// The file is replaced as a whole, also through a symbolic link; nobody else may read it, and no other file is left.
func TestARoomFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	file, alias := filepath.Join(dir, "room"), filepath.Join(dir, "alias")
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	names, path := 1, file
	if os.Symlink(file, alias) == nil {
		names, path = 2, alias
	}
	if err := writeRoomFile(path, "new"); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if info, statErr := os.Stat(file); err != nil || string(b) != "new\n" || statErr != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v, %v, %v", b, err, info, statErr)
	}
	if err := writeRoomFile(filepath.Join(dir, "missing", "room"), "new"); err == nil {
		t.Error("written where there is no folder")
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writeRoomFile(filepath.Join(dir, "folder"), "new"); err == nil {
		t.Error("written over a folder")
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != names+1 {
		t.Errorf("beside the file: %v, %v", list, err)
	}
}
