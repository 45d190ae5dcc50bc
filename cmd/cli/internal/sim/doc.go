// Package sim has the command sim.
package sim
