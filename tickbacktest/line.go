package tickbacktest

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/tickback/tickback/rollback"
)

// linePrefix begins every line, and is the version of the rest: base64 of
//
//	check 1 byte (+128 if thorough), depth 1, players 1, bytes of an input 1, frames uvarint
//	for each player runs of equal inputs: uvarint length*2, or length*2+1 and
//	  the input, which is zero otherwise
//	runs of frames with the same players gone: uvarint length, set 1 byte, or 2
//	  bytes, little-endian, with more than 8 players
//	orders: uvarint count; of each, uvarint cells since the last, uvarint
//	  length, bytes
//	CRC-32 (IEEE) of it all, 4 bytes, little-endian
const linePrefix = "tb1."

const thoroughBit = 1 << 7

// line returns the match as text.
func (c codec[I]) line(m *match[I]) string {
	check := byte(m.check)
	if m.thorough {
		check |= thoroughBit
	}
	b := []byte{check, byte(m.depth), byte(m.players), byte(c.plan.Size())}
	b = binary.AppendUvarint(b, uint64(m.frames()))
	for p := range m.players {
		b = c.appendInputs(b, m, p)
	}
	for f := 0; f < m.frames(); {
		n := 1
		for f+n < m.frames() && m.gone[f+n] == m.gone[f] {
			n++
		}
		if b = append(binary.AppendUvarint(b, uint64(n)), byte(m.gone[f])); m.players > 8 {
			b = append(b, byte(m.gone[f]>>8))
		}
		f += n
	}
	b = appendOrders(b, m.orders)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return linePrefix + base64.RawURLEncoding.EncodeToString(b)
}

func (c codec[I]) appendInputs(b []byte, m *match[I], p int) []byte {
	for f := 0; f < m.frames(); {
		in, n := m.inputs[f*m.players+p], 1
		for f+n < m.frames() && m.inputs[(f+n)*m.players+p] == in {
			n++
		}
		f += n
		if in == *new(I) {
			b = binary.AppendUvarint(b, uint64(n)*2)
			continue
		}
		b = c.plan.Append(binary.AppendUvarint(b, uint64(n)*2+1), &in)
	}
	return b
}

func appendOrders(b []byte, orders [][]byte) []byte {
	var list []byte
	count, last := 0, 0
	for i, o := range orders {
		if len(o) > 0 {
			list = binary.AppendUvarint(list, uint64(i-last))
			list = append(binary.AppendUvarint(list, uint64(len(o))), o...)
			count, last = count+1, i
		}
	}
	return append(binary.AppendUvarint(b, uint64(count)), list...)
}

var errDamaged = errors.New("the line is damaged: copy it whole, as the failure has printed it")

// parse reads a line.
func (c codec[I]) parse(line string) (*match[I], error) {
	text, ok := strings.CutPrefix(strings.TrimSpace(line), linePrefix)
	if !ok {
		return nil, fmt.Errorf("the line does not begin with %q: it is none, or of another version of tickbacktest", linePrefix)
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < 4+4 {
		return nil, errDamaged
	}
	body, sum := b[:len(b)-4], b[len(b)-4:]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(sum) {
		return nil, errDamaged
	}
	if size := int(body[3]); size != c.plan.Size() {
		return nil, fmt.Errorf("the line is of a game whose inputs have %d bytes, and those of type %T have %d", size, *new(I), c.plan.Size())
	}
	r := &lineReader{bytes.NewReader(body[4:]), nil}
	m := newMatch[I](r.within(int(body[2]), 1, rollback.MaxPlayers), int(r.number(maxFrames)))
	m.check, m.thorough = checkID(body[0]&^thoroughBit), body[0]&thoroughBit != 0
	m.depth = r.within(int(body[1]), 0, rollback.MaxWindow)
	c.readInputs(r, m)
	readGone(r, m)
	readOrders(r, m)
	if r.err != nil || r.Len() > 0 {
		return nil, errDamaged
	}
	m.tidy()
	return m, nil
}

func (c codec[I]) readInputs(r *lineReader, m *match[I]) {
	for p := range m.players {
		for f := 0; f < m.frames() && r.err == nil; {
			run := r.number(2*maxFrames + 1)
			var in I
			if run%2 == 1 {
				in = c.decode(r.bytes(c.plan.Size()))
			}
			for end := f + r.within(int(run/2), 1, m.frames()-f); f < end; f++ {
				m.inputs[f*m.players+p] = in
			}
		}
	}
}

func readGone[I comparable](r *lineReader, m *match[I]) {
	for f := 0; f < m.frames() && r.err == nil; {
		n := r.within(int(r.number(maxFrames)), 1, m.frames()-f)
		set := rollback.PlayerSet(r.bytes(1)[0])
		if m.players > 8 {
			set |= rollback.PlayerSet(r.bytes(1)[0]) << 8
		}
		for end := f + n; f < end; f++ {
			m.gone[f] = set & (1<<m.players - 1)
		}
	}
}

func readOrders[I comparable](r *lineReader, m *match[I]) {
	cell := 0
	for count := r.number(uint64(len(m.orders))); count > 0 && r.err == nil; count-- {
		cell = r.within(cell+int(r.number(uint64(len(m.orders)))), 0, len(m.orders)-1)
		orders := r.bytes(int(r.number(rollback.MaxOrderBytes)))
		if r.err == nil {
			m.orders[cell] = orders
		}
	}
}
