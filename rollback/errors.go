package rollback

import (
	"errors"
	"fmt"
)

var (
	// ErrPlayers means that the game refuses the number of players of a match.
	ErrPlayers = errors.New("the game refuses its players")
	// ErrSampled means that a local player was sampled twice for one frame.
	ErrSampled = errors.New("this frame's input of the player has been given already")
	// ErrNotSampled means that a tick lacks the input of a local player.
	ErrNotSampled = errors.New("no input for this frame")
	// ErrDisconnected means that the player of an input is disconnected in that frame.
	ErrDisconnected = errors.New("the player is disconnected in this frame")
	// ErrNotHeld means that the engine does not hold the state yet, or no longer holds it.
	ErrNotHeld = errors.New("the state is not held")
	// ErrPast means that an input was supposed for a frame that has run already.
	ErrPast = errors.New("the frame has run already")
	// ErrKnown means that an input cannot be supposed because it is already known.
	ErrKnown = errors.New("the input is known")
	// ErrSettled means that a state cannot be corrected because a later one is settled.
	ErrSettled = errors.New("a later state is settled")
	// ErrFrames means that the match has used up all frame numbers.
	ErrFrames = errors.New("the match has no more frames")
)

// PlayerError means that a call is not possible for this player.
type PlayerError struct {
	Player Player
	Why    string
}

// Error names the player.
func (e *PlayerError) Error() string { return fmt.Sprintf("player %d %s", e.Player, e.Why) }

// ConflictError means that a second, different input came for a frame whose input is known: the player or a machine in
// between is cheating or faulty. The first input stays.
type ConflictError struct {
	Player Player
	Frame  Frame
	What   string // "input", "orders" or "cut" (of a player who left)
}

// Error names the player and the frame.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("player %d, frame %d: a different %s is confirmed already", e.Player, e.Frame, e.What)
}

// TooOldError means that an input came for a frame that the engine no longer holds, so
// that it can neither be compared nor corrected. The match is as it was.
type TooOldError struct {
	Player  Player
	Frame   Frame
	Oldest  Frame  // the oldest frame whose inputs are held
	Setting string // the field of [Config] that would have to be larger; empty if the match began after Frame
}

// Error names the frame, the oldest one held, and the setting to raise.
func (e *TooOldError) Error() string {
	text := fmt.Sprintf("player %d: an input for frame %d, and the oldest frame held is %d", e.Player, e.Frame, e.Oldest)
	if e.Setting == "" {
		return text + ", where this engine began"
	}
	return text + ": raise " + e.Setting
}

// TooEarlyError means that an input came for a frame so far ahead that there is no room
// for it yet. It has to be sent again.
type TooEarlyError struct {
	Player Player
	Frame  Frame
	Newest Frame // the newest frame that there is room for
}

// Error names the frame and the newest one that there is room for.
func (e *TooEarlyError) Error() string {
	return fmt.Sprintf("player %d: an input for frame %d, and there is room up to frame %d", e.Player, e.Frame, e.Newest)
}

// OrdersError means that orders are too long.
type OrdersError struct {
	Player    Player
	Len, Most int // in bytes
}

// Error names both lengths.
func (e *OrdersError) Error() string {
	if e.Most == 0 {
		return fmt.Sprintf("player %d: %d bytes of orders, and the match has no orders: set MaxOrders", e.Player, e.Len)
	}
	return fmt.Sprintf("player %d: %d bytes of orders, more than MaxOrders (%d)", e.Player, e.Len, e.Most)
}

// Stall says why a tick cannot run now. The match is as it was.
type Stall struct {
	Frame Frame // the frame that cannot run
	// Waiting are the players whose inputs are missing. It is empty if the engine waits
	// for its owner: frames have to be agreed ([Engine.Agree]), and read if there is a
	// stream ([Engine.NextAgreed]).
	Waiting PlayerSet
	// Have is the frame of the oldest missing input, or the oldest frame still to be agreed or read.
	Have Frame
}

// Error names what the engine is waiting for.
func (s *Stall) Error() string {
	if s.Waiting != 0 {
		return fmt.Sprintf("frame %d waits for the input of %v, from frame %d on", s.Frame, s.Waiting, s.Have)
	}
	return fmt.Sprintf("frame %d waits for frame %d to be agreed, and read from the stream: History is full", s.Frame, s.Have)
}

// CapabilityError means that a game with its own memory lacks a function that a call
// needs.
type CapabilityError struct {
	Missing string // the field of OwnMemory
	For     string // what needs it
}

// Error names the field and what needs it.
func (e *CapabilityError) Error() string {
	return fmt.Sprintf("the game gives no %s, which %s needs", e.Missing, e.For)
}
