package datagram

// Rewind removes the frames that h has and old, an earlier copy of h, does not.
func (h *History) Rewind(old *History) { h.next, h.newest = old.next, old.newest }
