package desync

// snapshots holds encodings of final states, in ascending order: of every hashed state if they fit, otherwise of
// one in stride.
type snapshots struct {
	list   []snapshot
	spare  [][]byte
	size   int    // bytes of the list
	budget int    // bytes
	unit   uint32 // states that are a multiple of it can be kept
	stride uint64 // one in this many of them is kept: a power of two
	span   uint32 // frames that the list has to cover
	last   int    // cost of the newest snapshot
	off    bool
	next   uint32 // the next wanted state; None if there is none
}

// snapshot is one state.
type snapshot struct {
	state uint32
	bytes []byte
}

const (
	// snapshotCost is what a snapshot takes in addition to its bytes.
	snapshotCost = 64
	// lead is how many frames before the last equal comparison the oldest state should be, if states are small
	// enough for a report: the report replays from there.
	lead = 64
	// slowUnit is the minimum interval between states that are expensive to encode.
	slowUnit = 60
)

func (s *snapshots) reset(cfg *Config) {
	for _, old := range s.list {
		s.spare = append(s.spare, old.bytes)
	}
	*s = snapshots{list: s.list[:0], spare: s.spare, off: !cfg.Marshals}
	s.budget = cfg.Budget - cfg.Budget/InputShare
	s.unit = cfg.HashEvery
	if cfg.Slow {
		s.unit = cfg.Every * ((slowUnit + cfg.Every - 1) / cfg.Every)
	}
	s.span = 2*cfg.Every + lead
	if s.off {
		s.next = None
	}
}

func (s *snapshots) stop() {
	s.off, s.next = true, None
	s.list, s.spare, s.size = nil, nil, 0
}

// due reports whether a state is a multiple of the stride.
func (s *snapshots) due(state uint32) bool { return uint64(state)%(uint64(s.unit)*s.stride) == 0 }

func (s *snapshots) buffer() []byte {
	if n := len(s.spare); n > 0 {
		b := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return b[:0]
	}
	return nil
}

func (s *snapshots) keep(state uint32, encoded []byte, frozen bool) {
	cost := len(encoded) + snapshotCost
	if len(s.list) == 0 {
		s.fit(cost)
	}
	s.last = cost
	if s.size+cost > s.budget && frozen {
		s.spare = append(s.spare, encoded)
	} else {
		s.list = append(s.list, snapshot{state, encoded})
		if s.size += cost; s.size > s.budget {
			s.shrink()
		}
	}
	s.aim(state)
}

// shrink drops snapshots until the others fit into the budget.
func (s *snapshots) shrink() {
	for s.size > s.budget {
		if len(s.list) <= 2 {
			s.stop() // two do not fit, so there would never be one to start from
			return
		}
		s.thin()
	}
}

// aim chooses the next wanted state.
func (s *snapshots) aim(after uint32) {
	if s.off {
		return
	}
	if s.unit == 1 && s.stride == 1 {
		s.next = after + 1 // without a division: most games come here every frame
		return
	}
	step := uint64(s.unit) * s.stride
	s.next = uint32(min((uint64(after)/step+1)*step, None))
}

// thin doubles the stride. The first snapshot stays, since everything can be simulated from there.
func (s *snapshots) thin() {
	s.stride *= 2
	kept := s.list[:1]
	for _, x := range s.list[1:] {
		if s.due(x.state) {
			kept = append(kept, x)
			continue
		}
		s.drop(x)
	}
	clear(s.list[len(kept):])
	s.list = kept
}

func (s *snapshots) drop(x snapshot) {
	s.size -= len(x.bytes) + snapshotCost
	s.spare = append(s.spare, x.bytes)
}

// fit chooses the smallest stride at which the span can be covered with snapshots of this size.
func (s *snapshots) fit(cost int) {
	room := max(s.budget/cost, 3) - 2
	s.stride = 1
	for uint64(s.span) > uint64(room)*uint64(s.unit)*s.stride {
		s.stride *= 2
	}
}

// forget drops the snapshots that are not needed once a state is known to be equal at all peers. It returns the
// oldest one that is left.
func (s *snapshots) forget(verified, seen uint32) (oldest uint32, ok bool) {
	if len(s.list) == 0 {
		return 0, false
	}
	newest := s.list[len(s.list)-1].state
	s.span = max(newest-s.list[0].state, s.unit)
	before := verified
	if s.last-snapshotCost <= maxState {
		before -= min(lead, verified)
	}
	n := 0
	for n+1 < len(s.list) && s.list[n+1].state <= before {
		n++
	}
	size, spare := s.size, s.spare // in registers: this is done for each frame, if only once for many
	for i := range s.list[:n] {
		b := s.list[i].bytes
		size, spare = size-len(b)-snapshotCost, append(spare, b)
	}
	s.size, s.spare = size, spare
	left := copy(s.list, s.list[n:])
	clear(s.list[left:])
	s.list = s.list[:left]
	s.fit(s.last)
	if most := (s.budget - s.size) / s.last; len(s.spare) > most {
		clear(s.spare[most:])
		s.spare = s.spare[:most] // more would exceed the budget
	}
	s.aim(max(newest, seen))
	return s.list[0].state, true
}

// at returns the snapshot of a state, or the newest one before it.
func (s *snapshots) at(state uint32) (snapshot, bool) {
	for i := len(s.list) - 1; i >= 0; i-- {
		if s.list[i].state <= state {
			return s.list[i], true
		}
	}
	return snapshot{}, false
}
