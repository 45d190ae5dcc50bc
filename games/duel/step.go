package duel

// Step advances s by one frame, in place. in[0] is what player 1 holds.
//
// The rules have phases A to G, each for player 1 and then player 2. Phases B to F touch only one
// fighter, so running all five for player 1 and then all five for player 2 comes to the same.
func Step(s *State, in [2]Input) { s.step(in[0], in[1]) }

func (s *State) step(in1, in2 Input) {
	s.Frame++ // phase A
	s.P[0].act(in1)
	s.P[1].act(in2)
	s.resolveHits() // phase G
}

// act runs phases B to F of one fighter.
func (f *Fighter) act(in Input) {
	f.recover()
	if f.State != Hitstun {
		f.startAttack(in)
		f.move(in)
	}
	f.fall()
	f.closeAttack()
}

// recover is phase B: timers run down, and hitstun ends.
func (f *Fighter) recover() {
	if f.AttackCooldownFrames > 0 {
		f.AttackCooldownFrames--
	}
	if f.HitstunFrames > 0 {
		f.HitstunFrames--
		if f.HitstunFrames == 0 {
			f.State = Idle
		}
	}
}

// startAttack is phase C, for a fighter that can act.
func (f *Fighter) startAttack(in Input) {
	if in&Attack == 0 || f.AttackCooldownFrames > 0 {
		return
	}
	f.State = Attacking
	f.AttackActiveFrames = AttackActive
	f.AttackCooldownFrames = AttackCooldown
	f.AttackHasHit = 0
}

// move is phase D, for a fighter that can act: run, jump, stay on the stage. Right wins over left.
// A jump replaces the state of an attack, whose window keeps running.
func (f *Fighter) move(in Input) {
	switch {
	case in&Right != 0:
		f.run(+1)
	case in&Left != 0:
		f.run(-1)
	case f.State == Running:
		f.State = Idle
	}
	if in&Jump != 0 && f.Y == Ground && f.State != Jumping {
		f.Vy = JumpSpeed
		f.State = Jumping
	}
	f.X = min(max(f.X, StageLeft), StageRight-BodyWidth)
}

func (f *Fighter) run(direction int8) {
	f.X += int32(direction) * RunSpeed
	f.Facing = direction
	if f.State != Jumping && f.State != Attacking {
		f.State = Running
	}
}

// fall is phase E: gravity, and the ground.
func (f *Fighter) fall() {
	f.Vy += Gravity
	f.Y += f.Vy
	if f.Y > Ground {
		return
	}
	f.Y, f.Vy = Ground, 0
	if f.State == Jumping {
		f.State = Idle
	}
}

// closeAttack is phase F: the window in which an attack can hit runs down.
func (f *Fighter) closeAttack() {
	if f.AttackActiveFrames <= 0 {
		return
	}
	f.AttackActiveFrames--
	if f.AttackActiveFrames == 0 && f.State == Attacking {
		f.State = Idle
	}
}

// resolveHits is phase G: both hits are decided from the same state, then both are applied.
func (s *State) resolveHits() {
	p1, p2 := &s.P[0], &s.P[1]
	if p1.AttackActiveFrames <= 0 && p2.AttackActiveFrames <= 0 {
		return // as in nearly every frame, nobody attacks
	}
	hit1, hit2 := p1.hits(p2), p2.hits(p1)
	if hit1 {
		p1.strike(p2)
	}
	if hit2 {
		p2.strike(p1)
	}
}

// hits reports whether f's attack reaches the other's body in this frame. The
// boxes must overlap; edges that touch do not.
func (f *Fighter) hits(other *Fighter) bool {
	if f.AttackActiveFrames <= 0 || f.AttackHasHit != 0 {
		return false
	}
	left := f.X + BodyWidth
	if f.Facing < 0 {
		left = f.X - AttackWidth
	}
	return left < other.X+BodyWidth && other.X < left+AttackWidth &&
		f.Y < other.Y+BodyHeight && other.Y < f.Y+AttackHeight
}

// strike applies a hit of f on the other. An attack hits at most once.
func (f *Fighter) strike(other *Fighter) {
	f.AttackHasHit = 1
	other.Hp = max(0, other.Hp-AttackDamage)
	other.HitstunFrames = HitstunTicks
	other.State = Hitstun
}
