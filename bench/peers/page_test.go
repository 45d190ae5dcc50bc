package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Rule: what is between the marks is replaced, and nothing else; a page without marks is an error.
func TestTablesAreWrittenBetweenTheMarks(t *testing.T) {
	got, err := between("above\n"+begin+"\nold\n"+end+"\nbelow\n", "new\n")
	if want := "above\n" + begin + "\n\nnew\n\n" + end + "\nbelow\n"; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
	for _, page := range []string{"", begin + "\n", end + "\n" + begin + "\n"} {
		if _, err := between(page, "new"); err == nil {
			t.Errorf("%q: no error", page)
		}
	}
}

// Rule: the page has the marks, the pictures that it shows, and they are small.
func TestThePageAndItsPictures(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/peers.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := between(string(page), ""); err != nil {
		t.Error(err)
	}
	for _, p := range pictures {
		if !strings.Contains(string(page), "(../images/"+p.file+")") {
			t.Errorf("the page does not show %s", p.file)
		}
		if info, err := os.Stat("../../docs/images/" + p.file); err != nil || info.Size() > maxPlot {
			t.Errorf("%s: %v, %v", p.file, info, err)
		}
	}
}

// Rule: a picture has the libraries that have figures, and is the same each time.
func TestAPicture(t *testing.T) {
	r := fixture()
	r.samples["frame/2/100"] = r.samples["frame/2/0"]
	r.samples["frame/4/100"] = r.samples["frame/2/0"]
	var texts [2]string
	for i := range texts {
		path := filepath.Join(t.TempDir(), "picture.svg")
		if err := pictures[0].write(path, r); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(b)
	}
	if texts[0] != texts[1] {
		t.Error("two pictures of the same figures are different")
	}
	if !strings.Contains(texts[0], ">fortress-rollback<") || strings.Contains(texts[0], ">GGPO<") {
		t.Errorf("the picture has other libraries:\n%s", texts[0])
	}
	if err := pictures[1].write(filepath.Join(t.TempDir(), "none.svg"), r); err == nil {
		t.Error("a picture of nothing is no error")
	}
}
