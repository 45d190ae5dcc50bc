package main

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// value is one line of what a program prints: a name, a value and its unit. The value of a hash is a text.
type value struct {
	name   string
	number float64
	unit   string
	hash   string
}

// parseLines reads what a program has printed.
func parseLines(text string) ([]value, error) {
	var all []value
	scan := bufio.NewScanner(strings.NewReader(text))
	for scan.Scan() {
		fields := strings.Fields(scan.Text())
		if len(fields) != 3 {
			return nil, fmt.Errorf("%q is not a name, a value and a unit", scan.Text())
		}
		v := value{name: fields[0], unit: fields[2]}
		if v.unit == "hash" {
			if _, err := strconv.ParseUint(fields[1], 16, 64); err != nil || len(fields[1]) != 16 {
				return nil, fmt.Errorf("%q has no hash of 16 digits", scan.Text())
			}
			v.hash = fields[1]
		} else {
			n, err := strconv.ParseFloat(fields[1], 64)
			if err != nil || math.IsNaN(n) || math.IsInf(n, 0) || n < 0 {
				return nil, fmt.Errorf("%q has no value that is a number from 0 on", scan.Text())
			}
			v.number = n
		}
		all = append(all, v)
	}
	return all, scan.Err()
}
