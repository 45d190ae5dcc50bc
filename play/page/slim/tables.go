package slim

import (
	"bytes"
	"encoding/binary"
	"math"
)

// magic begins the table of functions, including the next bytes for a program with 64-bit pointers and instructions
// of one unit.
const magic = "\xf1\xff\xff\xff\x00\x00\x01\x08"

// Words of runtime.moduledata.
const (
	wordNames   = 1
	wordUnits   = 4
	wordFiles   = 7
	wordTables  = 10
	wordLines   = 13
	wordIndex   = 16
	wordGofunc  = 40
	wordEnd     = 41
	wordsNeeded = 42
)

// Offsets in runtime._func.
const (
	funcName      = 4
	funcPcsp      = 16
	funcPcfile    = 20
	funcPcln      = 24
	funcNpcdata   = 28
	funcUnit      = 32
	funcStartLine = 36
	funcNfuncdata = 43
	funcSize      = 44
)

// Tables of a function that only traces or interruptions need: see internal/abi/symtab.go.
const (
	pcdataUnsafePoint = 0
	pcdataInlTree     = 2
	pcdataArgLive     = 3

	funcdataInlTree = 3
	funcdataArgInfo = 5
	funcdataArgLive = 6

	maxTables = 16
)

// inlinedCall is the size of runtime.inlinedCall.
const inlinedCall = 16

// absent stands for a missing funcdata.
const absent = ^uint32(0)

// tables is the table of functions in a memory.
type tables struct {
	memory                     []byte
	names, units, files, pctab span // parts of the memory
	lines                      span // with all functions
	gofunc                     int  // the address to which funcdata are relative
	functions                  []int
}

// span is a part of the memory.
type span struct{ from, to int }

func (s span) of(memory []byte) []byte { return memory[s.from:s.to] }

func (t *tables) u32(at int) uint32     { return binary.LittleEndian.Uint32(t.memory[at:]) }
func (t *tables) put(at int, v uint32)  { binary.LittleEndian.PutUint32(t.memory[at:], v) }
func (t *tables) word(at int) uint64    { return binary.LittleEndian.Uint64(t.memory[at:]) }
func (t *tables) pcdata(f, i int) int   { return f + funcSize + 4*i }
func (t *tables) npcdata(f int) int     { return int(min(t.u32(f+funcNpcdata), maxTables+1)) }
func (t *tables) nfuncdata(f int) int   { return int(t.memory[f+funcNfuncdata]) }
func (t *tables) funcdata(f, i int) int { return f + funcSize + 4*(t.npcdata(f)+i) }

// find finds the table, and checks it as far as it is used here.
func find(memory []byte) (*tables, error) {
	for at := 0; ; at++ {
		i := bytes.Index(memory[at:], []byte(magic))
		if i < 0 {
			return nil, layout("it has no table of functions")
		}
		at += i
		if t, ok := tablesAt(memory, at); ok {
			return t, t.check()
		}
	}
}

// tablesAt returns the table at an address, if the module's data refer to it.
func tablesAt(memory []byte, at int) (*tables, bool) {
	t := &tables{memory: memory}
	if at+72 > len(memory) {
		return nil, false
	}
	address := binary.LittleEndian.AppendUint64(nil, uint64(at))
	for from := 0; ; from++ {
		i := bytes.Index(memory[from:], address)
		if i < 0 {
			return nil, false
		}
		from += i
		if from+8*wordsNeeded > len(memory) {
			return nil, false
		}
		if t.read(at, from) {
			return t, true
		}
	}
}

// read reads the table from its header and the module's data, and reports whether these are consistent.
func (t *tables) read(header, module int) bool {
	field := func(i int) uint64 { return t.word(header + 8 + 8*i) }
	word := func(i int) uint64 { return t.word(module + 8*i) }
	for i, w := range map[int]int{3: wordNames, 4: wordUnits, 5: wordFiles, 6: wordTables, 7: wordLines} {
		if field(i) > uint64(len(t.memory)) || word(w) != uint64(header)+field(i) {
			return false
		}
	}
	functions := field(0)
	if word(wordIndex) != word(wordLines) || word(wordIndex+1) != functions+1 || functions > uint64(len(t.memory)) {
		return false
	}
	end := word(wordEnd)
	if end > uint64(len(t.memory)) || word(wordLines)+8*functions+4 > end || word(wordGofunc) > uint64(len(t.memory)) {
		return false
	}
	t.names = span{int(word(wordNames)), int(word(wordUnits))}
	t.units = span{int(word(wordUnits)), int(word(wordFiles))}
	t.files = span{int(word(wordFiles)), int(word(wordTables))}
	t.pctab = span{int(word(wordTables)), int(word(wordLines))}
	t.lines = span{int(word(wordLines)), int(end)}
	t.gofunc = int(word(wordGofunc))
	for _, s := range []span{t.names, t.units, t.files, t.pctab, t.lines} {
		if s.from > s.to {
			return false
		}
	}
	t.functions = make([]int, functions)
	for i := range t.functions {
		t.functions[i] = t.lines.from + int(t.u32(t.lines.from+8*i+4))
	}
	return true
}

// check checks all functions.
func (t *tables) check() error {
	names := t.names.of(t.memory)
	if len(names) == 0 || names[len(names)-1] != 0 {
		return layout("the names of functions do not end")
	}
	for i, f := range t.functions {
		if f+funcSize > t.lines.to || t.npcdata(f) > maxTables || t.nfuncdata(f) > maxTables || t.funcdata(f, t.nfuncdata(f)) > t.lines.to {
			return layout("function %d does not end", i)
		}
		name := t.u32(f + funcName)
		if name >= uint32(len(names)) || name > 0 && names[name-1] != 0 {
			return layout("the name of function %d does not begin", i)
		}
		for _, at := range t.offsets(f) {
			if _, _, ok := t.table(t.u32(at)); !ok {
				return layout("a table of function %d does not end", i)
			}
		}
	}
	return nil
}

// offsets returns where a function stores the offset of each of its tables.
func (t *tables) offsets(f int) []int {
	list := []int{f + funcPcsp}
	for i := range t.npcdata(f) {
		list = append(list, t.pcdata(f, i))
	}
	return list
}

// table returns where the table at an offset ends, and the largest of its values. A table has steps of the value and
// of the position, until the end mark. Offset 0 means no table. As in package runtime the sum of steps wraps: between
// an unknown size of arguments, which is the smallest value, and a large one there is a step of 32 bits.
func (t *tables) table(offset uint32) (to int, largest int32, ok bool) {
	if offset == 0 {
		return 0, -1, true
	}
	b := t.pctab.of(t.memory)
	at, value, largest := int(offset), int32(-1), int32(-1)
	for first := true; at < len(b); first = false {
		step, n := binary.Uvarint(b[at:])
		if n <= 0 || step > math.MaxUint32 {
			return 0, 0, false
		}
		at += n
		if step == 0 && !first {
			return at, largest, true
		}
		delta := uint32(step >> 1)
		if step&1 != 0 {
			delta = ^delta
		}
		value += int32(delta)
		largest = max(largest, value)
		if _, n = binary.Uvarint(b[at:]); n <= 0 {
			return 0, 0, false
		}
		at += n
	}
	return 0, 0, false
}
