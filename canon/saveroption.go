package canon

import (
	"reflect"
	"slices"
	"strings"
)

// SaverOption tells a [Saver] how to treat values that it would refuse, or save needlessly. Places are named by type
// and field, "Space.handler", or by a type alone, "Logger", which stands for all values of the type; with the name of
// the package or without, "cp.Space.handler", and without type arguments.
type SaverOption func(*saverOptions)

// treatment is what is done with a field, or with all values of a type.
type treatment uint8

const (
	treatSave       treatment = iota
	treatUncompared           // saved with all it leads to, but not compared
	treatOpaque               // the bits are saved, and not followed
	treatLeave                // not touched
	treatReset                // made zero by Restore
	treatNumber               // a uintptr that is not an address
)

type saverOptions struct {
	places    []place
	functions bool
	capacity  bool
	encodes   bool
	encoded   []reflect.Type // what encodings may have in interfaces, besides what is found
}

type place struct {
	name  string
	treat treatment
	found bool
}

func places(treat treatment, names []string) SaverOption {
	return func(o *saverOptions) {
		for _, n := range names {
			o.places = append(o.places, place{name: n, treat: treat})
		}
	}
}

// Leave leaves fields, or all values of a type, out of the state: they are not saved, not touched by Restore, and do
// not count in hashes. It is for things that are not part of a match: windows, sounds, and caches that are always
// valid.
func Leave(names ...string) SaverOption { return places(treatLeave, names) }

// Opaque saves and restores the bits of fields, or of all values of a type, but does not follow their references, and
// they do not count in hashes. It is for references to what never changes: assets, tables, functions without variables
// of their own.
func Opaque(names ...string) SaverOption { return places(treatOpaque, names) }

// Uncompared saves and restores fields, or all values of a type, with everything that they refer to, but they do not
// count for hashes, Equal and Diff. It is for data that differs between machines although the match is the same: tables
// that are ordered by address, process-wide numbers.
func Uncompared(names ...string) SaverOption { return places(treatUncompared, names) }

// Reset makes Restore set fields, or all values of a type, to zero. They are not saved and do not count in hashes. It
// is for pools and caches, whose content may be in use by the restored state.
func Reset(names ...string) SaverOption { return places(treatReset, names) }

// Numbers says that values of a type, or of a field, are numbers although their kind is uintptr.
func Numbers(names ...string) SaverOption { return places(treatNumber, names) }

// Functions makes all values of function types [Opaque]: they are restored, but not the variables that they have
// captured. If these change, a rollback is wrong, and the sync test finds it.
func Functions() SaverOption { return func(o *saverOptions) { o.functions = true } }

// Capacity makes a saver save slices up to their capacity instead of their length. Elements beyond the length do not
// count in hashes. It is for code that extends a slice to get old elements back without writing them, as some free
// lists do: s = s[:len(s)+1].
func Capacity() SaverOption { return func(o *saverOptions) { o.capacity = true } }

// Encoded makes a [Saver] encode states: see [Saver.Origin]. The values are zero values of the types that states may have
// in interfaces, such as Bullet{} and (*Boss)(nil). Types that are named by the state's own type, and those that are in
// interfaces of the origin, need not be given. It matters in which order they are given: all machines must do it alike.
func Encoded(values ...any) SaverOption {
	return func(o *saverOptions) {
		o.encodes = true
		for _, v := range values {
			if t := reflect.TypeOf(v); t != nil {
				o.encoded = append(o.encoded, t)
			}
		}
	}
}

// typeNames returns the names that options may use for a type.
func typeNames(t reflect.Type) [2]string {
	full, _, _ := strings.Cut(t.String(), "[")
	if t.Name() == "" {
		full = t.String()
	}
	return [2]string{full, full[strings.LastIndexByte(full, '.')+1:]}
}

// ofType returns how to treat all values of a type.
func (o *saverOptions) ofType(t reflect.Type) treatment {
	return o.of(func(name string) bool {
		names := typeNames(t)
		return name == names[0] || t.Name() != "" && name == names[1]
	})
}

// ofField returns how to treat a field of a struct.
func (o *saverOptions) ofField(t reflect.Type, field string) treatment {
	return o.of(func(name string) bool {
		typ, found := strings.CutSuffix(name, "."+field)
		return found && slices.Contains(ofStruct(t), typ)
	})
}

// ofStruct does what typeNames does, for the part before a field.
func ofStruct(t reflect.Type) []string {
	names := typeNames(t)
	return names[:]
}

// of returns the treatment of the last place that matches.
func (o *saverOptions) of(matches func(name string) bool) treatment {
	treat := treatSave
	for i := range o.places {
		if p := &o.places[i]; matches(p.name) {
			treat, p.found = p.treat, true
		}
	}
	return treat
}

// unknown returns an error about the first place that was not found, unless further types may be met.
func (o *saverOptions) unknown(open bool) error {
	for _, p := range o.places {
		if !p.found && !open {
			return &WalkError{
				Path: p.name, Err: ErrUnknown, What: "an option names it",
				Remedy: `name a type and a field, as in "Space.handler", or a type`,
			}
		}
	}
	return nil
}
