package reach

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// writers are the functions of a game that have to write every field, and readers those that have to read every
// field.
var (
	writers = []string{"Restore", "Unmarshal"}
	readers = []string{"Save", "Hash", "Equal", "Marshal"}
)

// incomplete finds fields that the step changes and reads, and that a copy leaves out.
func (l *linker) incomplete(roots []Root) (list []Reached) {
	step := l.touched("Step")
	if step == nil {
		return nil
	}
	for _, role := range slices.Concat(writers, readers) {
		i := slices.IndexFunc(roots, func(r Root) bool { return r.Role == role })
		copied := l.touched(role)
		if i < 0 || copied == nil || copied.All {
			continue
		}
		touched := copied.Read
		if slices.Contains(writers, role) {
			touched = copied.Written
		}
		for _, typ := range slices.Sorted(maps.Keys(step.Written)) {
			if missing := l.missing(typ, roots[i].State, step, touched); len(missing) > 0 {
				list = append(list, l.leftOut(role, typ, missing)...)
			}
		}
	}
	return list
}

// missing returns the fields of a type that the step writes and reads, and a copy does not access. A type is not a
// part of the state if a copy accesses none of its fields, unless it is the state itself.
func (l *linker) missing(typ, state string, step *Fields, touched map[string][]string) (missing []string) {
	if typ != state && len(touched[typ]) == 0 || slices.Contains(touched[typ], "*") {
		return nil
	}
	s, ok := l.k.structure(typ)
	if !ok {
		return nil
	}
	for _, f := range s.Fields {
		written := slices.Contains(step.Written[typ], f)
		read := slices.Contains(step.Read[typ], f) || slices.Contains(step.Read[typ], lengthOf+f) || slices.Contains(step.Read[typ], "*")
		if written && read && !slices.Contains(touched[typ], f) {
			missing = append(missing, f)
		}
	}
	return missing
}

func (l *linker) leftOut(role, typ string, missing []string) []Reached {
	for _, v := range l.order {
		if v.roles["="+role] {
			verb := "leaves out"
			if slices.Contains(writers, role) {
				verb = "does not bring back"
			}
			s, _ := l.k.structure(typ)
			return l.reachedBy(v, Finding{
				Rule: "copies", At: v.f.At, Roles: []string{role},
				Message: fmt.Sprintf("%s %s %s.%s, which the step changes and reads", role, verb, s.Name, strings.Join(missing, ", ")),
			})
		}
	}
	return nil
}

// touched returns the fields that are accessed by everything that a role reaches, or nil.
func (l *linker) touched(role string) *Fields {
	f, known := l.touch[role]
	if !known {
		f = l.touches(role)
		l.touch[role] = f
	}
	return f
}

func (l *linker) touches(role string) *Fields {
	var f *Fields
	for _, v := range l.order {
		if !v.roles["="+role] && !v.roles[role] {
			continue
		}
		if f == nil {
			f = &Fields{Read: map[string][]string{}, Written: map[string][]string{}, Lent: map[string][]string{}}
		}
		f.All = f.All || v.f.Fields.All && role != "Step"
		for t, names := range v.f.Fields.Read {
			f.Read[t] = append(f.Read[t], names...)
		}
		for t, names := range v.f.Fields.Written {
			f.Written[t] = append(f.Written[t], names...)
		}
		for t, names := range v.f.Fields.Lent {
			f.Lent[t] = append(f.Lent[t], names...)
		}
	}
	return f
}

// changesState reports whether the memory that a role writes to is a part of the state that a step reads. Memory
// in which a hash is computed, for example, may be in the state without being a part of it.
func (l *linker) changesState(role string) bool {
	if !slices.Contains(readers, role) && !slices.Contains(writers, role) && role != "Describe" {
		return true // a function of a server or a motion: all of its arguments count
	}
	step, own := l.touched("Step"), l.touched(role)
	if step == nil || own == nil {
		return false
	}
	state, _ := l.k.structure(l.state)
	for _, f := range own.Written[l.state] {
		if !slices.Contains(state.Fields, f) || slices.Contains(own.Lent[l.state], f) {
			continue // for drawing, or for a caller that may only read
		}
		if slices.Contains(step.Read[l.state], f) || slices.Contains(step.Written[l.state], f) {
			return true
		}
	}
	return false
}
