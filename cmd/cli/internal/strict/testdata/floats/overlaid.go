package main

func overlaid() string { return "as it is" }
