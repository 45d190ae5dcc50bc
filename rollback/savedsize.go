//detlint:ignore address,maporder a sum of sizes for statistics: addresses only tell what was counted, and no step sees it
package rollback

import "reflect"

// sizer adds up the sizes of all memory that can be reached from a value.
type sizer struct {
	seen map[uintptr]bool // memory that has been counted
	left int              // the number of values that may still be visited
}

// maxSized bounds the work: values beyond it are not counted.
const maxSized = 1 << 20

// sizeOf returns the approximate size of a value in bytes, including everything that it refers to.
func sizeOf[V any](v *V) int {
	r := reflect.ValueOf(v).Elem()
	z := sizer{seen: map[uintptr]bool{r.Addr().Pointer(): true}, left: maxSized}
	return int(r.Type().Size()) + z.beyond(r)
}

// beyond returns the size of the memory that a value refers to, without the value itself.
func (z *sizer) beyond(v reflect.Value) (size int) {
	if !leadsAnywhere(v.Type()) && !hasText(v.Type()) {
		return 0
	}
	if z.left--; z.left < 0 {
		return 0
	}
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Pointer:
		if v.IsNil() || z.counted(v.Pointer()) {
			return 0
		}
		return int(v.Type().Elem().Size()) + z.beyond(v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return int(v.Elem().Type().Size()) + z.beyond(v.Elem())
	case reflect.Slice:
		if v.Len() == 0 || z.counted(v.Pointer()) {
			return 0
		}
		//detlint:ignore capacity it measures memory
		return v.Cap()*int(v.Type().Elem().Size()) + z.elements(v)
	case reflect.Array:
		return z.elements(v)
	case reflect.Map:
		return z.entries(v)
	case reflect.Struct:
		for i := range v.NumField() {
			size += z.beyond(v.Field(i))
		}
	}
	return size
}

func (z *sizer) elements(v reflect.Value) (size int) {
	t := v.Type().Elem()
	if !leadsAnywhere(t) && !hasText(t) {
		return 0
	}
	for i := range v.Len() {
		size += z.beyond(v.Index(i))
	}
	return size
}

func (z *sizer) entries(v reflect.Value) (size int) {
	if v.Len() == 0 || z.counted(v.Pointer()) {
		return 0
	}
	t := v.Type()
	size = v.Len() * int(t.Key().Size()+t.Elem().Size())
	for i := v.MapRange(); i.Next(); {
		size += z.beyond(i.Key()) + z.beyond(i.Value())
	}
	return size
}

// counted reports whether this memory has been counted before, and marks it as counted.
func (z *sizer) counted(p uintptr) bool {
	if z.seen[p] {
		return true
	}
	z.seen[p] = true
	return false
}

// hasText reports whether values of a type contain strings.
func hasText(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String:
		return true
	case reflect.Array:
		return hasText(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasText(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
