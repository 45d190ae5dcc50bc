package reach

import (
	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/std"
)

// dispatch determines what calls through interfaces and function values may reach: the methods of all types of the
// program that are converted to interfaces somewhere, and all functions that are used as values.
type dispatch struct {
	scan    *Scan
	k       *knowledge
	callees map[string][]flow.Callee // by signature or method
}

// mostCallees limits how many functions a call is followed to. A call with more is treated like one of error.Error.
const mostCallees = 64

// of returns what a call may reach.
func (d *dispatch) of(call *ssa.CallCommon) []flow.Callee {
	c, ok := d.scan.dynamic(call)
	if !ok {
		return nil
	}
	key := c.Target
	for _, n := range c.Needs {
		key += "\n" + n
	}
	list, ok := d.callees[key]
	if !ok {
		list = d.find(c)
		d.callees[key] = list
	}
	return list
}

func (d *dispatch) find(c Call) (list []flow.Callee) {
	var ids []string
	if c.Kind == Invoke {
		for _, a := range d.k.answering(c) {
			ids = append(ids, a.id)
		}
	} else {
		for _, t := range d.k.takes[c.Target] {
			ids = append(ids, t.ID)
		}
	}
	if ids = unique(ids); len(ids) > mostCallees {
		return nil
	}
	for _, id := range ids {
		if fn := d.scan.byID[id]; fn != nil {
			list = append(list, flow.Callee{Fn: fn})
			continue
		}
		pkg, name := split(id)
		if t, ok := std.Traits(pkg, name); ok {
			list = append(list, flow.Callee{Traits: t})
		} else if d.scan.Elsewhere != nil {
			if f := d.scan.Elsewhere(id); f != nil {
				list = append(list, flow.Callee{Traits: f.Traits})
			}
		}
	}
	return list
}
