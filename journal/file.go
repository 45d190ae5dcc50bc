package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"sync"
)

// magic begins a file: what it is, and the version of its format.
const magic = "TBJOURN\x01"

// headSize is the size of what precedes a record: its size (4), the CRC-32C of the record (4), and that of these eight
// bytes (4), all little-endian. So a size that is damaged is not taken for a record that is incomplete.
const headSize = 12

var table = crc32.MakeTable(crc32.Castagnoli)

// appendHead appends what precedes a record.
func appendHead(b, record []byte) []byte {
	at := len(b)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(record)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(record, table))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[at:], table))
}

// parseHead returns the size of the record that follows, and its checksum. ok says that nothing is damaged.
func parseHead(head *[headSize]byte) (size int64, sum uint32, ok bool) {
	size, sum = int64(binary.LittleEndian.Uint32(head[:])), binary.LittleEndian.Uint32(head[4:])
	return size, sum, size > 0 && size <= MaxRecord && crc32.Checksum(head[:8], table) == binary.LittleEndian.Uint32(head[8:])
}

// ErrNoJournal means that a file is something else than a journal, or one of a later version.
var ErrNoJournal = errors.New("journal: the file is no journal that this version can read")

// ErrLocked means that another process, or another File of this one, has the file open.
var ErrLocked = errors.New("journal: the file is in use by another server")

// ErrClosed means that the file has been closed.
var ErrClosed = errors.New("journal: closed")

// DamageError means that a record in the midst of the file is damaged, so that those after it cannot be trusted. The last
// record of a process that died while it wrote is no damage: it is removed.
type DamageError struct {
	Path   string
	Offset int64 // of the record, in bytes
}

// Error names the place.
func (e *DamageError) Error() string {
	return fmt.Sprintf("journal: %s: damaged at byte %d, before its end", e.Path, e.Offset)
}

// Options are options of a [File].
type Options struct {
	// Sync makes every record wait for the disk, so that what is durable survives a power failure, too. Without it, it
	// survives the death of the process, whatever the reason, and not that of the machine.
	Sync bool
}

// File is a journal in a file. Its records are written by a goroutine of its own, so that no tick waits for a slow disk
// unless it has to. Its methods may be called by several goroutines.
type File struct {
	file  *os.File
	sync  bool
	found int
	cut   int64
	done  chan struct{} // the writer has ended

	mutex   sync.Mutex
	work    sync.Cond // there is something to write, or it is closed
	idle    sync.Cond // everything is written, or there was an error
	waiting []byte    // appended and not written yet
	added   uint64    // how many records were appended
	durable uint64
	closed  bool
	err     error
}

// Open opens the journal at a path, which only this user may read, and creates it if there is none. It removes an
// incomplete record at the end; see [File.Removed]. The error is a [*DamageError], [ErrNoJournal], [ErrLocked] where the
// system can tell, or an *fs.PathError.
func Open(path string, o Options) (*File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	f := &File{file: file, sync: o.Sync, done: make(chan struct{})}
	f.work.L, f.idle.L = &f.mutex, &f.mutex
	if err := f.open(); err != nil {
		_ = file.Close() // nothing was written
		return nil, err
	}
	go f.write()
	return f, nil
}

// open locks the file, finds the end of its last record, and writes the beginning of a new one.
func (f *File) open() error {
	if err := lock(f.file); err != nil {
		return err
	}
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	begin := make([]byte, len(magic))
	n, err := io.ReadFull(f.file, begin)
	switch {
	case size < int64(len(magic)) && string(begin[:n]) == magic[:n]: // it is new, or that was all that was written
		if err := f.file.Truncate(0); err != nil {
			return err
		}
		_, err := f.file.WriteAt([]byte(magic), 0)
		return errors.Join(err, f.seek(int64(len(magic))))
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case string(begin) != magic:
		return ErrNoJournal
	}
	end := int64(len(magic))
	for record, err := range f.from(end, size) {
		if err == nil {
			end += headSize + int64(len(record))
			f.found++
			continue
		}
		if !errors.Is(err, errTorn) {
			return err
		}
		f.cut = size - end
		if err := f.file.Truncate(end); err != nil {
			return err
		}
	}
	return f.seek(end)
}

func (f *File) seek(to int64) error {
	_, err := f.file.Seek(to, io.SeekStart)
	return err
}

// errTorn means that the last record is incomplete.
var errTorn = errors.New("the last record is incomplete")

// from yields the records from an offset up to an end.
func (f *File) from(at, end int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var head [headSize]byte
		var b []byte
		in := io.NewSectionReader(f.file, 0, end)
		for at < end {
			wrong := func() { yield(nil, f.wrong(at, end)) }
			if _, err := in.ReadAt(head[:], at); err != nil {
				if errors.Is(err, io.EOF) {
					err = errTorn
				}
				yield(nil, err)
				return
			}
			size, sum, ok := parseHead(&head)
			if !ok || at+headSize+size > end {
				wrong()
				return
			}
			if int64(cap(b)) < size {
				b = make([]byte, size)
			}
			b = b[:size]
			if _, err := in.ReadAt(b, at+headSize); err != nil {
				yield(nil, err)
				return
			}
			if crc32.Checksum(b, table) != sum {
				wrong()
				return
			}
			if !yield(b, nil) {
				return
			}
			at += headSize + size
		}
	}
}

// wrong returns why the record at an offset is none. If nothing but zeros follows it, the process or the machine has died
// while it was written; otherwise it was damaged later.
func (f *File) wrong(at, end int64) error {
	var head [headSize]byte
	if n, err := f.file.ReadAt(head[:], at); n < headSize {
		if errors.Is(err, io.EOF) {
			return errTorn
		}
		return err
	}
	next := at + headSize
	if size, _, ok := parseHead(&head); ok {
		next = min(next+size, end)
	}
	rest := io.NewSectionReader(f.file, next, end-next)
	b := make([]byte, 64<<10)
	for {
		n, err := rest.Read(b)
		for _, c := range b[:n] {
			if c != 0 {
				return &DamageError{f.file.Name(), at}
			}
		}
		if errors.Is(err, io.EOF) {
			return errTorn
		} else if err != nil {
			return err
		}
	}
}

// Found returns how many records there were when the file was opened. With any, a server goes on.
func (f *File) Found() int { return f.found }

// Removed returns how many bytes of an incomplete record [Open] has removed.
func (f *File) Removed() int64 { return f.cut }

// Records yields all records. It waits until those that were appended are written.
func (f *File) Records() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f.mutex.Lock()
		for f.durable < f.added && f.err == nil {
			f.idle.Wait()
		}
		err := f.err
		f.mutex.Unlock()
		info, statErr := f.file.Stat()
		if err = errors.Join(err, statErr); err != nil {
			yield(nil, err)
			return
		}
		for record, err := range f.from(int64(len(magic)), info.Size()) {
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

// Append appends a copy of a record. One without bytes, or with more than [MaxRecord], is an error of [File.Durable].
func (f *File) Append(record []byte) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.added++
	switch {
	case f.err != nil:
		return
	case f.closed:
		f.fail(ErrClosed)
		return
	case len(record) == 0 || len(record) > MaxRecord:
		f.fail(fmt.Errorf("journal: a record of %d bytes, not 1 to %d", len(record), MaxRecord))
		return
	}
	f.waiting = append(appendHead(f.waiting, record), record...)
	f.work.Signal()
}

// fail keeps the first error. The mutex is locked.
func (f *File) fail(err error) {
	if f.err == nil {
		f.err = err
	}
	f.idle.Broadcast()
}

// Durable returns how many of the records appended to this File are written, and with [Options.Sync] on the disk. An
// error means that no more will be.
func (f *File) Durable() (records uint64, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.durable, f.err
}

// write writes what is appended, until the file is closed.
func (f *File) write() {
	defer close(f.done)
	var b []byte
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for {
		for len(f.waiting) == 0 && !f.closed {
			f.work.Wait()
		}
		if len(f.waiting) == 0 || f.err != nil {
			return
		}
		b, f.waiting = f.waiting, b[:0]
		upTo := f.added
		f.mutex.Unlock()
		_, err := f.file.Write(b)
		if err == nil && f.sync {
			err = f.file.Sync()
		}
		f.mutex.Lock()
		if err != nil {
			f.fail(err)
			return
		}
		if f.durable = upTo; f.durable == f.added {
			f.idle.Broadcast()
		}
	}
}

// Close writes what is left, and closes the file. It returns the first error of all that were to be written.
func (f *File) Close() error {
	f.mutex.Lock()
	if f.closed {
		f.mutex.Unlock()
		return nil
	}
	f.closed = true
	f.work.Signal()
	f.mutex.Unlock()
	<-f.done
	f.mutex.Lock()
	err := f.err
	f.fail(ErrClosed)
	f.mutex.Unlock()
	return errors.Join(err, f.file.Close())
}
