package channels

import "context"

// Loginer is a Channel whose account the operator links by hand at a terminal. Neither method needs Run, and neither
// may be called while Run is active.
type Loginer interface {
	// Login links the account and returns when it is linked or the attempt failed. Without a phone number, it passes a
	// code to scan to show, and again each time the code changes. With a phone number, it passes a code to type on that
	// phone. The codes are secrets and go only to the terminal.
	Login(ctx context.Context, phone string, show func(text string)) error
	// Logout unlinks the account. No stored messages are lost.
	Logout(ctx context.Context) error
}
