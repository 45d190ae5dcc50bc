//go:build !js

package room

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/portable/strict"
)

// bootMinute runs a test program in a page, and says how it ended once it has.
const bootMinute = `const go = new Go();
go.argv = ["minute.test", "-test.v", "-test.run=^TestFrozenMinute$"];
let said = "";
console.log = (...words) => { said += words.join(" ") + "\n"; };
go.exit = code => { window.tickback = {code, said}; };
WebAssembly.instantiateStreaming(fetch("page.wasm"), go.importObject).then(r => go.run(r.instance));
`

// Rule: the frozen minute of each example comes to the same states in a browser as everywhere else. It is the
// examples' own test that runs there.
func TestFrozenMinutesInABrowser(t *testing.T) {
	if _, err := strict.Proof(); err != nil {
		t.Skip("this is not a strict build: in the checkout, it is make test-strict")
	}
	browsertest.Find(t)
	game := filepath.Join(t.TempDir(), "game.exe")
	build(t, exec.Command("go", "build", "-o", game, ".."))
	for _, example := range []struct{ name, module, pkg string }{
		{"physics", "..", "./rules"},
		{"steering", filepath.Join("..", "..", "steering"), "."},
	} {
		t.Run(example.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "minute.wasm")
			command := exec.Command(game, "test", "--strict", "-vet=off", "-c", "-o", program, example.pkg)
			command.Dir, command.Env = example.module, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
			build(t, command)
			dir := browsertest.Folder(t, program)
			if err := os.WriteFile(filepath.Join(dir, "boot.js"), []byte(bootMinute), 0o666); err != nil {
				t.Fatal(err)
			}
			url, _ := browsertest.Serve(t, dir, rooms.Config{})
			page := browsertest.Shared(t).Open(t, url)
			type ending struct {
				Code int
				Said string
			}
			end := browsertest.Until(page, "the end of its test", func(e ending) bool { return e.Said != "" })
			// A program that was not built for it skips the test.
			if end.Code != 0 || !strings.Contains(end.Said, "--- PASS: TestFrozenMinute") {
				t.Errorf("exit code %d\n%s", end.Code, end.Said)
			}
		})
	}
}

func build(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command.Args, err, out)
	}
}
