package llm

import "time"

const (
	// maxRetries is the most attempts that may follow the first: somebody is waiting for an answer.
	maxRetries = 10
	// firstPause doubles from attempt to attempt up to longestPause.
	firstPause   = 500 * time.Millisecond
	longestPause = 20 * time.Second
	// longestWish is the longest wait a provider may ask for. Past that it is better to say so at once.
	longestWish = 30 * time.Second
)

// pauseBefore says whether attempt number n (the first retry is 1) may be made after fault and how long to wait before
// it. What the provider asked for is kept; otherwise the wait doubles, and half of it is spread by random (0 up to
// 1), so that many clients do not come back at once.
func pauseBefore(n, retries int, fault *Error, random float64) (pause time.Duration, again bool) {
	if n > retries || (fault.Kind != RateLimited && fault.Kind != Server) || fault.RetryAfter > longestWish {
		return 0, false
	}
	if fault.RetryAfter > 0 {
		return fault.RetryAfter + time.Duration(random*float64(firstPause)), true
	}
	pause = min(firstPause<<(n-1), longestPause)
	return pause/2 + time.Duration(random*float64(pause/2)), true
}
