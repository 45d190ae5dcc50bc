package slim

// Program returns a program without what only traces of panics need. The error is [ErrLayout] for a program by
// another version of Go, or for another system; the original program can be used then.
func Program(wasm []byte) ([]byte, error) {
	f, err := split(wasm)
	if err != nil {
		return nil, err
	}
	t, err := find(f.memory)
	if err != nil {
		return nil, err
	}
	t.forget()
	t.shorten()
	return f.join(), nil
}

// forget removes all tables that only traces and interruptions need.
func (t *tables) forget() {
	for _, f := range t.functions {
		t.forgetCalls(f)
		for _, at := range []int{funcPcfile, funcPcln, funcUnit, funcStartLine} {
			t.put(f+at, 0)
		}
		for _, i := range []int{pcdataUnsafePoint, pcdataInlTree, pcdataArgLive} {
			if i < t.npcdata(f) {
				t.put(t.pcdata(f, i), 0)
			}
		}
		for _, i := range []int{funcdataInlTree, funcdataArgInfo, funcdataArgLive} {
			if i < t.nfuncdata(f) {
				t.put(t.funcdata(f, i), absent)
			}
		}
	}
	used := make([]bool, t.pctab.to-t.pctab.from)
	for _, f := range t.functions {
		for _, at := range t.offsets(f) {
			offset := t.u32(at)
			to, _, _ := t.table(offset)
			for i := int(offset); i < to; i++ {
				used[i] = true
			}
		}
	}
	for i, b := range used {
		if !b {
			t.memory[t.pctab.from+i] = 0
		}
	}
	clear(t.units.of(t.memory))
	clear(t.files.of(t.memory))
}

// forgetCalls removes the list of calls that were inlined in a function. The list belongs to the function alone.
// The table that says where its parameters are may share its bytes with something else, and is kept.
func (t *tables) forgetCalls(f int) {
	if t.nfuncdata(f) <= funcdataInlTree || t.npcdata(f) <= pcdataInlTree {
		return
	}
	offset := t.u32(t.funcdata(f, funcdataInlTree))
	_, largest, _ := t.table(t.u32(t.pcdata(f, pcdataInlTree)))
	from := t.gofunc + int(offset)
	to := int64(from) + inlinedCall*(int64(largest)+1)
	if offset == absent || to > int64(len(t.memory)) {
		return
	}
	clear(t.memory[from:to])
}
