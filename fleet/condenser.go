package fleet

import (
	"encoding/binary"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// condenser makes agreements of agreed frames.
type condenser[I comparable] struct {
	codec   *canon.Plan[I]
	scratch []byte
}

func newCondenser[I comparable]() (c condenser[I], err error) {
	c.codec, err = canon.PlanFor[I]()
	return c, err
}

// condense returns the part of an agreed frame of a machine that is compared.
func (c *condenser[I]) condense(machine int, match uint32, a *rollback.Agreed[I]) agreement {
	b := c.scratch[:0]
	without := rollback.PlayerSet(0)
	for p := range a.Inputs {
		if a.Statuses[p] == rollback.Disconnected {
			without |= rollback.SetOf(rollback.Player(p))
		}
		b = c.codec.Append(append(b, byte(a.Statuses[p])), &a.Inputs[p])
	}
	for _, o := range a.Orders {
		b = append(binary.LittleEndian.AppendUint16(b, uint16(len(o))), o...)
	}
	c.scratch = b
	return agreement{
		machine: machine, match: match, frame: a.Frame, inputs: canon.HashBytes(b),
		hash: a.Hash, hashed: a.Hashed, result: a.Result, finished: a.Finished, without: without,
	}
}
