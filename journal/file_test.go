package journal

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// opened opens a journal, which is closed with the test.
func opened(t *testing.T, path string, o Options) *File {
	t.Helper()
	f, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// all returns copies of all records, and the error after them.
func all(records iter.Seq2[[]byte, error]) (list [][]byte, failed error) {
	for r, err := range records {
		if err != nil {
			return list, err
		}
		list = append(list, bytes.Clone(r))
	}
	return list, nil
}

func same(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

// made writes a journal with records of random sizes, and returns its bytes, its records, and where they begin.
func made(t *testing.T, n int) (file []byte, list [][]byte, at []int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "j")
	f := opened(t, path, Options{})
	r := rand.New(rand.NewPCG(1, uint64(n)))
	end := len(magic)
	for range n {
		record := make([]byte, 1+r.IntN(40))
		for i := range record {
			record[i] = byte(1 + r.IntN(255))
		}
		f.Append(record)
		list, at = append(list, record), append(at, end)
		end += headSize + len(record)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil || len(file) != end {
		t.Fatalf("%d bytes, not %d: %v", len(file), end, err)
	}
	return file, list, at
}

// reopened opens a file of these bytes, and returns what it has.
func reopened(t *testing.T, b []byte) (list [][]byte, removed int64, failed error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "j")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, Options{})
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	list, err = all(f.Records())
	if err != nil {
		t.Fatal(err)
	}
	f.Append([]byte("more"))
	if more, err := all(f.Records()); err != nil || !same(more, append(list, []byte("more"))) {
		t.Fatalf("what is appended to %d records comes back as %d: %v", len(list), len(more), err)
	}
	return list, f.Removed(), nil
}

// Rule: what was appended comes back, in the same process and in the next ones, in order; and only then does it count as
// durable.
func TestRecordsComeBack(t *testing.T) {
	for _, o := range []Options{{}, {Sync: true}} {
		path := filepath.Join(t.TempDir(), "j")
		var want [][]byte
		for process := range 5 {
			f := opened(t, path, o)
			if f.Found() != len(want) || f.Removed() != 0 {
				t.Errorf("process %d finds %d records, and removes %d bytes", process, f.Found(), f.Removed())
			}
			for i := range 20 {
				record := bytes.Repeat([]byte{byte(process), byte(i)}, 1+i*process)
				f.Append(record)
				want = append(want, bytes.Clone(record))
				clear(record) // it kept no reference
			}
			got, err := all(f.Records())
			if err != nil || !same(got, want) {
				t.Fatalf("process %d: %d records of %d: %v", process, len(got), len(want), err)
			}
			if n, err := f.Durable(); n != 20 || err != nil {
				t.Errorf("process %d: %d are durable: %v", process, n, err)
			}
			if err := errors.Join(f.Close(), f.Close()); err != nil {
				t.Error(err)
			}
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("others may read it: %v, %v", info.Mode(), err)
		}
	}
}

// Rule: a file that ends in the midst of a record, or in zeros, has the records before that, and goes on after them.
func TestWhatAKilledProcessHasWritten(t *testing.T) {
	file, list, at := made(t, 12)
	for n := range len(file) + 1 {
		whole := 0
		for whole < len(at) && (whole+1 < len(at) && at[whole+1] <= n || n == len(file)) {
			whole++
		}
		got, removed, err := reopened(t, file[:n])
		if err != nil || !same(got, list[:whole]) {
			t.Fatalf("of %d bytes: %d records, not %d: %v", n, len(got), whole, err)
		}
		end := int64(len(file))
		if whole < len(at) {
			end = int64(at[whole])
		}
		if want := int64(n) - end; n >= len(magic) && removed != want {
			t.Errorf("of %d bytes: %d are removed, not %d", n, removed, want)
		}
		if n < len(magic) {
			continue
		}
		// A machine may die before the file's blocks are written.
		if got, _, err := reopened(t, append(file[:n:n], make([]byte, 100)...)); err != nil || !same(got, list[:whole]) {
			t.Errorf("of %d bytes and zeros: %d records: %v", n, len(got), err)
		}
	}
}

// Rule: a change of any byte before the last record is damage, and the error says where. A change in the last one takes
// that one away, at most.
func TestDamageIsNoEnd(t *testing.T) {
	file, list, at := made(t, 6)
	last := at[len(at)-1]
	for i := range file {
		for _, bits := range []byte{1, 0x80, 0xff} {
			b := bytes.Clone(file)
			b[i] ^= bits
			got, _, err := reopened(t, b)
			var damage *DamageError
			switch {
			case i < len(magic):
				if !errors.Is(err, ErrNoJournal) {
					t.Errorf("byte %d: %v", i, err)
				}
			case i < last:
				n, _ := slices.BinarySearch(at, i+1)
				if !errors.As(err, &damage) || damage.Offset != int64(at[n-1]) {
					t.Errorf("byte %d: %v, %d records", i, err, len(got))
				}
			case err == nil && !same(got, list[:len(list)-1]) || err != nil && !errors.As(err, &damage):
				t.Errorf("byte %d, in the last record: %v, %d records", i, err, len(got))
			}
		}
	}
}

// Rule: what is no journal is left as it is, and a file has one server at a time.
func TestWhatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "other")
	for _, text := range []string{"x", "something else altogether", "TBJOURN\x02 of a later version"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, Options{}); !errors.Is(err, ErrNoJournal) {
			t.Errorf("%q: %v", text, err)
		}
		if b, err := os.ReadFile(path); string(b) != text || err != nil {
			t.Errorf("%q has become %q", text, b)
		}
	}
	var wrong *fs.PathError
	for _, path := range []string{dir, filepath.Join(dir, "none", "j")} {
		if _, err := Open(path, Options{}); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", path, err)
		}
	}
	path = filepath.Join(dir, "j")
	f := opened(t, path, Options{})
	if _, err := Open(path, Options{}); !errors.Is(err, ErrLocked) && runtime.GOOS != "windows" {
		t.Errorf("a second server: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	opened(t, path, Options{})
}

// Rule: an error of the file is one for good: nothing more is durable, and nobody waits for it.
func TestAFileThatCannotBeWritten(t *testing.T) {
	for _, c := range []struct {
		what string
		do   func(f *File)
		is   error
	}{
		{"gone", func(f *File) { _ = f.file.Close(); f.Append([]byte("x")) }, fs.ErrClosed},
		{"closed", func(f *File) { _ = f.Close(); f.Append([]byte("x")) }, ErrClosed},
		{"an empty record", func(f *File) { f.Append(nil) }, nil},
		{"a record without end", func(f *File) { f.Append(make([]byte, MaxRecord+1)) }, nil},
	} {
		f := opened(t, filepath.Join(t.TempDir(), "j"), Options{})
		f.Append([]byte("first"))
		if list, err := all(f.Records()); len(list) != 1 || err != nil {
			t.Fatal(err)
		}
		c.do(f)
		f.Append([]byte("more"))
		if list, err := all(f.Records()); err == nil || len(list) > 0 || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %d records: %v", c.what, len(list), err)
		}
		if n, err := f.Durable(); n != 1 || err == nil {
			t.Errorf("%s: %d are durable: %v", c.what, n, err)
		}
	}
}

// Rule: a journal in memory is one, too.
func TestMemory(t *testing.T) {
	var m Memory
	record := []byte("a")
	m.Append(record)
	record[0] = 'b'
	m.Append(record)
	if list, err := all(m.Records()); err != nil || !same(list, [][]byte{[]byte("a"), []byte("b")}) || m.Len() != 2 {
		t.Errorf("%q: %v", list, err)
	}
	for range m.Records() {
		break
	}
	m.Cut(1)
	m.Cut(7)
	if list, _ := all(m.Records()); len(list) != 1 {
		t.Errorf("%q", list)
	}
	if n, err := m.Durable(); n < 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// Rule: whatever a file has in it, it is opened up to where it is right, or refused; opening it once more gives the same.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(magic))
	f.Add(append([]byte(magic), append(appendHead(nil, []byte("ab")), "ab"...)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < len(magic) || string(b[:len(magic)]) != magic {
			b = append([]byte(magic), b...)
		}
		list, _, err := reopened(t, b)
		again, _, err2 := reopened(t, b)
		if !same(list, again) || (err == nil) != (err2 == nil) {
			t.Errorf("%v, then %v", err, err2)
		}
	})
}
