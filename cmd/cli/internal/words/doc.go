// Package words formats what several commands print for people: players, who are counted from 1, lengths of time,
// checksums.
package words
