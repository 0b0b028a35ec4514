package llm

import "time"

const (
	// maxRetries is the most attempts that may follow the first: somebody is waiting for an answer.
	maxRetries = 10
	// firstPause doubles with each attempt up to maxPause.
	firstPause = 500 * time.Millisecond
	maxPause   = 20 * time.Second
	// maxRetryAfter is the longest wait a provider may ask for. If it asks for more, the attempt fails at once.
	maxRetryAfter = 30 * time.Second
)

// pauseBefore reports whether attempt number n (the first retry is 1) may follow fault, and how long to wait before it.
// The provider's requested wait applies; otherwise the wait doubles, and half of it is spread by random (0 up to 1), so
// that clients do not retry at the same moment.
func pauseBefore(n, retries int, fault *Error, random float64) (pause time.Duration, again bool) {
	if n > retries || (fault.Kind != RateLimited && fault.Kind != Server && fault.Kind != Timeout) || fault.RetryAfter > maxRetryAfter {
		return 0, false
	}
	if fault.RetryAfter > 0 {
		return fault.RetryAfter + time.Duration(random*float64(firstPause)), true
	}
	pause = min(firstPause<<(n-1), maxPause)
	return pause/2 + time.Duration(random*float64(pause/2)), true
}
