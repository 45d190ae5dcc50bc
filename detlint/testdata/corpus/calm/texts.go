package calm

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"unicode"

	"github.com/tickback/tickback/canon"
)

//tickback:deterministic
func hashed(s *state) uint64 {
	var b []byte
	for i := range s.units {
		b = binary.LittleEndian.AppendUint32(b, uint32(s.units[i].HP))
	}
	return canon.HashBytes(b)
}

//tickback:deterministic
func checksum(s *state) { s.n = int32(crc32.ChecksumIEEE(s.raw) & 0xffff) }

//tickback:deterministic
func named(s *state) { s.text = fmt.Sprintf("unit %d of %d: %s", s.n, len(s.units), s.text) }

//tickback:deterministic
func built(s *state) {
	var b strings.Builder
	for i := range s.units {
		b.WriteString(strconv.Itoa(int(s.units[i].ID)))
		b.WriteByte(',')
	}
	s.text = b.String()
}

//tickback:deterministic
func buffered(s *state) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d", s.n)
	s.raw = append(s.raw[:0], b.Bytes()...)
}

//tickback:deterministic
func words(s *state) {
	for i, w := range strings.FieldsFunc(s.text, unicode.IsSpace) {
		s.ring[i%16] = int32(len(w))
	}
}

//tickback:deterministic
func parsed(s *state) error {
	n, err := strconv.ParseInt(s.text, 10, 32)
	if err != nil {
		return fmt.Errorf("number %q: %w", s.text, err)
	}
	s.n = int32(n)
	return nil
}

var errNone = errors.New("calm: there is none")

//tickback:deterministic
func sentinel(s *state) error {
	if len(s.units) == 0 {
		return errNone
	}
	return nil
}

//tickback:deterministic
func checkedError(s *state) { s.n = int32(btoi(errors.Is(sentinel(s), errNone))) }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

//tickback:deterministic
func recovered(s *state) {
	defer func() {
		if recover() != nil {
			s.n = -1
		}
	}()
	s.n = s.free[s.n]
}

//tickback:deterministic
func hexed(s *state) { s.text = hex.EncodeToString(s.raw) }
