package maps

//tickback:deterministic
func firstOfAll(s *state) int32 {
	for k := range s.m { // want maporder
		return k
	}
	return 0
}

//tickback:deterministic
func firstThatFits(s *state) {
	for k, v := range s.m { // want maporder
		if v > 3 {
			s.n = k
			break
		}
	}
}

//tickback:deterministic
func whether(s *state) bool {
	for _, v := range s.m {
		if v > 3 {
			return true
		}
	}
	return false
}

//tickback:deterministic
func whetherByFlag(s *state) {
	found := false
	for _, v := range s.m {
		if v > 3 {
			found = true
			break
		}
	}
	s.seen = found
}

//tickback:deterministic
func untilEnough(s *state) {
	n := int32(0)
	for _, v := range s.m { // want maporder
		n += v
		if n > 10 {
			break
		}
	}
	s.n = n
}

//tickback:deterministic
func damageUntilDone(s *state) {
	left := int32(5)
	for _, u := range s.units { // want maporder
		if left == 0 {
			break
		}
		u.HP--
		left--
	}
}
