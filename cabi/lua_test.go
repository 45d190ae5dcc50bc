package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// luajit returns a command that runs LuaJIT with the library, or skips the test.
func luajit(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	dir := build(t)
	path, err := exec.LookPath("luajit")
	if err != nil {
		t.Skip("there is no luajit")
	}
	c := exec.Command(path, args...)
	c.Env = append(os.Environ(), "TICKBACK_LIBRARY="+filepath.Join(dir, "libtickback.so.1"), "TICKBACK_HEADER=include/tickback.h")
	return c
}

// The module for LuaJIT, by pull: also that an error is one, and ends the session.
func TestTheModuleInLua(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library")
	}
	if out, err := luajit(t, "testdata/module.lua", ".", t.TempDir()).CombinedOutput(); err != nil || string(out) != "ok\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

// Tables of Lua and objects of Python are the states of two players of one match: both games save them themselves.
func TestTablesOfLuaPlayWithObjectsOfPython(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library, and plays for some seconds")
	}
	player := luajit(t, "examples/lua/pong.lua")
	p := ports(t, 2)
	player.Args = append(player.Args, "0", p[0], p[1], "--net", "awful", "--frames", "240", "--tables")
	sameEnd(t, together(t, player, python(t, "examples/python/pong.py", "1", p[1], p[0], "--net", "awful", "--objects")), "240")
}

// A player whose game is in Lua plays with one whose game is in C.
func TestLuaPlaysWithC(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library, and plays for some seconds")
	}
	player := luajit(t, "examples/lua/pong.lua")
	program := compile(t, "examples/c/pong.c")
	p := ports(t, 2)
	player.Args = append(player.Args, "0", p[0], p[1], "--net", "awful", "--frames", "240")
	sameEnd(t, together(t, player, exec.Command(program, "1", p[1], p[0], "--net", "awful")), "240")
}
