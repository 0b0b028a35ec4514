//go:build !linux && !darwin

package machine

// FreeDisk returns 0 and false: the system does not say.
func FreeDisk(string) (free int64, known bool) { return 0, false }
