package capture_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/rollback"
)

// Everything that peers of real sessions send matches docs/reference/wire.md, to the last byte, and its content is what
// they have agreed on.
func TestPageDecodesWholeSessions(t *testing.T) {
	tables := parsePage(readPage(t))
	messages, kinds := map[uint64]int{}, map[byte]int{}
	for name, run := range map[string]func(*testing.T) *recording{"two": recordTwo, "three": recordThree, "moved": recordMoved, "sixteen": recordSixteen, "desync": recordDesync} {
		t.Run(name, func(t *testing.T) {
			trace := run(t)
			r := readerOf(tables, trace)
			if err := r.readAll(); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d datagrams, %d inputs, messages %v", len(trace.sent), len(trace.agreed), r.messages)
			for k, n := range r.messages {
				messages[k] += n
			}
			for k, n := range r.kinds {
				kinds[k] += n
			}
		})
	}
	for k := uint64(1); k <= 19; k++ {
		if messages[k] == 0 && k != 10 && (k <= 12 || k >= 16) {
			t.Errorf("no message %d was sent", k)
		}
	}
	for _, k := range []byte{kindRate, 1, 2, 3, 4, 0x80} {
		if kinds[k] == 0 {
			t.Errorf("no datagram of kind %#x was sent", k)
		}
	}
}

// captured is a trace, how to read it, and the tables that are needed for that.
type captured struct {
	decode func(tableSet) error
	tables map[string]bool
}

// captureAll records all kinds of traces.
func captureAll(t *testing.T) (list []captured) {
	newcomers, votes, spectators := recordSeats(t), recordVotes(t), recordWatched(t)
	list = append(list,
		captured{decode: func(tables tableSet) error { _, err := readSeats(tables, newcomers); return err }},
		captured{decode: func(tables tableSet) error { _, err := readVotes(tables, votes); return err }},
		captured{decode: func(tables tableSet) error { _, err := readWatched(tables, spectators); return err }})
	for _, trace := range []*recording{recordMoved(t), recordDesync(t), recordThree(t), recordTwo(t), recordMembers(t)} {
		list = append(list, captured{decode: func(tables tableSet) error { return readerOf(tables, trace).readAll() }})
	}
	tables := parsePage(readPage(t))
	for i := range list {
		clear(tablesUsed)
		if err := list[i].decode(tables); err != nil {
			t.Fatal(err)
		}
		list[i].tables = maps.Clone(tablesUsed)
	}
	return list
}

// decodable reports whether all captured traces that need a table can be read.
func decodable(list []captured, tables tableSet, table string) bool {
	for _, c := range list {
		if c.tables[table] && c.decode(tables) != nil {
			return false
		}
	}
	return true
}

// The negative control: no row of any table can be left out or changed.
func TestPageHasNoRowTooMany(t *testing.T) {
	page := readPage(t)
	list := captureAll(t)
	rows := 0
	all := parsePage(page)
	for _, table := range slices.Sorted(maps.Keys(all)) {
		for i, row := range all[table] {
			if rows++; testing.Short() && rows%16 != 0 {
				continue
			}
			tables := parsePage(page)
			tables[table] = slices.Delete(tables[table], i, i+1)
			if decodable(list, tables, table) {
				t.Errorf("%s: without the row %q everything is decoded, too", table, row.field)
			}
			row.bytes = map[bool]string{true: "2", false: "3"}[row.bytes == "3"]
			tables[table] = slices.Insert(tables[table], i, row)
			if decodable(list, tables, table) {
				t.Errorf("%s: with %s bytes of %q everything is decoded, too", table, row.bytes, row.field)
			}
		}
	}
	if rows < 190 {
		t.Errorf("only %d rows", rows)
	}
}

// The example on the page is right.
func TestPageExample(t *testing.T) {
	page := readPage(t)
	_, block, _ := strings.Cut(page, "```hex\n")
	block, _, ok := strings.Cut(block, "```")
	if !ok {
		t.Fatal("there is no example")
	}
	text := ""
	for line := range strings.Lines(block) {
		code, _, _ := strings.Cut(line, "  ")
		text += strings.ReplaceAll(code, " ", "")
	}
	b, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	trace := &recording{seats: []rollback.PlayerSet{1, 2}, width: 4}
	r := newReader(parsePage(page), trace)
	out, in := r.links[[2]int{0, 1}], r.links[[2]int{1, 0}]
	out.nonce, in.nonce, out.sequence, out.match, in.match = 1, 2, 42, 1, 1
	out.next[0], in.next[0] = 108, 106
	for f := range uint32(100) {
		out.inputs[inputKey{1, 0, f}] = givenInput{input: "\x00\x00\x00\x00"}
	}
	r.read(sentDatagram{0, 1, b})
	for f, want := range map[uint32]string{102: "00000000", 103: "05000000", 105: "05000000", 106: "01800000", 107: "01800000"} {
		if got := hex.EncodeToString([]byte(out.inputs[inputKey{1, 0, f}].input)); got != want {
			t.Errorf("frame %d: %s, not %s", f, got, want)
		}
	}
	key := xxh3.Hash(binary.LittleEndian.AppendUint64([]byte{1, 0, 0, 0, 0, 0, 0, 0}, 2))
	if !strings.Contains(page, fmt.Sprintf("0x%016X", key)) {
		t.Errorf("the key of 1 and 2 is 0x%016X, which is not on the page", key)
	}
}
