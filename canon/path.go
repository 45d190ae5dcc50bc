package canon

import "strconv"

// joinField appends a field to a path: `Units[3]` and `Hp` give `Units[3].Hp`.
func joinField(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// appendField does what joinField does, for a buffer.
func appendField(path []byte, name string) []byte {
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, name...)
}

// appendIndex appends an element to a path.
func appendIndex(path []byte, i uintptr) []byte {
	path = append(path, '[')
	path = strconv.AppendUint(path, uint64(i), 10)
	return append(path, ']')
}

// label returns a path, or the name of the whole value if the path is empty.
func label[S ~string | ~[]byte](path S) string {
	if len(path) == 0 {
		return "(value)"
	}
	return string(path)
}

// pathAt returns the path of the scalar that holds byte off of the encoding.
func (n *node) pathAt(off uintptr) string {
	_, path, _ := n.scalarAt(off)
	return path
}

// scalarAt returns the scalar that holds byte off of the encoding, its path, and
// where it starts.
func (n *node) scalarAt(off uintptr) (scalar *node, path string, start uintptr) {
	var b []byte
	whole := off
	for n.form != formScalar {
		if n.form == formArray {
			b = appendIndex(b, off/n.elem.enc)
			n, off = n.elem, off%n.elem.enc
			continue
		}
		for i := len(n.fields) - 1; i >= 0; i-- {
			// Fields without any bytes share their offset with the next one.
			if f := n.fields[i]; f.enc <= off && f.node.enc > 0 {
				b = appendField(b, f.name)
				n, off = f.node, off-f.enc
				break
			}
		}
	}
	return n, string(b), whole - off
}
