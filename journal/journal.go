// Package journal keeps the records of a match that a server owns, so that the match goes on after the server's process
// has died: give a [File] as the Journal of tickback.ServerOptions. A server that is started again with the file goes on
// after the last tick that anybody was told.
//
//	file, err := journal.Open("match.journal", journal.Options{})
//	if err != nil {
//		return err
//	}
//	defer file.Close()
//	server, err := tickback.Serve(game, tickback.ServerOptions[State, Input]{Journal: file, ...})
//
// What the records contain is the server's affair; docs/reference/journal.md describes them, and the file.
package journal

import (
	"iter"
	"slices"
)

// MaxRecord is the maximum size of a record, in bytes.
const MaxRecord = 64 << 20

// Memory is a journal in memory, for tests: it survives a server, but not its process. The zero value is empty. It must
// not be used by several goroutines at a time.
type Memory struct{ records [][]byte }

// Records yields all records.
func (m *Memory) Records() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, r := range m.records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Append appends a copy of a record.
func (m *Memory) Append(record []byte) { m.records = append(m.records, slices.Clone(record)) }

// Durable returns that everything is.
func (m *Memory) Durable() (records uint64, err error) { return 1<<64 - 1, nil }

// Len returns the number of records.
func (m *Memory) Len() int { return len(m.records) }

// Cut removes all records after the first n, as a process does that dies before they were durable.
func (m *Memory) Cut(n int) { m.records = m.records[:min(n, len(m.records))] }
