// Package sim is the command sim.
package sim
