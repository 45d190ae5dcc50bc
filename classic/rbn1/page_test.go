package rbn1_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/internal/page"
)

// number reads a number of the page, in any base that Go has.
func number(t testing.TB, text string) uint32 {
	t.Helper()
	n, err := strconv.ParseUint(text, 0, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(n)
}

// layout writes a packet by the page's table alone.
func layout(t *testing.T, rows [][]string, h rbn1.Header, buttons []uint16) (b []byte) {
	t.Helper()
	values := map[string]uint32{
		"flags": 0, "StartFrame": h.StartFrame, "Count": uint32(len(buttons)), "AckFrame": h.AckFrame,
		"ChecksumFrame": h.ChecksumFrame, "Checksum": h.Checksum,
	}
	if h.HasChecksum {
		values["flags"] = 1
	}
	literal := regexp.MustCompile("^`?((?:[0-9A-F]{2} ?)+)")
	for _, row := range rows {
		offset, width, field, meaning := row[0], row[1], row[2], row[3]
		if strings.HasPrefix(meaning, "only with HasChecksum") && !h.HasChecksum {
			continue
		}
		if without, with, either := strings.Cut(offset, " or "); either {
			offset = map[bool]string{false: without, true: with}[h.HasChecksum]
		}
		if int(number(t, offset)) != len(b) {
			t.Errorf("%s: the page has it at %s, and what is before it ends at %d", field, offset, len(b))
		}
		value, plain := values[field]
		switch constant := literal.FindStringSubmatch(meaning); {
		case field == "inputs":
			each := number(t, strings.TrimSuffix(width, " × Count"))
			for _, pressed := range buttons {
				b = little(b, uint32(pressed), each)
			}
		case plain:
			b = little(b, value, number(t, width))
		case constant != nil:
			raw := unhex(t, constant[1])
			if b = append(b, raw...); len(raw) != int(number(t, width)) {
				t.Errorf("%s has not %s bytes", field, width)
			}
		default:
			t.Errorf("what is %s?", field)
		}
	}
	return b
}

// little appends the lower bytes of a number, the lowest first.
func little(b []byte, v, width uint32) []byte {
	for k := range width {
		b = append(b, byte(v>>(8*k)))
	}
	return b
}

// checkLayout: an encoder that is made of the page writes what ours does.
func checkLayout(t *testing.T, p *page.Page) {
	rows := p.Table("Layout", "offset", "bytes", "field", "meaning")
	for count := 1; count <= rbn1.MaxInputs; count++ {
		h := rbn1.Header{StartFrame: 0x9E3779B9 * uint32(count), AckFrame: 0x85EBCA6B * uint32(count)}
		if h.HasChecksum = count%2 == 0; h.HasChecksum {
			h.ChecksumFrame, h.Checksum = 0xC2B2AE35*uint32(count), 0x27D4EB2F*uint32(count)
		}
		buttons := make([]uint16, count)
		for i := range buttons {
			buttons[i] = uint16(40503 * (i + count))
		}
		got, err := rbn1.Append(nil, h, buttons)
		if want := layout(t, rows, h, buttons); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d inputs: the codec writes\n%x, %v, and the page\n%x", count, got, err, want)
		}
	}
}

// checkSizes: constants, the sizes that they make, and what that costs.
func checkSizes(t *testing.T, p *page.Page) {
	declared := page.Constants(t, ".", nil)
	for _, row := range p.Table("Constants", "constant", "value", "meaning") {
		if c, is := declared[row[0]]; !is || number(t, c.Value) != number(t, row[1]) {
			t.Errorf("%s: the page has %s, and the code %v", row[0], row[1], c)
		}
		delete(declared, row[0])
	}
	if len(declared) > 0 {
		t.Errorf("the page does not have %v", declared)
	}
	for _, row := range p.Table("Constants", "inputs", "bytes without a checksum", "with one") {
		for i, with := range []bool{false, true} {
			b, err := rbn1.Append(nil, rbn1.Header{HasChecksum: with}, make([]uint16, number(t, row[0])))
			if err != nil || len(b) != int(number(t, row[i+1])) {
				t.Errorf("%s inputs, a checksum is %v: %d bytes, %v", row[0], with, len(b), err)
			}
		}
	}
	p.Says("Constants", "At %d packets a second the largest make %d bytes a second", 60, 60*rbn1.MaxSize)
	p.Says("Why inputs are repeated", "an input has %s bytes, and the headers of UDP and IPv4 alone have %d.",
		page.Constants(t, ".", nil)["inputSize"].Value, 8+20)
	p.Says("Why inputs are repeated", "The bound is %d:", rbn1.MaxInputs)
	p.Says("Why inputs are repeated", "At %d ticks a second that is after %d ms", 60, 1000*rbn1.MaxInputs/60)
}

// checkFlags: a packet with a flag is taken if the page says so, and refused if the bit is
// reserved.
func checkFlags(t *testing.T, p *page.Page) {
	bits := byte(0)
	for _, row := range p.Table("Flags", "bit", "mask", "name", "in version 1") {
		mask := byte(number(t, row[1]))
		first, last, _ := strings.Cut(row[0], " to ")
		if last == "" {
			last = first
		}
		if want := 2<<number(t, last) - 1<<number(t, first); int(mask) != want {
			t.Errorf("bits %s are %#x", row[0], want)
		}
		for flag := 1; flag < 256; flag <<= 1 {
			if mask&byte(flag) == 0 {
				continue
			}
			bits |= byte(flag)
			b := unhex(t, frozen[1].hex)
			b[5] = 1 | byte(flag)
			if _, err := rbn1.Decode(b); strings.HasPrefix(row[3], "reserved") != errors.Is(err, rbn1.ErrFlags) {
				t.Errorf("flag %#x: %v", flag, err)
			}
		}
	}
	if bits != 0xFF {
		t.Errorf("the page has the flags %08b", bits)
	}
}

// checkExamples: the packets of the page are what the codec writes for their fields.
func checkExamples(t *testing.T, p *page.Page) []byte {
	var example []byte
	fields := map[string][]uint32{}
	for _, row := range p.Table("An example", "bytes", "field", "value") {
		raw := unhex(t, row[0])
		example = append(example, raw...)
		if row[1] == "magic" {
			if strconv.Quote(string(raw)) != row[2] {
				t.Errorf("the magic is %q", raw)
			}
			continue
		}
		fields[row[1]] = append(fields[row[1]], number(t, row[2]))
		if got := little(nil, number(t, row[2]), uint32(len(raw))); !bytes.Equal(got, raw) {
			t.Errorf("%s: %s is %x", row[1], row[2], got)
		}
	}
	got, err := rbn1.Decode(example)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprint([][]uint32{fields["StartFrame"], fields["AckFrame"], fields["ChecksumFrame"], fields["Checksum"], fields["inputs"]})
	if g := fmt.Sprint([]any{[]uint32{got.StartFrame}, []uint32{got.AckFrame}, []uint32{got.ChecksumFrame}, []uint32{got.Checksum}, got.Buttons}); g != want {
		t.Errorf("the example is %s, and its fields %s", g, want)
	}
	if !bytes.Equal(example, unhex(t, frozen[1].hex)) {
		t.Errorf("the example is not the frozen packet: %x", example)
	}
	smallest := frozen[0]
	p.Says("An example", "with StartFrame %d, AckFrame %d and the input 0x%04X", smallest.header.StartFrame, smallest.header.AckFrame, smallest.buttons[0])
	if b := unhex(t, strings.Join(strings.Fields(p.Code("An example", "hex")), "")); !bytes.Equal(b, unhex(t, smallest.hex)) {
		t.Errorf("the smallest packet is %x", b)
	}
	return example
}

// spoil changes a packet as the page says.
func spoil(t *testing.T, b []byte, how string) []byte {
	t.Helper()
	what, rest, _ := strings.Cut(strings.ReplaceAll(how, "`", ""), " ")
	switch what {
	case "first":
		return b[:number(t, rest)]
	case "more:":
		return append(b, unhex(t, rest)...)
	}
	at, raw, _ := strings.Cut(rest, ": ")
	copy(b[number(t, at):], unhex(t, raw))
	return b
}

// checkReasons: each row of the page is refused with its error, and with all that come after
// it as well, since the first reason counts.
func checkReasons(t *testing.T, p *page.Page, example []byte) {
	reasons := map[string]error{
		"ErrShort": rbn1.ErrShort, "ErrMagic": rbn1.ErrMagic, "ErrVersion": rbn1.ErrVersion,
		"ErrFlags": rbn1.ErrFlags, "ErrCount": rbn1.ErrCount, "ErrLength": rbn1.ErrLength,
	}
	b := slices.Clone(example)
	rows := p.Table("What is refused", "order", "what", "error", "for example")
	for i, row := range slices.Backward(rows) {
		if number(t, row[0]) != uint32(i+1) {
			t.Errorf("row %d is %s", i+1, row[0])
		}
		alone := spoil(t, slices.Clone(example), row[3])
		b = spoil(t, b, row[3])
		for _, packet := range [][]byte{alone, b} {
			if _, err := rbn1.Decode(packet); reasons[row[2]] == nil || !errors.Is(err, reasons[row[2]]) {
				t.Errorf("%s: %x is %v", row[2], packet, err)
			}
		}
		delete(reasons, row[2])
	}
	if len(reasons) > 0 {
		t.Errorf("the page does not have %v", reasons)
	}
}

// checkDamage: a bit that is wrong in a frame number, the checksum or an input is another
// packet.
func checkDamage(t *testing.T, example []byte) {
	for i := range example {
		if i < 6 || i == 10 {
			continue
		}
		for bit := range 8 {
			b := slices.Clone(example)
			b[i] ^= 1 << bit
			packet, err := rbn1.Decode(b)
			if err != nil {
				t.Errorf("byte %d: %v", i, err)
			}
			if again, err := rbn1.Append(nil, packet.Header, packet.Buttons); err != nil || !bytes.Equal(again, b) {
				t.Errorf("byte %d: %x is read as %x", i, b, again)
			}
		}
	}
}

// The page of RBN1 says what the codec does. What it says of the match is held by
// classic.
func TestThePageOfRBN1IsTrue(t *testing.T) {
	p := page.Open(t, "../../docs/reference/rbn1.md")
	checkLayout(t, p)
	checkSizes(t, p)
	checkFlags(t, p)
	example := checkExamples(t, p)
	checkReasons(t, p, example)
	checkDamage(t, example)
	others := slices.DeleteFunc(p.Titles(), func(title string) bool {
		return title == "The match" || title == "What it is not good for"
	})
	p.Loose([]string{"RBN1, version 1,", "RBN1", "rbn1", "FNV-1a", "CRC-32", "modulo 2^32", "one of 2^32", "32 bits", "64-bit hashes"}, others...)
}
