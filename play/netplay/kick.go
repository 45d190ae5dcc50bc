package netplay

import (
	"slices"
	"time"
)

// kicks are the requests to the room to kick members, which are sent later and repeated: the server may be out of
// reach.
type kicks struct{ list []kick }

type kick struct {
	id   uint32
	at   time.Time // when to send it
	told bool      // whether it has been sent at least once
}

// leaveTime is how long a kicked player has to leave the match voluntarily, which avoids that the others wait.
// After that, all its connections are closed.
const leaveTime = time.Second

// repeatTime is the time after which the request is sent again if the member is still there.
const repeatTime = 2 * time.Second

// add kicks a member at a time.
func (k *kicks) add(id uint32, at time.Time) { k.list = append(k.list, kick{id: id, at: at}) }

// has reports whether a member is being kicked.
func (k *kicks) has(id uint32) bool {
	return slices.ContainsFunc(k.list, func(k kick) bool { return k.id == id })
}

// due returns the members whose kick is to be sent now, until they have left. Nothing is left to do if we may not
// kick.
func (k *kicks) due(now time.Time, may bool, here func(id uint32) bool) (ids []uint32) {
	k.list = slices.DeleteFunc(k.list, func(k kick) bool { return !may || k.told && !here(k.id) })
	for i := range k.list {
		if k := &k.list[i]; !now.Before(k.at) {
			k.at, k.told = now.Add(repeatTime), true
			ids = append(ids, k.id) // also a member who has left, and must not come back
		}
	}
	return ids
}

// all returns the members that are being kicked.
func (k *kicks) all() (ids []uint32) {
	for _, k := range k.list {
		ids = append(ids, k.id)
	}
	return ids
}
