package programs

// roleFlaw is a flaw in a function of a game other than the step, or in drawing code.
type roleFlaw struct {
	flaw
	fields string // fields in the literal of the game, such as "Hash: hash$K"; they replace existing ones
}

// roles has flaws of copies, hashes, encodings, and of code that only reads a state.
var roles = []roleFlaw{
	{flaw{"hash: order of a map", "maporder", "own", byProc, `func whole$K(s *$S) uint64 {
	h, _ := canon.HashAny(s)
	return h
}

func hash$K(s *$S) uint64 {
	«h := fnv.New64a()
	for k, v := range s.Notes {
		fmt.Fprintf(h, "%s%d", k, v)
	}
	return h.Sum64()¦var sum uint64
	for k, v := range s.Notes {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s%d", k, v)
		sum += h.Sum64()
	}
	return sum + whole$K(s)»
}`, ``}, "Hash: hash$K"},
	{flaw{"hash: printed pointers", "encoding address", "own", byProc, `func whole$K(s *$S) uint64 {
	h, _ := canon.HashAny(s)
	return h
}

func hash$K(s *$S) uint64 { return canon.HashBytes([]byte(fmt.Sprint(«s.Units¦s.N»))) + whole$K(s) }`, ``}, "Hash: hash$K"},
	{flaw{"hash: gob", "encoding", "own", "", `func whole$K(s *$S) uint64 {
	h, _ := canon.HashAny(s)
	return h
}

func hash$K(s *$S) uint64 {
	var b bytes.Buffer
	«if err := gob.NewEncoder(&b).Encode(s.Notes); err != nil { return 0 }¦b.WriteString(s.Name)»
	return canon.HashBytes(b.Bytes()) + whole$K(s)
}`, ``}, "Hash: hash$K"},
	{flaw{"hash: maphash", "maphash", "own", byProc, `func whole$K(s *$S) uint64 {
	h, _ := canon.HashAny(s)
	return h
}

var seed$K = maphash.MakeSeed()

func hash$K(s *$S) uint64 { return «maphash.String(seed$K, s.Name)¦canon.HashBytes([]byte(s.Name))» + whole$K(s) }`, ``}, "Hash: hash$K"},
	{flaw{"hash: leaves out a field", "copies", "own", "", `func hash$K(s *$S) uint64 {
	h := uint64(s.N)*31 + uint64(s.M)*7 + uint64(s.Int) + uint64(s.Wide)*3 + uint64(s.X) + uint64(s.Y) + portable.Float64bits(s.F) + portable.Float64bits(s.G) + uint64(s.Rand.S0) + uint64(s.Rand.S1)*5
	for _, u := range s.Squad {
		h = h*31 + uint64(u.HP) + uint64(u.ID) + uint64(u.Rank) + uint64(u.X) + uint64(u.Y)
	}
	add := func(u $U) { h = h*31 + uint64(u.HP) + uint64(u.ID) + uint64(u.Rank) + uint64(u.X) + uint64(u.Y) }
	for _, id := range slices.Sorted(maps.Keys(s.Units)) {
		add(*s.Units[id])
	}
	for _, u := range s.List {
		add(u)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Notes)) {
		h = h*31 + uint64(s.Notes[name]) + uint64(len(name))
	}
	for _, row := range s.Grid {
		for _, n := range row {
			h = h*31 + uint64(n)
		}
	}
	for _, b := range s.Last {
		h = h*31 + uint64(b)
	}
	h = h*31 + uint64(len(s.Name))
	«¦for _, id := range s.IDs { h = h*31 + uint64(id) }»
	return h
}`, `if len(s.IDs) > 1 { s.N += s.IDs[1] & 1 }
s.IDs = append(s.IDs[:0], s.N, s.M)`}, "Hash: hash$K"},
	{flaw{"hash: sorts in place", "readonly alias", "own", bySync, `func whole$K(s *$S) uint64 {
	h, _ := canon.HashAny(s)
	return h
}

func hash$K(s *$S) uint64 {
	list := «s.IDs¦slices.Clone(s.IDs)»
	slices.Sort(list)
	return whole$K(s)
}`, `if len(s.IDs) > 6 { s.IDs = s.IDs[:0] }
s.IDs = append(s.IDs, 9-int32(len(s.IDs)))
s.N = s.N*3 + s.IDs[0]`}, "Hash: hash$K"},
	{flaw{"hash: counts", "globals readonly", "own", "", `func whole$K(s *$S) uint64 {
	h, _ := canon.HashAny(s)
	return h
}

var hashed$K uint64

func hash$K(s *$S) uint64 {
	«hashed$K++¦_ = hashed$K»
	return whole$K(s) + hashed$K
}`, ``}, "Hash: hash$K"},
	{flaw{"hash: clock", "clock", "own", byProc, `func whole$K(s *$S) uint64 {
	h, _ := canon.HashAny(s)
	return h
}

func hash$K(s *$S) uint64 { return whole$K(s) + uint64(«time.Now().UnixNano()¦int64(s.N)») }`, ``}, "Hash: hash$K"},
	{flaw{"equal: lengths", "copies", "own", "", `func whole$K(s *$S) uint64 {
	h, _ := canon.HashAny(s)
	return h
}

func equal$K(s, v *$S) bool { return whole$K(s) == whole$K(v) && slices.Equal(s.IDs, v.IDs) }

func short$K(s, v *$S) bool { return s.N == v.N && len(s.IDs) == len(v.IDs) }`, `if len(s.IDs) > 1 { s.M += s.IDs[0] & 1 }
s.IDs = append(s.IDs[:0], s.N, s.M)`}, "Equal: «short$K¦equal$K»"},
	{flaw{"equal: some fields", "copies", "own", "", `func whole$K(s *$S) uint64 {
	h, _ := canon.HashAny(s)
	return h
}

func equal$K(s, v *$S) bool { return «s.N == v.N && s.X == v.X¦whole$K(s) == whole$K(v)» }`, `s.M++
s.N += s.M & 3`}, "Equal: equal$K"},
	{flaw{"save: shares a list", "alias", "own", bySync, `func save$K(s, v *$S) {
	$MSave(s, v)
	v.IDs = «s.IDs¦slices.Clone(s.IDs)»
}`, `if len(s.IDs) == 0 { s.IDs = []int32{1, 2} }
s.IDs[0]++
s.N += s.IDs[0]`}, "Save: save$K"},
	{flaw{"save: shares a map", "alias", "own", bySync, `func save$K(s, v *$S) {
	$MSave(s, v)
	v.Notes = «s.Notes¦maps.Clone(s.Notes)»
}`, `if s.Notes == nil { s.Notes = map[string]int32{} }
s.Notes["a"]++
s.N += s.Notes["a"]`}, "Save: save$K"},
	{flaw{"save: assigns it", "alias", "own", bySync, `func save$K(s, v *$S) {
	«*v = *s¦$MSave(s, v)»
}`, `if len(s.IDs) == 0 { s.IDs = []int32{1, 2} }
s.IDs[0]++
s.N += s.IDs[0]`}, "Save: save$K"},
	{flaw{"save: shares entities", "alias", "own", bySync, `func save$K(s, v *$S) {
	$MSave(s, v)
	v.Units = make(map[int32]*$U, len(s.Units))
	for id, u := range s.Units {
		«v.Units[id] = u¦c := *u; v.Units[id] = &c»
	}
}`, `for _, u := range s.Units { u.HP++ }
if u := s.Units[1]; u != nil { s.N += u.HP }`}, "Save: save$K"},
	{flaw{"save: maps.Clone of pointers", "alias", "own", bySync, `func save$K(s, v *$S) {
	$MSave(s, v)
	«v.Units = maps.Clone(s.Units)¦v.Notes = maps.Clone(s.Notes)»
}`, `for _, u := range s.Units { u.HP++ }
if u := s.Units[1]; u != nil { s.N += u.HP }`}, "Save: save$K"},
	{flaw{"save: rows of a grid", "alias", "own", bySync, `func save$K(s, v *$S) {
	$MSave(s, v)
	v.Grid = make([][]int32, len(s.Grid))
	for i, row := range s.Grid {
		v.Grid[i] = «row¦slices.Clone(row)»
	}
}`, `if len(s.Grid) == 0 { s.Grid = [][]int32{{1}, {2}} }
s.Grid[0][0]++
s.N += s.Grid[0][0]`}, "Save: save$K"},
	{flaw{"save: clone of a grid", "alias", "own", bySync, `func save$K(s, v *$S) {
	$MSave(s, v)
	«v.Grid = slices.Clone(s.Grid)¦v.IDs = slices.Clone(s.IDs)»
}`, `if len(s.Grid) == 0 { s.Grid = [][]int32{{1}, {2}} }
s.Grid[0][0]++
s.N += s.Grid[0][0]`}, "Save: save$K"},
	{flaw{"save: leaves out a field", "copies", "own", bySync, `func save$K(s, v *$S) {
	«v.N, v.X, v.Y, v.Wide, v.Int, v.F, v.G, v.Rand, v.Squad = s.N, s.X, s.Y, s.Wide, s.Int, s.F, s.G, s.Rand, s.Squad¦$MSave(s, v)»
}`, `s.M++
s.N += s.M`}, "Save: save$K"},
	{flaw{"save: copies into a shorter list", "copies alias", "own", bySync, `func save$K(s, v *$S) {
	v.N, v.M, v.X, v.Y, v.Wide, v.Int, v.F, v.G, v.Rand, v.Squad, v.Flash, v.Glow = s.N, s.M, s.X, s.Y, s.Wide, s.Int, s.F, s.G, s.Rand, s.Squad, s.Flash, s.Glow
	v.Units, v.Notes, v.List, v.Name = map[int32]*$U{}, maps.Clone(s.Notes), slices.Clone(s.List), s.Name
	for id, u := range s.Units {
		c := *u
		v.Units[id] = &c
	}
	v.Last = append(v.Last[:0], s.Last...)
	«copy(v.IDs, s.IDs)¦v.IDs = append(v.IDs[:0], s.IDs...)»
}`, `if len(s.IDs) < 3 { s.IDs = append(s.IDs, 1) }
s.IDs[0] += 3
s.N += s.IDs[0]`}, "Save: save$K"},
	{flaw{"save: changes the state", "readonly", "own", bySync, `func save$K(s, v *$S) {
	$MSave(s, v)
	«s¦v».Notes["saved"]++
}`, `if s.Notes == nil { s.Notes = map[string]int32{} }
s.Notes["saved"]++
s.N += s.Notes["saved"]`}, "Save: save$K"},
	{flaw{"restore: shares a list", "alias", "own", bySync, `func restore$K(s, v *$S) {
	$MRestore(s, v)
	s.IDs = «v.IDs¦append([]int32(nil), v.IDs...)»
}`, `if len(s.IDs) == 0 { s.IDs = []int32{1, 2} }
s.IDs[0]++
s.N += s.IDs[0]`}, "Restore: restore$K"},
	{flaw{"restore: does not bring back a field", "copies", "own", bySync, `func restore$K(s, v *$S) {
	«s.N, s.X, s.Y, s.Wide, s.Int, s.F, s.G, s.Rand, s.Squad = v.N, v.X, v.Y, v.Wide, v.Int, v.F, v.G, v.Rand, v.Squad¦$MRestore(s, v)»
}`, `s.M++
s.N += s.M`}, "Restore: restore$K"},
	{flaw{"restore: copies into a shorter list", "copies alias", "own", bySync, `func restore$K(s, v *$S) {
	s.N, s.M, s.X, s.Y, s.Wide, s.Int, s.F, s.G, s.Rand, s.Squad, s.Flash, s.Glow = v.N, v.M, v.X, v.Y, v.Wide, v.Int, v.F, v.G, v.Rand, v.Squad, v.Flash, v.Glow
	s.Units, s.Notes, s.List, s.Name = map[int32]*$U{}, maps.Clone(v.Notes), slices.Clone(v.List), v.Name
	for id, u := range v.Units {
		c := *u
		s.Units[id] = &c
	}
	s.Last = append(s.Last[:0], v.Last...)
	«copy(s.IDs, v.IDs)¦s.IDs = append(s.IDs[:0], v.IDs...)»
}`, `s.IDs = append(s.IDs, 1)
if len(s.IDs) > 9 { s.IDs = s.IDs[:1] }
s.N += int32(len(s.IDs))`}, "Restore: restore$K"},
	{flaw{"marshal: unexported fields", "encoding copies", "own", byJoin, `type bag$K struct {
	A int32
	«cool¦Cool» int32
}

func step$K(s *bag$K, t *$T) {
	s.«cool¦Cool»++
	s.A += s.«cool¦Cool»
}

var second$K = rollback.OwnMemory[bag$K, bag$K, $I]{
	Step:    step$K,
	Marshal: func(b []byte, s *bag$K) ([]byte, error) {
		j, err := json.Marshal(s)
		return append(b, j...), err
	},
	Unmarshal: func(s *bag$K, b []byte) error {
		var n bag$K
		if err := json.Unmarshal(b, &n); err != nil {
			return err
		}
		*s = n
		return nil
	},
}`, ``}, ""},
	{flaw{"marshal: tag that leaves out", "encoding copies", "own", byJoin, `type bag$K struct {
	A    int32
	Cool int32 «` + "`json:\"-\"`" + `¦` + "`json:\"c\"`" + `»
}

var second$K = rollback.OwnMemory[bag$K, bag$K, $I]{
	Step: func(s *bag$K, t *$T) {
		s.Cool++
		s.A += s.Cool
	},
	Marshal: func(b []byte, s *bag$K) ([]byte, error) {
		j, err := json.Marshal(*s)
		return append(b, j...), err
	},
	Unmarshal: func(s *bag$K, b []byte) error {
		var n bag$K
		err := json.NewDecoder(bytes.NewReader(b)).Decode(&n)
		if err == nil {
			*s = n
		}
		return err
	},
}`, ``}, ""},
	{flaw{"unmarshal: into the old state", "encoding copies", "own", byJoin, `type bag$K struct {
	A int32
	M map[string]int32
}

var second$K = rollback.OwnMemory[bag$K, bag$K, $I]{
	Init: func(s *bag$K) { s.M = map[string]int32{} },
	Step: func(s *bag$K, t *$T) {
		s.A++
		s.M["x"] += s.A
	},
	Marshal: func(b []byte, s *bag$K) ([]byte, error) {
		j, err := json.Marshal(s)
		return append(b, j...), err
	},
	Unmarshal: func(s *bag$K, b []byte) error {
		«return json.Unmarshal(b, s)¦var n bag$K
		err := json.Unmarshal(b, &n)
		*s = n
		return err»
	},
}`, ``}, ""},
	{flaw{"unmarshal: keeps the bytes", "alias retain", "own", "", `type bag$K struct{ Data []byte }

var second$K = rollback.OwnMemory[bag$K, bag$K, $I]{
	Step:    func(s *bag$K, t *$T) { s.Data = append(s.Data[:0], 1) },
	Marshal: func(b []byte, s *bag$K) ([]byte, error) { return append(b, s.Data...), nil },
	Unmarshal: func(s *bag$K, b []byte) error {
		s.Data = «b¦bytes.Clone(b)»
		return nil
	},
}`, ``}, ""},
	{flaw{"marshal: order of a map", "maporder", "own", "", `type bag$K struct{ M map[string]int32 }

var second$K = rollback.OwnMemory[bag$K, bag$K, $I]{
	Step: func(s *bag$K, t *$T) { s.M["x"]++ },
	Marshal: func(b []byte, s *bag$K) ([]byte, error) {
		for «k := range s.M¦_, k := range slices.Sorted(maps.Keys(s.M))» {
			b = append(b, k...)
			b = binary.LittleEndian.AppendUint32(b, uint32(s.M[k]))
		}
		return b, nil
	},
	Unmarshal: func(s *bag$K, b []byte) error {
		s.M = map[string]int32{}
		for len(b) > 4 {
			s.M[string(b[:1])] = int32(binary.LittleEndian.Uint32(b[1:]))
			b = b[5:]
		}
		return nil
	},
}`, ``}, ""},
	{flaw{"init: random", "random", "", byProc, `func init$K(s *$S) {
	$MSetup(s)
	s.N = «rand.Int31n(1000)¦3»
}`, ``}, "Init: init$K"},
	{flaw{"init: clock", "clock", "", byProc, `func seed$K() uint64 { return uint64(«time.Now().UnixNano()¦5») }

func init$K(s *$S) {
	$MSetup(s)
	s.Rand = rng.New(seed$K())
}`, ``}, "Init: init$K"},
	{flaw{"init: shares a table", "globals", "own", bySync, `var deck$K = []int32{1, 2, 3}

func init$K(s *$S) {
	$MSetup(s)
	s.IDs = «deck$K¦slices.Clone(deck$K)»
}`, `if len(s.IDs) == 0 { s.IDs = append(s.IDs, 1) }
s.IDs[0]++
s.N += s.IDs[0]`}, "Init: init$K"},
	{flaw{"predict: remembers", "globals closure", "", "", `var calls$K int32

func predict$K(p rollback.Player, f, known rollback.Frame, last $I) $I {
	«calls$K++¦_ = calls$K»
	last.Move += int8(calls$K & 1)
	return last
}`, ``}, "Predict: predict$K"},
	{flaw{"draw: writes", "view", "", "", `func draw$K(m *tickback.Match[$S, $I]) int32 {
	v := m.View().Current
	«v.N = 0¦_ = v.N»
	return v.M
}`, ``}, ""},
	{flaw{"draw: helper writes", "view", "", "", `func dim$K(s *$S) { s.N /= 2 }

func draw$K(m *tickback.Match[$S, $I]) int32 {
	s := m.View().Current
	«dim$K(s)¦c := *s; dim$K(&c)»
	return s.M
}`, ``}, ""},
	{flaw{"draw: method writes", "view", "own", "", `type hud$K struct{ list []$U }

func order$K(list []$U) { slices.SortStableFunc(list, func(a, b $U) int { return cmp.Compare(a.HP, b.HP) }) }

func (h *hud$K) draw(m *tickback.Match[$S, $I]) {
	h.list = append(h.list[:0], m.View().Current.List...)
	order$K(«m.View().Current.List¦h.list»)
}`, ``}, ""},
	{flaw{"draw: keeps a list", "view", "own", "", `type hud$K struct{ seen []int32 }

func (h *hud$K) draw(m *tickback.Match[$S, $I]) { h.seen = «m.View().Current.IDs¦append(h.seen[:0], m.View().Current.IDs...)» }`, ``}, ""},
	{flaw{"draw: removes an entry", "view", "own", "", `func draw$K(m *tickback.Match[$S, $I]) {
	for id, u := range m.View().Current.Units {
		if u.HP < 0 {
			«delete(m.View().Current.Units, id)¦_ = id»
		}
	}
}`, ``}, ""},
	{flaw{"draw: entity hurt", "view", "own", "", `func draw$K(m *tickback.Match[$S, $I]) int32 {
	sum := int32(0)
	for _, u := range m.View().Current.Units {
		«u.HP++¦sum += u.HP»
	}
	return sum
}`, ``}, ""},
	{flaw{"draw: generator used", "view", "", "", `func draw$K(m *tickback.Match[$S, $I]) uint64 {
	«r := &m.View().Current.Rand¦c := m.View().Current.Rand; r := &c»
	return r.Next()
}`, ``}, ""},
	{flaw{"draw: through an interface", "view", "", "", `type brush$K interface{ Paint(s *$S) }

type smooth$K struct{}

func (smooth$K) Paint(s *$S) { «s.N++¦_ = s.N» }

var brushes$K = []brush$K{smooth$K{}}

func draw$K(m *tickback.Match[$S, $I]) {
	for _, b := range brushes$K {
		b.Paint(m.View().Current)
	}
}`, ``}, ""},
	{flaw{"server: check changes", "readonly", "", "", `var options$K = tickback.ServerOptions[$S, $I]{Check: func(s *$S, p rollback.Player, in $I) bool {
	«s.N++¦_ = s.N»
	return in.Move < 2
}}`, ``}, ""},
	{flaw{"server: check counts", "globals closure", "", "", `var tries$K int

var options$K = tickback.ServerOptions[$S, $I]{StandIn: func(s *$S, p rollback.Player) $I {
	«tries$K++¦_ = tries$K»
	return $I{Move: int8(tries$K & 1)}
}}`, ``}, ""},
}
