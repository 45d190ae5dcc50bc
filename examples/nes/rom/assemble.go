package rom

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	programSize = 0x4000
	tilesSize   = 0x2000
	firstByte   = 0x10000 - programSize // the address of the program
)

// mode is how an instruction finds what it works on.
type mode uint8

const (
	implied     mode = iota
	immediate        // #n
	direct           // n, of one byte or two
	indexed          // n,x
	relative         // a label nearby
	accumulator      // a
)

// opcodes has, of the instructions that games here use, the codes by how they find their operand. Two codes of a direct or
// indexed one are for addresses of one byte and of two; 0 means that there is none.
var opcodes = map[string]map[mode][2]byte{
	"adc": {immediate: {0x69}, direct: {0x65, 0x6D}, indexed: {0x75, 0x7D}},
	"and": {immediate: {0x29}, direct: {0x25, 0x2D}, indexed: {0x35, 0x3D}},
	"asl": {accumulator: {0x0A}, direct: {0x06, 0x0E}},
	"bcc": {relative: {0x90}}, "bcs": {relative: {0xB0}}, "beq": {relative: {0xF0}}, "bne": {relative: {0xD0}}, "bpl": {relative: {0x10}},
	"bit": {direct: {0x24, 0x2C}},
	"clc": {implied: {0x18}}, "cld": {implied: {0xD8}},
	"cmp": {immediate: {0xC9}, direct: {0xC5, 0xCD}, indexed: {0xD5, 0xDD}},
	"cpx": {immediate: {0xE0}},
	"dec": {direct: {0xC6, 0xCE}, indexed: {0xD6, 0xDE}},
	"dex": {implied: {0xCA}}, "dey": {implied: {0x88}},
	"eor": {immediate: {0x49}, direct: {0x45, 0x4D}},
	"inc": {direct: {0xE6, 0xEE}, indexed: {0xF6, 0xFE}},
	"inx": {implied: {0xE8}},
	"jmp": {direct: {0, 0x4C}}, "jsr": {direct: {0, 0x20}},
	"lda": {immediate: {0xA9}, direct: {0xA5, 0xAD}, indexed: {0xB5, 0xBD}},
	"ldx": {immediate: {0xA2}, direct: {0xA6, 0xAE}},
	"ldy": {immediate: {0xA0}, direct: {0xA4, 0xAC}},
	"lsr": {accumulator: {0x4A}, direct: {0x46, 0x4E}},
	"rol": {accumulator: {0x2A}, direct: {0x26, 0x2E}, indexed: {0x36, 0x3E}},
	"rti": {implied: {0x40}}, "rts": {implied: {0x60}},
	"sbc": {immediate: {0xE9}, direct: {0xE5, 0xED}, indexed: {0xF5, 0xFD}},
	"sec": {implied: {0x38}}, "sei": {implied: {0x78}},
	"sta": {direct: {0x85, 0x8D}, indexed: {0x95, 0x9D}},
	"stx": {direct: {0x86, 0x8E}}, "sty": {direct: {0x84, 0x8C}},
	"tax": {implied: {0xAA}}, "tay": {implied: {0xA8}}, "txs": {implied: {0x9A}}, "tya": {implied: {0x98}},
}

// Assemble makes an iNES file of a source: a line has a label with a colon, an instruction of the 6502 in small letters, and a
// comment after a semicolon. "name = value" names a number, "org" sets the address, "byte" and "word" give numbers, and
// "tile" is followed by a picture of up to 8 lines of up to 8 dots, where nothing is, or of -, + and #, which are the three
// colours of a palette. Errors name the line.
func Assemble(source string) ([]byte, error) {
	a := assembler{names: map[string]int{}}
	for a.pass = 1; a.pass <= 2; a.pass++ { // labels are known in the second one
		a.file = make([]byte, 16+programSize+tilesSize)
		copy(a.file, "NES\x1a\x01\x01")
		a.at, a.tile = firstByte, -1
		for i, line := range strings.Split(source, "\n") {
			line, _, _ = strings.Cut(line, ";")
			if err := a.line(strings.TrimSpace(line)); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
		}
	}
	return a.file, nil
}

type assembler struct {
	pass      int
	names     map[string]int
	file      []byte
	at        int // the address of the next byte
	tile, row int // the picture that is being read; -1 for none
}

func (a *assembler) line(line string) error {
	if line == "" {
		return nil
	}
	if a.tile >= 0 && strings.Trim(line, ".-+#") == "" {
		return a.picture(line)
	}
	if name, value, ok := strings.Cut(line, "="); ok {
		n, err := a.number(strings.TrimSpace(value))
		a.names[strings.TrimSpace(name)] = n
		return err
	}
	if label, rest, ok := strings.Cut(line, ":"); ok {
		if old, known := a.names[label]; known && old != a.at {
			return fmt.Errorf("%s is named twice", label)
		}
		a.names[label] = a.at
		return a.line(strings.TrimSpace(rest))
	}
	word, operand, _ := strings.Cut(line, " ")
	operand = strings.TrimSpace(operand)
	switch word {
	case "org":
		n, err := a.number(operand)
		a.at = n
		return err
	case "tile":
		n, err := a.number(operand)
		if err == nil && n >= tilesSize/16 {
			err = fmt.Errorf("there is no tile %d", n)
		}
		a.tile, a.row = n, 0
		return err
	case "byte", "word":
		for _, part := range strings.Split(operand, ",") {
			n, err := a.number(part)
			if err != nil {
				return err
			}
			bytes := []int{n}
			if word == "word" {
				bytes = []int{n & 0xFF, n >> 8}
			} else if n > 0xFF {
				return fmt.Errorf("%d does not fit into a byte", n)
			}
			if err := a.put(bytes...); err != nil {
				return err
			}
		}
		return nil
	}
	return a.instruction(word, operand)
}

func (a *assembler) put(bytes ...int) error {
	for _, b := range bytes {
		if a.at < firstByte || a.at > 0xFFFF {
			return fmt.Errorf("%#x is not in the program", a.at)
		}
		a.file[16+a.at-firstByte] = byte(b)
		a.at++
	}
	return nil
}

func (a *assembler) instruction(word, operand string) error {
	codes := opcodes[word]
	if codes == nil {
		return fmt.Errorf("there is no instruction %q", word)
	}
	m := direct
	switch {
	case operand == "":
		m = implied
	case operand == "a":
		m = accumulator
	case operand[0] == '#':
		m, operand = immediate, operand[1:]
	case strings.HasSuffix(operand, ",x"):
		m, operand = indexed, strings.TrimSuffix(operand, ",x")
	case codes[relative][0] != 0:
		m = relative
	}
	code, ok := codes[m]
	if !ok {
		return fmt.Errorf("%s cannot be used like this", word)
	}
	if m == implied || m == accumulator {
		return a.put(int(code[0]))
	}
	n, err := a.number(operand)
	if err != nil {
		return err
	}
	switch {
	case m == immediate && n > 0xFF && a.pass == 2: // labels are not known before
		return fmt.Errorf("%d does not fit into a byte", n)
	case m == immediate:
		return a.put(int(code[0]), n&0xFF)
	case m == relative:
		far := n - a.at - 2
		if a.pass == 2 && (far < -128 || far > 127) {
			return fmt.Errorf("%s is too far away: %d bytes", operand, far)
		}
		return a.put(int(code[0]), far&0xFF)
	case n < 0x100 && code[0] != 0: // labels are far above that, known or not
		return a.put(int(code[0]), n)
	}
	return a.put(int(code[1]), n&0xFF, n>>8)
}

// number returns the value of a number, of a name, or of a name and a number more. Labels may be unknown in the first pass.
func (a *assembler) number(text string) (int, error) {
	text = strings.TrimSpace(text)
	name, more, plus := strings.Cut(text, "+")
	sum := 0
	if plus {
		n, err := strconv.Atoi(more)
		if err != nil || n < 0 || n > 0xFF {
			return 0, fmt.Errorf("%q is no number", more)
		}
		sum = n
	}
	if n, ok := a.names[name]; ok {
		return n + sum, nil
	}
	base := 10
	if strings.HasPrefix(name, "$") {
		name, base = name[1:], 16
	}
	n, err := strconv.ParseUint(name, base, 16)
	if err == nil {
		return int(n) + sum, nil
	}
	if a.pass == 1 && name != "" {
		return 0x8000, nil // a label that is not known yet
	}
	return 0, fmt.Errorf("%q is neither a number nor known", text)
}

// picture reads a line of a tile. Its colours are numbers of two bits, which the console keeps apart.
func (a *assembler) picture(line string) error {
	if a.row == 8 || len(line) > 8 {
		return fmt.Errorf("a tile has 8 lines of 8 dots")
	}
	at := 16 + programSize + 16*a.tile + a.row
	a.file[at], a.file[at+8] = 0, 0
	for i := range line {
		colour := strings.IndexByte(".-+#", line[i])
		a.file[at] |= byte(colour & 1 << 7 >> i)
		a.file[at+8] |= byte(colour >> 1 << 7 >> i)
	}
	a.row++
	return nil
}
