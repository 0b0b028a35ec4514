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

// Standing is how the link to the account is, as far as it can be told without the network.
type Standing struct {
	// Linked says that there is a device. The account's phone may have unlinked it since.
	Linked bool
	// Exposed says that others on this machine can read the session: whoever can is the device.
	Exposed bool
	// Says is what is the matter with the link, Do what the operator can do about it; empty when nothing is.
	Says, Do string
}

// Look tells how the link is, also while another process uses it: it changes nothing. Only Database, Host.Now
// and Host.Shelf of the options are used; without a shelf nothing is known of the phone.
func Look(ctx context.Context, o Options) (Standing, error) {
	info, err := os.Stat(o.Database)
	if errors.Is(err, fs.ErrNotExist) {
		return Standing{Says: notLinked.Says, Do: notLinked.Do}, nil
	}
	if err != nil {
		return Standing{}, fmt.Errorf("look at the WhatsApp session: %w", err)
	}
	s := Standing{Exposed: info.Mode().Perm()&0o077 != 0}
	if s.Linked, err = linked(ctx, o); err != nil {
		return s, fmt.Errorf("read the WhatsApp session %s: %w", o.Database, err)
	}
	if !s.Linked {
		s.Says, s.Do = notLinked.Says, notLinked.Do
		return s, nil
	}
	if o.Host.Shelf == nil {
		return s, nil
	}
	if seen, known := newNotes(o.Host).phone(ctx); known {
		s.Says, s.Do = away(o.Host.Now().Sub(seen))
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
