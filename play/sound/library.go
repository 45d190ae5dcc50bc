package sound

// The sounds of the games.
var (
	Step    = Patch{Lasts: true, Layers: []Layer{{Wave: Noise, From: 900, Gain: 0.035, Attack: 0.05}, {Wave: Noise, From: 220, Gain: 0.05, Attack: 0.05}}}
	Jump    = Patch{Layers: []Layer{{Wave: Triangle, From: 190, To: 520, Gain: 0.3, Attack: 0.005, Decay: 0.18}, {Wave: Noise, From: 3000, To: 800, Gain: 0.05, Decay: 0.1}}}
	Land    = Patch{Layers: []Layer{{Wave: Sine, From: 140, To: 55, Gain: 0.5, Decay: 0.12}, {Wave: Noise, From: 1600, To: 300, Gain: 0.14, Decay: 0.09}}}
	Swing   = Patch{Layers: []Layer{{Wave: Noise, From: 2200, To: 9000, Gain: 0.22, Attack: 0.03, Decay: 0.11}, {Wave: Sine, From: 420, To: 160, Gain: 0.12, Attack: 0.02, Decay: 0.1}}}
	Hit     = Patch{Layers: []Layer{{Wave: Sine, From: 210, To: 48, Gain: 0.8, Decay: 0.22}, {Wave: Noise, From: 7000, To: 700, Gain: 0.5, Decay: 0.09}, {Wave: Square, From: 320, To: 90, Gain: 0.16, Decay: 0.12}}}
	Stun    = Patch{Lasts: true, Layers: []Layer{{Wave: Triangle, From: 620, Gain: 0.05, Attack: 0.06, Vibrato: 0.12}}}
	Gong    = Patch{Layers: []Layer{{Wave: Sine, From: 98, To: 92, Gain: 0.5, Attack: 0.01, Hold: 0.1, Decay: 1.6}, {Wave: Sine, From: 247, To: 240, Gain: 0.25, Decay: 1.2}, {Wave: Triangle, From: 392, To: 388, Gain: 0.14, Decay: 0.9}, {Wave: Noise, From: 5000, To: 400, Gain: 0.35, Decay: 0.3}}}
	Tick    = Patch{Layers: []Layer{{Wave: Square, From: 440, Gain: 0.14, Hold: 0.05, Decay: 0.09}, {Wave: Sine, From: 880, Gain: 0.12, Decay: 0.12}}}
	Go      = Patch{Layers: []Layer{{Wave: Square, From: 880, Gain: 0.15, Hold: 0.14, Decay: 0.3}, {Wave: Sine, From: 1320, Gain: 0.14, Hold: 0.1, Decay: 0.35}}}
	Win     = Patch{Layers: melody(0.11, 523, 659, 784, 1047)}
	Lose    = Patch{Layers: melody(0.15, 392, 349, 311, 262)}
	Shot    = Patch{Layers: []Layer{{Wave: Saw, From: 980, To: 180, Gain: 0.16, Decay: 0.14}, {Wave: Noise, From: 6000, To: 1500, Gain: 0.1, Decay: 0.06}}}
	BigShot = Patch{Layers: []Layer{{Wave: Saw, From: 420, To: 60, Gain: 0.26, Decay: 0.3}, {Wave: Noise, From: 3000, To: 300, Gain: 0.2, Decay: 0.16}}}
	Bounce  = Patch{Layers: []Layer{{Wave: Sine, From: 1250, To: 900, Gain: 0.12, Decay: 0.08}}}
	Dash    = Patch{Layers: []Layer{{Wave: Noise, From: 1200, To: 6000, Gain: 0.25, Attack: 0.04, Decay: 0.16}}}
	Block   = Patch{Layers: []Layer{{Wave: Triangle, From: 1500, To: 1400, Gain: 0.22, Decay: 0.22}, {Wave: Square, From: 2230, Gain: 0.07, Decay: 0.12}}}
	Appear  = Patch{Layers: melody(0.06, 784, 988)}
	Take    = Patch{Layers: melody(0.05, 659, 880, 1319)}
	Hum     = Patch{Lasts: true, Layers: []Layer{{Wave: Triangle, From: 118, Gain: 0.12, Attack: 0.08, Vibrato: 0.03}, {Wave: Sine, From: 354, Gain: 0.05, Attack: 0.08}}}
	Whine   = Patch{Lasts: true, Layers: []Layer{{Wave: Saw, From: 160, To: 620, Gain: 0.05, Attack: 0.85}}}
	Alarm   = Patch{Lasts: true, Layers: []Layer{{Wave: Square, From: 330, Gain: 0.03, Attack: 0.1, Vibrato: 0.2}}}
	Choose  = Patch{Layers: []Layer{{Wave: Triangle, From: 700, To: 900, Gain: 0.14, Decay: 0.06}}}
	Accept  = Patch{Layers: melody(0.05, 700, 1050)}
)

// melody returns notes that follow one another.
func melody(each float64, notes ...float64) (layers []Layer) {
	for i, f := range notes {
		layers = append(layers, Layer{
			Wave: Triangle, From: f, Gain: 0.24, Delay: float64(i) * each,
			Attack: 0.006, Hold: each * 0.6, Decay: each * 2.5,
		})
	}
	return layers
}
