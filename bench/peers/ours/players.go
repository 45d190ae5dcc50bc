package main

import (
	"github.com/tickback/tickback/bench/peers/game"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// player is a generic function for each state that there is.
type player struct {
	tiny  func(rollback.Game[game.Tiny, game.Input], arguments) error
	duel  func(rollback.Game[duel.State, game.Input], arguments) error
	kib64 func(rollback.Game[game.Kib64, game.Input], arguments) error
	mib1  func(rollback.Game[game.Mib1, game.Input], arguments) error
	mib16 func(rollback.Game[game.Mib16, game.Input], arguments) error
}

var (
	matchPlayer  = player{matchOf[game.Tiny], matchOf[duel.State], matchOf[game.Kib64], matchOf[game.Mib1], matchOf[game.Mib16]}
	syncPlayer   = player{syncOf[game.Tiny], syncOf[duel.State], syncOf[game.Kib64], syncOf[game.Mib1], syncOf[game.Mib16]}
	barePlayer   = player{bareOf[game.Tiny], bareOf[duel.State], bareOf[game.Kib64], bareOf[game.Mib1], bareOf[game.Mib16]}
	agreedPlayer = player{agreedOf[game.Tiny], agreedOf[duel.State], agreedOf[game.Kib64], agreedOf[game.Mib1], agreedOf[game.Mib16]}
)
