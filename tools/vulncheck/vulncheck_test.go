package vulncheck

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What the script exits with.
const (
	clean      = 0
	found      = 1
	broken     = 2
	notChecked = 3
)

// The smallest module that has libraries, and one of them.
const (
	module     = "examples/steering"
	dependency = "github.com/go-gl/mathgl"
)

// run runs the script on these modules, with this database.
func run(t *testing.T, db string, modules ...string) (code int, output string) {
	t.Helper()
	cmd := exec.Command(filepath.Join("..", "..", "scripts", "vulncheck.sh"), modules...)
	cmd.Env = append(os.Environ(), "GOVULNDB="+db, "GOWORK=", "NO_PROXY=*", "no_proxy=*")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// database makes a database of these entries, and returns its address.
func database(t *testing.T, entries ...string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "index"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "ID"), 0o700); err != nil {
		t.Fatal(err)
	}
	var vulns []string
	for i, entry := range entries {
		id := fmt.Sprintf("GO-0000-%04d", i+1)
		write(filepath.Join("ID", id+".json"), strings.ReplaceAll(entry, "{id}", id))
		vulns = append(vulns, fmt.Sprintf(`{"path":%q,"vulns":[{"id":%q,"modified":"2026-01-01T00:00:00Z"}]}`, dependency, id))
	}
	write("index/db.json", `{"modified":"2026-01-01T00:00:00Z"}`)
	write("index/modules.json", "["+strings.Join(vulns, ",")+"]")
	write("index/vulns.json", "[]")
	return "file://" + dir
}

// entry is invented: it affects all of the dependency that was introduced with a version.
func entry(introduced string) string {
	return fmt.Sprintf(`{"schema_version":"1.3.1","id":"{id}","modified":"2026-01-01T00:00:00Z","published":"2026-01-01T00:00:00Z",
"summary":"Invented for a test","details":"Nothing is wrong.","affected":[{"package":{"name":%q,"ecosystem":"Go"},
"ranges":[{"type":"SEMVER","events":[{"introduced":%q}]}],"ecosystem_specific":{"imports":[{"path":%q}]}}],
"database_specific":{"url":"invented","review_status":"REVIEWED"}}`,
		dependency, introduced, dependency+"/mgl64")
}

// pinned is the version of the dependency in the module's go.mod.
func pinned(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", module, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(regexp.QuoteMeta(dependency) + ` v(\S+)`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s needs no %s", module, dependency)
	}
	return string(m[1])
}

// An entry about the version that is pinned is found, and one about later versions is not.
func TestWhatTheDatabaseKnowsIsFound(t *testing.T) {
	if code, out := run(t, database(t, entry(pinned(t))), module); code != found || !strings.Contains(out, "GO-0000-0001") ||
		!strings.Contains(out, "vulncheck: FOUND: "+module) {
		t.Errorf("%d: %s", code, out)
	}
	if code, out := run(t, database(t, entry("999.0.0")), module); code != clean || !strings.Contains(out, "vulncheck: ok") {
		t.Errorf("of a later version: %d: %s", code, out)
	}
}

func TestADatabaseWithoutEntriesIsClean(t *testing.T) {
	if code, out := run(t, database(t), module); code != clean || !strings.Contains(out, "vulncheck: ok") {
		t.Errorf("%d: %s", code, out)
	}
}

// A database that is not there, or is none, is no pass.
func TestWithoutADatabaseNothingIsChecked(t *testing.T) {
	for _, db := range []string{"http://127.0.0.1:1", "file:///nonexistent", "file://" + t.TempDir()} {
		code, out := run(t, db, module)
		if code != notChecked || !strings.Contains(out, "vulncheck: NOT CHECKED: the database is not reachable") || strings.Contains(out, "vulncheck: ok") {
			t.Errorf("%s: %d: %s", db, code, out)
		}
	}
}

// A module that is none is neither clean nor unchecked.
func TestAModuleThatIsNoneIsAnError(t *testing.T) {
	if code, out := run(t, database(t), "nothing"); code != broken || strings.Contains(out, "vulncheck: ok") {
		t.Errorf("%d: %s", code, out)
	}
}
