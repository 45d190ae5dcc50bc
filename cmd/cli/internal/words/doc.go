// Package words formats for people what several commands print: players, who are counted from 1, lengths of time,
// checksums.
package words
