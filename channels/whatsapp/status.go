package whatsapp

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"

	"go.mau.fi/whatsmeow/store/sqlstore"
)

// LinkStatus is how the link to the account is, as far as it can be told without the network.
type LinkStatus struct {
	// Linked says that there is a device. The account's phone may have unlinked it since.
	Linked bool
	// Exposed says that others on this machine can read the session: whoever can is the device.
	Exposed bool
	// Problem is what is the matter with the link, Do what the operator can do about it; empty when nothing is.
	Problem, NextStep string
}

// CheckLink tells how the link is, also while another process uses it: it changes nothing. Only Database, Host.Now
// and Host.Shelf of the options are used; without a shelf nothing is known of the phone.
func CheckLink(ctx context.Context, o Options) (LinkStatus, error) {
	info, err := os.Stat(o.Database)
	if errors.Is(err, fs.ErrNotExist) {
		return LinkStatus{Problem: notLinked.Problem, NextStep: notLinked.NextStep}, nil
	}
	if err != nil {
		return LinkStatus{}, fmt.Errorf("look at the WhatsApp session: %w", err)
	}
	s := LinkStatus{Exposed: info.Mode().Perm()&0o077 != 0}
	if s.Linked, err = linked(ctx, o); err != nil {
		return s, fmt.Errorf("read the WhatsApp session %s: %w", o.Database, err)
	}
	if !s.Linked {
		s.Problem, s.NextStep = notLinked.Problem, notLinked.NextStep
		return s, nil
	}
	if o.Host.Store == nil {
		return s, nil
	}
	if seen, known := newNotes(o.Host).phone(ctx); known {
		s.Problem, s.NextStep = away(o.Host.Now().Sub(seen))
	}
	return s, nil
}

// linked says whether the session has a device.
func linked(ctx context.Context, o Options) (is bool, err error) {
	at := url.URL{Path: o.Database}
	db, err := sql.Open("sqlite3", "file:"+at.EscapedPath()+"?mode=ro&_busy_timeout=5000")
	if err != nil {
		return false, err
	}
	container := sqlstore.NewWithDB(db, "sqlite3", nil)
	defer func() { err = errors.Join(err, container.Close()) }()
	devices, err := container.GetAllDevices(ctx)
	return len(devices) > 0, err
}
