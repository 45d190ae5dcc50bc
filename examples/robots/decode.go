package robots

import "fmt"

// DecodeError says why bytes are not an encoded state.
type DecodeError struct {
	Offset int    // where reading ended
	What   string // what is wrong there
}

// Error names the offset and what is wrong.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("robots: no encoded state: byte %d: %s", e.Offset, e.What)
}

// decode makes *s the image that b encodes. After an error *s is unusable, so it must be an image that is not
// in use. Otherwise the image has all the properties that restore and the rules rely on, and encodes to the
// same bytes again.
func (s *Snapshot) decode(b []byte) error {
	d := decoder{b: b}
	if version := d.byte(); d.err == nil && version != Version {
		d.fail("version %d, not %d", version, Version)
	}
	s.Frame, s.LastID = d.uint32(), d.uint32()
	s.Winner = uint8(d.below(MaxPlayers+1, "winner"))
	s.First = int8(d.byte())
	s.Rng.S0, s.Rng.S1 = d.uint64(), d.uint64()
	s.Robots = grow(s.Robots, int(d.below(MaxPlayers+1, "number of robots")))
	for i := range s.Robots {
		d.robot(&s.Robots[i], i)
	}
	s.Bullets = grow(s.Bullets, int(d.below(MaxBullets+1, "number of bullets")))
	for i := range s.Bullets {
		x := &s.Bullets[i]
		x.ID, x.At, x.Dir = d.uint32(), d.cell(), Dir(d.below(dirs, "direction"))
		x.Life = uint8(d.below(BulletLife+1, "life"))
		x.By = d.index(len(s.Robots))
		d.check(x.Life > 0, "a bullet without life")
	}
	s.decodeMines(&d)
	s.checkLinks(&d)
	d.check(len(d.b) == d.at, "bytes after the end")
	return d.err
}

func (s *Snapshot) decodeMines(d *decoder) {
	if s.Mines == nil {
		s.Mines = make(map[Cell]MineImage, MaxMines)
	}
	clear(s.Mines)
	for n, last := d.below(MaxMines+1, "number of mines"), -1; n > 0 && d.err == nil; n-- {
		c := d.cell()
		d.check(int(c) > last, "mines out of order")
		last = int(c)
		s.Mines[c] = MineImage{d.uint32(), d.uint32(), d.index(len(s.Robots))}
	}
}

// checkLinks checks the links that need the whole image: a careless decoder would follow wrong ones out of
// bounds, or around forever.
func (s *Snapshot) checkLinks(d *decoder) {
	if d.err != nil {
		return
	}
	for i := range s.Robots {
		r := &s.Robots[i]
		d.check(valid(r.Target, len(s.Robots), true), "target")
		d.check(valid(r.Next, len(s.Robots), false), "next robot")
		d.check(valid(r.Last, len(s.Bullets), true), "last bullet")
		if d.err == nil && r.Last != none {
			d.check(int(s.Bullets[r.Last].By) == i, "the last bullet of another")
		}
	}
	if !valid(s.First, len(s.Robots), len(s.Robots) == 0) {
		d.check(false, "first robot")
	}
	if d.err != nil || len(s.Robots) == 0 {
		return
	}
	// The ring has to come back to where it began, after all robots and no sooner.
	at := s.First
	for n := range s.Robots {
		at = s.Robots[at].Next
		d.check((at == s.First) == (n == len(s.Robots)-1), "the ring of turns")
	}
}

// valid reports whether i is an index below n, or none if orNone allows that.
func valid(i int8, n int, orNone bool) bool {
	return i >= 0 && int(i) < n || i == none && orNone
}

// decoder reads numbers from b. After the first error it reads zeros.
type decoder struct {
	b   []byte
	at  int
	err error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = &DecodeError{d.at, fmt.Sprintf(format, args...)}
	}
}

func (d *decoder) check(ok bool, what string) {
	if !ok {
		d.fail("%s", what)
	}
}

// take returns the next n bytes, or nil. All lengths are checked here, so that no memory is allocated for
// bytes that are missing.
func (d *decoder) take(n int) []byte {
	if d.err == nil && n > len(d.b)-d.at {
		d.fail("the end, %d bytes too early", n-(len(d.b)-d.at))
	}
	if d.err != nil {
		return nil
	}
	d.at += n
	return d.b[d.at-n : d.at]
}

// number reads a number of n bytes.
func (d *decoder) number(n int) (v uint64) {
	for i, x := range d.take(n) {
		v |= uint64(x) << (8 * i)
	}
	return v
}

func (d *decoder) byte() byte     { return byte(d.number(1)) }
func (d *decoder) uint16() uint16 { return uint16(d.number(2)) }
func (d *decoder) uint32() uint32 { return uint32(d.number(4)) }
func (d *decoder) uint64() uint64 { return d.number(8) }

// below reads a byte that must be less than n.
func (d *decoder) below(n int, what string) byte {
	v := d.byte()
	if int(v) >= n {
		d.fail("%s %d, not below %d", what, v, n)
		return 0
	}
	return v
}

func (d *decoder) cell() Cell {
	c := Cell(d.uint16())
	if c >= cells {
		d.fail("cell %d, not below %d", c, cells)
		return 0
	}
	return c
}

// index reads the index of a robot.
func (d *decoder) index(robots int) int8 { return int8(d.below(robots, "index of a robot")) }

// robot reads one robot. Its links are checked when everything has been read.
func (d *decoder) robot(r *RobotImage, i int) {
	r.Player, r.Dir = d.byte(), Dir(d.below(dirs, "direction"))
	d.check(int(r.Player) == i, "robots out of order")
	r.At, r.Hp, r.Reload, r.Down, r.Score = d.cell(), int16(d.uint16()), d.uint16(), d.uint16(), d.uint16()
	d.check(r.Hp >= 0 && r.Hp <= FullHp, "health")
	r.Target, r.Last, r.Next = int8(d.byte()), int8(d.byte()), int8(d.byte())
	vm := &r.VM
	vm.PC, vm.Fault = d.uint16(), Fault(d.below(faults, "fault"))
	vm.Program = append(vm.Program[:0], d.take(d.length(MaxProgram, "program"))...)
	vm.Stack = d.words(vm.Stack, MaxStack, "stack")
	vm.Heap = d.words(vm.Heap, MaxHeap, "heap")
	d.check(int(vm.PC) <= len(vm.Program), "program counter")
}

// length reads a length that must be at most n.
func (d *decoder) length(n int, what string) int {
	v := int(d.uint16())
	if v > n {
		d.fail("%s of length %d, more than %d", what, v, n)
		return 0
	}
	return v
}

func (d *decoder) words(list []int32, most int, what string) []int32 {
	list = list[:0]
	for n := d.length(most, what); n > 0 && d.err == nil; n-- {
		list = append(list, int32(d.uint32()))
	}
	return list
}
