package facts

import (
	"bytes"
	"compress/flate"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tickback/tickback/detlint/internal/reach"
)

// magic begins the bytes of a set; its number changes with the format.
const magic = "detlint facts 3\n"

// Set has the summaries of packages. The zero value has none.
type Set struct {
	blobs map[string]string // by path
	types map[string]string // the types of packages that those with generic functions import, by path
	read  map[string]*Package
	made  map[string]*reach.Func // functions of all packages, once All was called
	err   error
}

// Add adds a package, replacing earlier information about it.
func (s *Set) Add(p *Package) {
	if s.blobs == nil {
		s.blobs = map[string]string{}
	}
	delete(s.read, p.Path)
	s.blobs[p.Path] = squeeze(Encode(p))
}

// Append appends the bytes of the set, which are deterministic, to b.
func (s *Set) Append(b []byte) []byte {
	c := coder{number: map[string]uint64{}, b: append(b, magic...)}
	for _, blobs := range []map[string]string{s.blobs, s.types} {
		n := len(blobs)
		c.int(&n)
		for _, path := range slices.Sorted(maps.Keys(blobs)) {
			for _, part := range []string{path, blobs[path]} {
				size := uint64(len(part))
				c.uint(&size)
				c.b = append(c.b, part...)
			}
		}
	}
	return c.b
}

// Merge adds everything that Append has written for another set. An empty b is an empty set. It decodes no blob.
func (s *Set) Merge(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	text, ok := strings.CutPrefix(string(b), magic)
	if !ok {
		return ErrCorrupt
	}
	c := coder{reading: true, b: []byte(text)}
	for _, blobs := range []*map[string]string{&s.blobs, &s.types} {
		if *blobs == nil {
			*blobs = map[string]string{}
		}
		n := 0
		for c.int(&n); n > 0 && c.err == nil; n-- {
			path, blob := c.part(text), c.part(text)
			if _, ok := (*blobs)[path]; !ok && c.err == nil {
				(*blobs)[path] = blob
			}
		}
	}
	if c.err == nil && len(c.b) > 0 {
		c.fail()
	}
	return c.err
}

// part reads bytes prefixed with their length, as a substring of the text.
func (c *coder) part(text string) string {
	var size uint64
	if c.uint(&size); size > uint64(len(c.b)) {
		c.fail()
		return ""
	}
	at := len(text) - len(c.b)
	c.b = c.b[size:]
	return text[at : at+int(size)]
}

// AddTypes adds the types of a package, in a form that the caller can read.
func (s *Set) AddTypes(path string, data []byte) {
	if s.types == nil {
		s.types = map[string]string{}
	}
	s.types[path] = squeeze(data)
}

// Types returns the data given to AddTypes, or nil.
func (s *Set) Types(path string) []byte {
	if t, ok := s.types[path]; ok {
		return s.expand(t)
	}
	return nil
}

// HasTypes reports whether the types of a package are in the set.
func (s *Set) HasTypes(path string) bool {
	_, ok := s.types[path]
	return ok
}

// Package returns what is known about a package, or nil.
func (s *Set) Package(path string) *Package {
	if p, ok := s.read[path]; ok {
		return p
	}
	blob, ok := s.blobs[path]
	if !ok {
		return nil
	}
	p, err := Decode(s.expand(blob))
	if err != nil {
		s.err, p = err, nil
	}
	if s.read == nil {
		s.read = map[string]*Package{}
	}
	s.read[path] = p
	return p
}

// squeeze compresses bytes, because those of each package are stored once for each package that imports it.
func squeeze(b []byte) string {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.BestSpeed) // the level is valid
	_, _ = w.Write(b)                              // to memory
	_ = w.Close()
	return out.String()
}

// maxBlob limits the decompressed size of a blob.
const maxBlob = 1 << 28

func (s *Set) expand(blob string) []byte {
	b, err := io.ReadAll(io.LimitReader(flate.NewReader(strings.NewReader(blob)), maxBlob+1))
	if err != nil || len(b) > maxBlob {
		s.err = ErrCorrupt
		return nil
	}
	return b
}

// Err returns an error if a blob could not be read.
func (s *Set) Err() error { return s.err }

// All returns all packages, sorted by path.
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

// Func returns the summary of a function by its full name, or nil. It looks in the function's own package; after All,
// also among functions that another package had to create, such as wrappers of methods.
func (s *Set) Func(id string) *reach.Func {
	if p := s.Package(reach.PackageOf(id)); p != nil {
		if f := p.Funcs[id]; f != nil {
			return f
		}
	}
	return s.made[id]
}
