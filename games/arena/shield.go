package arena

// guard raises or lowers the shield. A fighter that is stunned, dashing or has a broken shield
// cannot raise it; behind a shield no shot charges.
func (f *Fighter) guard(held bool) {
	if !held || f.Stun > 0 || f.DashTicks > 0 || f.Guard == Broken {
		f.lower()
		f.regain()
		return
	}
	f.Guard, f.Charge = Raised, 0
	f.spend(EnergyDrain)
}

func (f *Fighter) lower() {
	if f.Guard == Raised {
		f.Guard = Lowered
	}
}

// regain restores energy, and a broken shield once there is enough.
func (f *Fighter) regain() {
	f.Energy = min(f.Energy+EnergyGain, FullEnergy)
	if f.Guard == Broken && f.Energy >= ShieldReady {
		f.Guard = Lowered
	}
}

// spend takes energy; the shield breaks with the last of it.
func (f *Fighter) spend(energy int16) {
	f.Energy = max(f.Energy-energy, 0)
	if f.Energy == 0 {
		f.Guard = Broken
	}
}
