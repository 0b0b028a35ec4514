//go:build !race

package main

// testsPerProcessor is how many tests run at once per processor: they wait for processes most of the time.
const testsPerProcessor = 4
