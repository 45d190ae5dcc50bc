package maps

//tickback:deterministic
func rebuilt(s *state) {
	other := map[int32]int32{}
	for k, v := range s.m {
		other[k] = v
	}
	s.m = other
}

//tickback:deterministic
func inverted(s *state) {
	other := map[int32]int32{}
	for k, v := range s.m { // want maporder
		other[v] = k
	}
	s.m = other
}

//tickback:deterministic
func setOfValues(s *state) {
	set := map[int32]bool{}
	for _, v := range s.m {
		set[v] = true
	}
	s.n = int32(len(set))
}

//tickback:deterministic
func histogram(s *state) {
	bins := map[int32]int32{}
	for _, v := range s.m {
		bins[v]++
	}
	s.m = bins
}

//tickback:deterministic
func groups(s *state) {
	by := map[int32][]int32{}
	for k, v := range s.m { // want maporder
		by[v] = append(by[v], k)
	}
	s.lists = by
}

//tickback:deterministic
func onBoard(s *state) {
	for k, v := range s.m { // want maporder
		s.board[k&63] = v // two keys may have one place
	}
}

//tickback:deterministic
func onBoardByKey(s *state) {
	for k, v := range s.m {
		s.board[k] = v
	}
}

//tickback:deterministic
func emptied(s *state) {
	for k, v := range s.m {
		if v == 0 {
			delete(s.m, k)
		}
	}
}

//tickback:deterministic
func othersDeleted(s *state) {
	for _, v := range s.m { // want maporder
		delete(s.m, v)
	}
}

//tickback:deterministic
func othersDeletedElsewhere(s *state) {
	for _, v := range s.m {
		delete(s.cells, place{v, 0})
	}
}

//tickback:deterministic
func grownMeanwhile(s *state) {
	for k, v := range s.m { // want maporder
		if v > 3 {
			s.m[k+1000] = 0
		}
	}
}
