package layout_test

import (
	"context"
	"errors"
	"io"
)

// failing is a part of a page that cannot be written.
type failing struct{}

// Render implements templ.Component.
func (failing) Render(context.Context, io.Writer) error { return errors.New("secret detail") }
