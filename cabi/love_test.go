package main

import (
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A game in LÖVE, in a window of a display that nobody sees, plays with one in C, and paints its picture.
func TestLovePlaysWithC(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library, and plays for some seconds")
	}
	dir := build(t)
	for _, tool := range []string{"love", "xvfb-run"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no " + tool)
		}
	}
	if err := quietly(exec.Command("xvfb-run", "-a", "true")); err != nil {
		t.Skip("no display can be made: ", err)
	}
	program := compile(t, "examples/c/pong.c")
	p := ports(t, 2)
	picture := filepath.Join(t.TempDir(), "pong.png")
	love := exec.Command("xvfb-run", "-a", "love", "examples/love", "0", p[0], p[1], "--bot", "--frames", "240", "--net", "awful", "--picture", picture)
	header, err := filepath.Abs("include/tickback.h")
	if err != nil {
		t.Fatal(err)
	}
	love.Env = append(os.Environ(), "TICKBACK_LIBRARY="+filepath.Join(dir, "libtickback.so.1"), "TICKBACK_HEADER="+header, "XDG_DATA_HOME="+t.TempDir())
	sameEnd(t, together(t, love, exec.Command(program, "1", p[1], p[0], "--net", "awful")), "240")
	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	image, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	colours := map[any]bool{}
	for y := range image.Bounds().Dy() {
		for x := range image.Bounds().Dx() {
			colours[image.At(x, y)] = true
		}
	}
	if b := image.Bounds(); b.Dx() != 960 || b.Dy() != 400 || len(colours) < 4 {
		t.Errorf("the picture is %v with %d colours", b, len(colours))
	}
}
