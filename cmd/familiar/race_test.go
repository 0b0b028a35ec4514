//go:build race

package main

// testsPerProcessor is one with the race detector: the processes of the tests are several times slower, and their limits of
// time are not.
const testsPerProcessor = 1
