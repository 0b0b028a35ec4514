//go:build !linux

package pgtest

// memoryDirectory finds none.
func memoryDirectory() string { return "" }
