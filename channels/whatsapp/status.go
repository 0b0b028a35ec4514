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

// LinkStatus is the state of the link to the account, as far as it can be determined offline.
type LinkStatus struct {
	// Linked reports that there is a device. The phone may have unlinked it since.
	Linked bool
	// Exposed reports that other users of this machine can read the session, and so act as the device.
	Exposed bool
	// Problem describes a problem with the link, NextStep what the operator can do about it; empty if there is none.
	Problem, NextStep string
}

// CheckLink returns the state of the link without changing anything, even while another process uses it. It uses only
// Database, Former, Host.Now and Host.Store of the options; without a store nothing is known about the phone.
func CheckLink(ctx context.Context, o Options) (LinkStatus, error) {
	o.Database = o.existing()
	info, err := os.Stat(o.Database)
	if errors.Is(err, fs.ErrNotExist) {
		return LinkStatus{Problem: notLinked.Problem, NextStep: notLinked.NextStep}, nil
	}
	if err != nil {
		return LinkStatus{}, fmt.Errorf("check the WhatsApp session: %w", err)
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
	if seen, known := newRecords(o.Host).lastPhoneSign(ctx); known {
		s.Problem, s.NextStep = phoneWarning(o.Host.Now().Sub(seen))
	}
	return s, nil
}

// linked reports whether the session contains a device.
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
