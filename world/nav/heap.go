package nav

// heap is a binary heap of keys, with the least first. Equal keys are indistinguishable, so the order of pops depends
// only on the keys.
type heap []uint64

func (h *heap) push(key uint64) {
	*h = append(*h, key)
	s := *h
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if s[parent] <= key {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = key
}

func (h *heap) pop() (key uint64, ok bool) {
	s := *h
	if len(s) == 0 {
		return 0, false
	}
	key = s[0]
	last := s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	i := 0
	for {
		child := 2*i + 1
		if child >= len(s) {
			break
		}
		if child+1 < len(s) && s[child+1] < s[child] {
			child++
		}
		if s[child] >= last {
			break
		}
		s[i] = s[child]
		i = child
	}
	if len(s) > 0 {
		s[i] = last
	}
	return key, true
}
