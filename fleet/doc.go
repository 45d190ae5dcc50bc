// Package fleet runs whole matches of real sessions over a virtual network, in
// virtual time and from one seed.
package fleet
