package arena

import "github.com/tickback/tickback/fixed"

// scoreOnly returns a fighter with f's score and nothing else.
func (f *Fighter) scoreOnly() Fighter {
	return Fighter{Shots: f.Shots, Dashes: f.Dashes, Dealt: f.Dealt, Wins: f.Wins, Knockouts: f.Knockouts}
}

// ready returns f as it starts a round at a place, facing the middle of the arena.
func (f *Fighter) ready(at fixed.Vec2) Fighter {
	r := f.scoreOnly()
	r.Pos, r.Stance, r.Hp, r.Energy = at, Standing, FullHp, FullEnergy
	r.FaceX, r.FaceY = int8(-at.X.Sign()), int8(-at.Y.Sign())
	return r
}

// facing returns the direction in which f faces, a vector of length 1.
func (f *Fighter) facing() fixed.Vec2 {
	return Input{X: f.FaceX, Y: f.FaceY}.direction()
}

// act makes player p's fighter do what the input says: first the timers, then the shield, facing, a dash,
// running and shooting.
func (t *tick) act(p int, in Input) {
	f := &t.s.Fighters[p]
	pressed := in.Buttons &^ f.Held
	f.Held = in.Buttons & AllButtons
	f.runDown()
	f.guard(in.Buttons&Shield != 0)
	if f.Stun > 0 {
		f.Charge = 0
		return
	}
	if f.DashTicks > 0 {
		return
	}
	if in.pushed() {
		f.FaceX, f.FaceY = in.X, in.Y
	}
	if pressed&Dash != 0 && f.DashCooldown == 0 {
		t.startDash(p)
		return
	}
	if in.pushed() {
		f.Vel = f.Vel.Add(in.stick().Scale(f.pace()))
	}
	t.trigger(p, in.Buttons&Shoot != 0)
}

// runDown runs down the timers.
func (f *Fighter) runDown() {
	f.Stun = max(f.Stun-1, 0)
	f.DashTicks = max(f.DashTicks-1, 0)
	f.DashCooldown = max(f.DashCooldown-1, 0)
	f.ShotCooldown = max(f.ShotCooldown-1, 0)
	f.RapidTicks = max(f.RapidTicks-1, 0)
}

// startDash sends player p's fighter off where it faces. Its speed does not change until the
// dash ends.
func (t *tick) startDash(p int) {
	f := &t.s.Fighters[p]
	f.Vel = f.facing().Scale(DashSpeed)
	f.DashTicks, f.DashCooldown, f.Rammed = DashTicks, DashCooldown, 0
	f.lower()
	f.Dashes++
	Dashed.Emit(t.out, uint32(p), f.place(p))
}

// pace returns the acceleration of a fighter, which depends on what else it is doing.
func (f *Fighter) pace() fixed.Num {
	switch {
	case f.Guard == Raised:
		return ShieldedPace
	case f.Charge > 0:
		return ChargingPace
	}
	return Acceleration
}
