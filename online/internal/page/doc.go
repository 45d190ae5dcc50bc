//go:build !js

// Command page is built for browsers alone; see main_js.go.
package main

func main() {}
