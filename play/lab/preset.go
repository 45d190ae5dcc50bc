package lab

import "time"

// Preset is a setup that shows one thing.
type Preset struct {
	Name     string
	Settings Settings
	// Shows says what to look at, in one or two sentences.
	Shows string
	// Compare says that lockstep is to be looked at beside it.
	Compare bool
}

// Tour is the presets in the order in which they explain rollback.
var Tour = []Preset{
	{"1. A local network", Settings{Delay: time.Millisecond, InputDelay: 1}, "Inputs arrive within the frame of input delay. Nothing is predicted, so nothing is ever wrong.", false},
	{"2. 100 ms", Settings{Delay: 50 * time.Millisecond}, "A round trip of 100 ms. Each peer predicts 3 frames, at once and mostly rightly. What was wrong is simulated again: look for the ghosts.", false},
	{"3. Jitter", Settings{Delay: 50 * time.Millisecond, Jitter: 25 * time.Millisecond}, "The same delay, but each datagram takes 25 ms longer on average. Rollbacks have different depths, and the game stays even.", false},
	{"4. Bursts of losses", Settings{Delay: 40 * time.Millisecond, Loss: 15, Bursts: true}, "Losses come in a row. Every datagram repeats the inputs that may be missing, so one that arrives mends the gap; rollbacks become deep.", false},
	{"5. Unequal ways", Settings{Delay: 20 * time.Millisecond, Back: 100 * time.Millisecond}, "From peer 2 to peer 1 it takes 120 ms, the other way 20 ms. The peers share the cost: each waits a little, so that both roll back.", false},
	{"6. Input delay", Settings{Delay: 50 * time.Millisecond, InputDelay: 4}, "Four frames of input delay cover the 50 ms: no rollback is left, but every key works 67 ms later. Less input delay means more rollbacks.", false},
	{"7. Lockstep beside it", Settings{Delay: 75 * time.Millisecond, Jitter: 15 * time.Millisecond, InputDelay: 1}, "The same inputs and the same network: rollback at the left, lockstep at the right. Lockstep waits for each input, so it stalls.", true},
}
