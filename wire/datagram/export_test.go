package datagram

// Rewind takes back the frames that h has and old, an earlier copy of h, has not.
func (h *History) Rewind(old *History) { h.next, h.newest = old.next, old.newest }
