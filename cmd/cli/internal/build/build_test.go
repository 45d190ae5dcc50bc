package build

import (
	"runtime/debug"
	"testing"
)

// Rule: only a program of a tagged version belongs to a release.
func TestReleases(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3": "v1.2.3", "v1.2.3-rc.1": "v1.2.3-rc.1", "v0.1.0": "v0.1.0",
		"": "", "(devel)": "", "v0.0.0": "", "v1.2.3+dirty": "",
		"v0.0.0-20260101120000-0123456789ab": "", "v1.2.4-0.20260101120000-0123456789ab": "",
		"v1.2.4-0.20260101120000-0123456789ab+dirty": "",
	} {
		if got := releaseOf(&debug.BuildInfo{Main: debug.Module{Path: Module, Version: version}}); got != want {
			t.Errorf("%s is the release %q, want %q", version, got, want)
		}
		game := debug.BuildInfo{Main: debug.Module{Path: "potato", Version: "v9.0.0"}, Deps: []*debug.Module{{Path: Module, Version: version}}}
		if got := releaseOf(&game); got != want {
			t.Errorf("a game that requires %s has the release %q, want %q", version, got, want)
		}
		game.Deps[0].Replace = &debug.Module{Path: "../tickback/cmd"}
		if got := releaseOf(&game); got != "" {
			t.Errorf("a checkout in place of %s is the release %q", version, got)
		}
	}
}
