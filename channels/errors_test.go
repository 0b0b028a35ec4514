package channels

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestKind(t *testing.T) {
	gone := errors.New("gone")
	tests := []struct {
		err  error
		want SendKind
	}{
		{gone, Temporary},
		{&SendError{Kind: Permanent, Err: gone}, Permanent},
		{fmt.Errorf("send chunk 2: %w", &SendError{Kind: Ambiguous, Err: gone}), Ambiguous},
		{&SendError{Kind: RateLimited, RetryAfter: time.Second, Err: gone}, RateLimited},
	}
	for _, tt := range tests {
		if got := Kind(tt.err); got != tt.want {
			t.Errorf("Kind(%v) = %v, want %v", tt.err, got, tt.want)
		}
		if !errors.Is(tt.err, gone) {
			t.Errorf("%v hides its cause", tt.err)
		}
	}
}

func TestSendErrorText(t *testing.T) {
	err := &SendError{Kind: RateLimited, RetryAfter: 3 * time.Second, Err: errors.New("too many requests")}
	if got, want := err.Error(), "rate limited, retry after 3s: too many requests"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
