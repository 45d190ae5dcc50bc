//go:build !js

// Command page is only built for browsers; see main_js.go.
package main

func main() {}
