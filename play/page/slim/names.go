package slim

import (
	"bytes"
	"regexp"
)

// shorten gives all functions short names, each written once.
func (t *tables) shorten() {
	names := t.names.of(t.memory)
	short, places := []byte{0}, make(map[string]int)
	for _, f := range t.functions {
		offset := t.u32(f + funcName)
		if offset == 0 {
			continue // the runtime treats that as no name
		}
		name := names[offset:]
		name = brief(name[:bytes.IndexByte(name, 0)])
		at, ok := places[string(name)]
		if !ok {
			at = len(short)
			places[string(name)] = at
			short = append(append(short, name...), 0)
		}
		t.put(f+funcName, uint32(at))
	}
	clear(names)
	copy(names, short)
}

// version matches an element of a package path that is its version, with what is before it.
var version = regexp.MustCompile(`[^/]*/v[0-9]+\.`)

// brief returns a function's name without the path of its package and type arguments.
func brief(name []byte) []byte {
	from, to := bytes.IndexByte(name, '['), bytes.LastIndexByte(name, ']')
	if from >= 0 && to-from > len("...") {
		name = append(append(bytes.Clone(name[:from]), "[...]"...), name[to+1:]...)
	}
	if at := version.FindAllIndex(name, -1); at != nil {
		return name[at[len(at)-1][0]:]
	}
	return name[bytes.LastIndexByte(name, '/')+1:]
}
