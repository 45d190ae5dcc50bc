package build

import (
	"regexp"
	"runtime"
	"runtime/debug"
)

// MaxText is the maximum size in bytes that a session accepts for the name of a game or a build.
const MaxText = 64

// Version returns the module's version and, for a build from a checkout, the commit.
func Version(info *debug.BuildInfo) string {
	version := info.Main.Version
	if version == "" || version == "(devel)" {
		version = "development build"
	}
	settings := settings(info)
	commit := settings["vcs.revision"]
	if commit == "" {
		return version + ", commit unknown"
	}
	if settings["vcs.modified"] == "true" {
		commit += " with changes"
	}
	return version + ", commit " + commit
}

// This returns a text that distinguishes builds of this binary: the version of its module, and the commit if it is
// known.
func This() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	const digits = 12 // enough digits to identify a commit
	settings, version := settings(info), info.Main.Version
	if commit := settings["vcs.revision"]; commit != "" {
		version += " " + commit[:min(len(commit), digits)]
	}
	if settings["vcs.modified"] == "true" {
		version += " with changes"
	}
	return version[:min(len(version), MaxText)]
}

// Module is the path of the module of the command line.
const Module = "github.com/tickback/tickback/cmd"

// release matches the version of a tag, but not a version derived for a commit between tags.
var (
	release = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	pseudo  = regexp.MustCompile(`[-.]\d{14}-[0-9a-f]{12}$`)
)

// Release returns the release of Tickback that this program was built from, such as v1.2.3; empty if it was built
// from a checkout.
func Release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return releaseOf(info)
}

func releaseOf(info *debug.BuildInfo) string {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == Module && m.Replace == nil && m.Version != "v0.0.0" && release.MatchString(m.Version) && !pseudo.MatchString(m.Version) {
			return m.Version
		}
	}
	return ""
}

// Platform returns the operating system and the architecture, with the level of its instruction set where Go has one:
// floats can differ between levels.
func Platform(info *debug.BuildInfo) string {
	name := runtime.GOOS + "/" + runtime.GOARCH
	settings := settings(info)
	for _, level := range []string{"GOAMD64", "GOARM64", "GOARM", "GO386", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM"} {
		if v := settings[level]; v != "" {
			name += " " + level + "=" + v
		}
	}
	return name
}

func settings(info *debug.BuildInfo) map[string]string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	return settings
}
