package rebuild

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
)

// Target is a system and an architecture for which a program can be built.
type Target struct {
	arch, level string
	emulator    string // the emulator for its programs; empty if the system runs them
}

// String returns the name of the target.
func (g Target) String() string {
	if g.level != "" {
		return g.arch + " " + g.level
	}
	return g.arch
}

// Self is the target of this program.
func Self() Target {
	switch {
	case runtime.GOARCH != "amd64":
		return Target{arch: runtime.GOARCH}
	case level3:
		return Target{arch: "amd64", level: "v3"}
	}
	return Target{arch: "amd64", level: "v1"}
}

// Others returns the targets to compare with: the other level of amd64, where products are fused or where they are
// not, and another architecture, which the system or an emulator runs. Only running the program shows whether this
// processor supports the level.
func (c Command) Others() []Target { return others(c.Host, host(), Self(), canRun) }

// others returns the targets of Others for a test that runs as self, on a machine of the given host. runs returns the
// emulator for programs of another architecture, if this machine can run them.
func others(host, here string, self Target, runs func(system, arch string) (emulator string, ok bool)) (list []Target) {
	if self.arch == "amd64" {
		other := Target{arch: "amd64", level: "v3"}
		if self.level == "v3" {
			other.level = "v1"
		}
		list = append(list, other)
	}
	system, _, _ := bytes.Cut([]byte(here), []byte("/"))
	for _, arch := range []string{"arm64", "amd64"} {
		if arch == self.arch {
			continue
		}
		g := Target{arch: arch}
		if arch == "amd64" {
			g.level = "v1"
		}
		if host == string(system)+"/"+arch {
			return append(list, g)
		}
		if emulator, ok := runs(string(system), arch); ok {
			g.emulator = emulator
			return append(list, g)
		}
	}
	return list
}

// canRun reports whether this machine can run programs of another architecture, and returns the emulator, if one has
// to be named.
func canRun(system, arch string) (emulator string, ok bool) {
	if arch == "amd64" && (system == "darwin" || system == "windows") {
		return "", true // systems on arm64 translate amd64
	}
	if system != "linux" {
		return "", false
	}
	name := "qemu-" + map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[arch]
	if b, err := os.ReadFile("/proc/sys/fs/binfmt_misc/" + name); err == nil && bytes.HasPrefix(b, []byte("enabled")) {
		return "", true
	}
	for _, name := range []string{name + "-static", name} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// environment returns the environment of a go command that builds for the target.
func (g Target) environment() []string {
	env := append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH="+g.arch)
	if g.level != "" {
		env = append(env, "GOAMD64="+g.level)
	}
	if g.arch != runtime.GOARCH {
		env = append(env, "CGO_ENABLED=0") // a C compiler for the target is rarely available
	}
	return env
}
