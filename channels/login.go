package channels

import "context"

// Loginer is a Channel whose account the operator links by hand, at a terminal. Neither call needs Run, nor may they
// be made beside it.
type Loginer interface {
	// Login links the account and returns once it is linked, or cannot be: by a code that show puts before the operator,
	// again and again as it changes, to be scanned; or, given a phone number, to be typed in there. What is shown is a
	// secret: it goes to the terminal alone.
	Login(ctx context.Context, phone string, show func(text string)) error
	// Logout unlinks the account. Nothing that was heard or said is lost.
	Logout(ctx context.Context) error
}
