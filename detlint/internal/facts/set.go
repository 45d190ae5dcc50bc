package facts

import (
	"maps"
	"slices"
	"strings"

	"github.com/tickback/tickback/detlint/internal/reach"
)

// magic begins the bytes of a set; its number changes with what is stored.
const magic = "detlint facts 1\n"

// Set has the summaries of packages. The zero value has none.
type Set struct {
	blobs map[string]string // by path
	read  map[string]*Package
	made  map[string]*reach.Func // functions of all packages, once All was called
	err   error
}

// Add adds what a package is, in place of what was there of it.
func (s *Set) Add(p *Package) {
	if s.blobs == nil {
		s.blobs = map[string]string{}
	}
	delete(s.read, p.Path)
	s.blobs[p.Path] = string(Encode(p))
}

// Append adds the bytes of the set to b: the same for the same set.
func (s *Set) Append(b []byte) []byte {
	c := coder{number: map[string]uint64{}, b: append(b, magic...)}
	for _, path := range slices.Sorted(maps.Keys(s.blobs)) {
		blob := s.blobs[path]
		for _, part := range []string{path, blob} {
			size := uint64(len(part))
			c.uint(&size)
			c.b = append(c.b, part...)
		}
	}
	return c.b
}

// Merge adds everything that Append has written of another set. No bytes are an empty set. It
// looks into no blob.
func (s *Set) Merge(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	text, ok := strings.CutPrefix(string(b), magic)
	if !ok {
		return ErrCorrupt
	}
	c := coder{reading: true, b: []byte(text)}
	if s.blobs == nil {
		s.blobs = map[string]string{}
	}
	for at := 0; len(c.b) > 0; {
		var parts [2]string
		for i := range parts {
			var size uint64
			if c.uint(&size); c.err != nil || size > uint64(len(c.b)) {
				return ErrCorrupt
			}
			at = len(text) - len(c.b)
			parts[i] = text[at : at+int(size)]
			c.b = c.b[size:]
		}
		if _, ok := s.blobs[parts[0]]; !ok {
			s.blobs[parts[0]] = parts[1]
		}
	}
	return nil
}

// Package returns what is known of a package, or nil.
func (s *Set) Package(path string) *Package {
	if p, ok := s.read[path]; ok {
		return p
	}
	blob, ok := s.blobs[path]
	if !ok {
		return nil
	}
	p, err := Decode([]byte(blob))
	if err != nil {
		s.err, p = err, nil
	}
	if s.read == nil {
		s.read = map[string]*Package{}
	}
	s.read[path] = p
	return p
}

// Err says whether a blob could not be read.
func (s *Set) Err() error { return s.err }

// All returns all packages, in the order of their paths.
func (s *Set) All() (list []*Package) {
	s.made = map[string]*reach.Func{}
	for _, path := range slices.Sorted(maps.Keys(s.blobs)) {
		if p := s.Package(path); p != nil {
			list = append(list, p)
			for id, f := range p.Funcs {
				if s.made[id] == nil {
					s.made[id] = f
				}
			}
		}
	}
	return list
}

// Func returns the summary of a function by its full name, or nil: one that its own package has,
// or after All one that another had to make, such as a method that it wraps.
func (s *Set) Func(id string) *reach.Func {
	if p := s.Package(reach.PackageOf(id)); p != nil {
		if f := p.Funcs[id]; f != nil {
			return f
		}
	}
	return s.made[id]
}
