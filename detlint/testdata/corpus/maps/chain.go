package maps

// node is an element of a list.
type node struct {
	next *node
	life int32
	by   map[int32]int32
}

//tickback:deterministic
func lastOfEach(lists map[int32]*node) {
	for _, n := range lists {
		for n.next != nil {
			n = n.next
		}
		n.life++
		n.by[1] = 2
	}
}

//tickback:deterministic
func outerOfAll(lists map[int32]*node, last *node) {
	for k, n := range lists { // want maporder
		for n.next != nil {
			n = n.next
		}
		last.next = n
		last.by[k] = n.life
	}
}
