//go:build !linux && !darwin

package machine

func installed() int64 { return 0 }
