package recordings

import (
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/replay"
)

// rowTeller splits a row into named values.
type rowTeller struct {
	sim     replay.Sim // only for the names of inputs: the rows have their own states
	players int
	size    int
	orders  bool
	hashes  bool // whether to hash all states
	states  bool
}

func newRowTeller(m *recorded, o exportOptions) (*rowTeller, error) {
	h := m.r.Header()
	sim, err := m.replay.Sim(h)
	if err != nil {
		return nil, err
	}
	return &rowTeller{sim, h.Shape.Players, h.Shape.InputSize, h.Shape.MaxOrders > 0, o.hashes, o.states}, nil
}

// inputs returns the fields of a player's input. Bytes that are not a valid input have none.
func (t *rowTeller) inputs(row *replay.Row, p int) []replay.Field {
	in := row.Frame.Inputs[p*t.size : (p+1)*t.size]
	list, err := t.sim.Inputs(in)
	if err != nil {
		return []replay.Field{{Text: hex.EncodeToString(in)}}
	}
	return list
}

// ordersText returns the orders of a player in hexadecimal.
func ordersText(row *replay.Row, p int) string {
	if p < len(row.Frame.Orders) {
		return hex.EncodeToString(row.Frame.Orders[p])
	}
	return ""
}

// hash returns the hash of the state after the frame, as recorded or simulated.
func (t *rowTeller) hash(row *replay.Row) (string, error) {
	switch {
	case t.hashes:
		hash, err := row.Sim.Hash()
		return words.Checksum64(hash), err
	case row.Recorded.Bits > 0:
		return hashText(row.Recorded), nil
	}
	return "", nil
}

// csvRows writes a table.
type csvRows struct {
	*rowTeller
	w      *csv.Writer
	header bool
	each   int // the number of columns of an input
	cells  []string
}

func newCSVRows(t *rowTeller, w io.Writer, o exportOptions) (*csvRows, error) {
	if o.states && t.sim.Fields() == nil {
		return nil, errors.New("states of a game with its own memory have no fixed columns: use --format jsonl")
	}
	return &csvRows{rowTeller: t, w: csv.NewWriter(w)}, nil
}

func (c *csvRows) row(row *replay.Row) error {
	if !c.header {
		c.header = true
		if err := c.heading(); err != nil {
			return err
		}
	}
	c.cells = append(c.cells[:0], strconv.FormatUint(uint64(row.Frame.Number), 10))
	for p := range c.players {
		list := c.inputs(row, p)
		if len(list) != c.each {
			return fmt.Errorf("frame %d: %s of player %d is no input of this game", row.Frame.Number, list[0].Text, p+1)
		}
		for _, f := range list {
			c.cells = append(c.cells, f.Text)
		}
		c.cells = append(c.cells, statusOf(row.Frame, p))
		if c.orders {
			c.cells = append(c.cells, ordersText(row, p))
		}
	}
	hash, err := c.hash(row)
	if err != nil {
		return err
	}
	c.cells = append(c.cells, hash)
	if c.states {
		for _, f := range row.Sim.Fields() {
			c.cells = append(c.cells, f.Text)
		}
	}
	return c.w.Write(c.cells)
}

// heading names the columns: p1.X is the field X of the input of player 1.
func (c *csvRows) heading() error {
	cells := []string{"frame"}
	zero, err := c.sim.Inputs(make([]byte, c.size))
	if err != nil {
		return err
	}
	c.each = len(zero)
	for p := range c.players {
		player := fmt.Sprintf("p%d", p+1)
		for _, f := range zero {
			name := player + "." + f.Path
			if f.Path == "" {
				name = player
			}
			cells = append(cells, name)
		}
		cells = append(cells, player+".status")
		if c.orders {
			cells = append(cells, player+".orders")
		}
	}
	cells = append(cells, "hash")
	if c.states {
		for _, f := range c.sim.Fields() {
			cells = append(cells, "state."+f.Path)
		}
	}
	return c.w.Write(cells)
}

func (c *csvRows) end() error {
	if !c.header { // without frames, write only the columns
		if err := c.heading(); err != nil {
			return err
		}
	}
	c.w.Flush()
	return c.w.Error()
}

// jsonRows writes one object per line. The keys are frame, players (a list of objects with input, status and orders),
// hash and state.
type jsonRows struct {
	teller *rowTeller
	w      io.Writer
	b      []byte
}

func (j *jsonRows) row(row *replay.Row) error {
	t := j.teller
	b := append(j.b[:0], `{"frame":`...)
	b = append(strconv.AppendUint(b, uint64(row.Frame.Number), 10), `,"players":[`...)
	for p := range t.players {
		if p > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"input":`...)
		b = appendFields(b, t.inputs(row, p))
		b = fmt.Appendf(b, `,"status":%q`, statusOf(row.Frame, p))
		if t.orders {
			b = fmt.Appendf(b, `,"orders":%q`, ordersText(row, p))
		}
		b = append(b, '}')
	}
	hash, err := t.hash(row)
	if err != nil {
		return err
	}
	b = fmt.Appendf(b, `],"hash":%q`, hash)
	if t.states {
		if b, err = appendState(append(b, `,"state":`...), row.Sim); err != nil {
			return err
		}
	}
	j.b = append(b, '}', '\n')
	_, err = j.w.Write(j.b)
	return err
}

func (j *jsonRows) end() error { return nil }

// appendState appends a state as an object: its fields, or for a game with its own memory the lines of its text.
func appendState(b []byte, sim replay.Sim) ([]byte, error) {
	if list := sim.Fields(); list != nil {
		return appendFields(b, list), nil
	}
	text, err := sim.Text()
	if err != nil {
		return b, err
	}
	var list []replay.Field
	seen := map[string]int{}
	for line := range canon.TextLines(text) {
		path := string(line.Path)
		if seen[path]++; seen[path] > 1 { // a pointer, and what it points to, have the same path
			path = fmt.Sprintf("%s #%d", path, seen[path])
		}
		list = append(list, replay.Field{Path: path, Text: string(line.Value)})
	}
	return appendFields(b, list), nil
}

// appendFields appends fields as an object, or a single field without a name as its value.
func appendFields(b []byte, list []replay.Field) []byte {
	if len(list) == 1 && list[0].Path == "" {
		return appendValue(b, list[0])
	}
	b = append(b, '{')
	for i, f := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, f.Path), ':')
		b = appendValue(b, f)
	}
	return append(b, '}')
}

func appendValue(b []byte, f replay.Field) []byte {
	if f.Plain {
		return append(b, f.Text...)
	}
	return appendString(b, f.Text)
}

func appendString(b []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic("cli: a text is no JSON: " + err.Error())
	}
	return append(b, quoted...)
}
