package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"
	_ "github.com/mattn/go-sqlite3" // the driver for the session's database
	"go.mau.fi/libsignal/logger"
	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/store/sqlstore"
)

// session is the open database of the device's keys.
type session struct {
	container *sqlstore.Container
	lock      *flock.Flock
}

// pragmas make commits durable before a message is acknowledged, and let writers wait for each other.
const pragmas = "?_foreign_keys=on&_journal_mode=WAL&_synchronous=FULL&_busy_timeout=30000&_txlock=immediate"

// openSession opens the database and locks it against other processes. It is in a directory of its own, so that a copy of
// the memories does not contain the keys.
func openSession(ctx context.Context, o Options) (*session, error) {
	if err := os.MkdirAll(filepath.Dir(o.Database), 0o700); err != nil {
		return nil, fmt.Errorf("create the directory of the WhatsApp session: %w", err)
	}
	lock := flock.New(o.Database+".lock", flock.SetPermissions(0o600))
	switch held, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("lock the WhatsApp session %s: %w", o.Database, err)
	case !held:
		return nil, fmt.Errorf("the WhatsApp session %s is in use by another process: stop that process first", o.Database)
	}
	if err := moveFormer(ctx, o); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	container, err := openDatabase(ctx, o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the WhatsApp session %s: %w", o.Database, err), lock.Unlock())
	}
	return &session{container: container, lock: lock}, nil
}

func openDatabase(ctx context.Context, o Options) (*sqlstore.Container, error) {
	f, err := os.OpenFile(o.Database, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(f.Chmod(0o600), f.Close()); err != nil {
		return nil, err
	}
	at := url.URL{Path: o.Database}
	return sqlstore.New(ctx, "sqlite3", "file:"+at.EscapedPath()+pragmas, libraryLog{o.Log})
}

func (s *session) close() error {
	if err := errors.Join(s.container.Close(), s.lock.Unlock()); err != nil {
		return fmt.Errorf("close the WhatsApp session: %w", err)
	}
	return nil
}

// forget deletes an unlinked device. The SDK does so too, but some time after it reports the unlinking.
func (s *session) forget(ctx context.Context) error {
	devices, err := s.container.GetAllDevices(ctx)
	if err != nil {
		return fmt.Errorf("look for the unlinked device: %w", err)
	}
	for _, d := range devices {
		if err := s.container.DeleteDevice(ctx, d); err != nil {
			return fmt.Errorf("delete the unlinked device: %w", err)
		}
	}
	return nil
}

// settings sets the process-wide options of the SDK and its encryption library: the device's name in the phone's list
// of linked devices, and no output.
var settings = sync.OnceFunc(func() {
	store.SetOSInfo("Familiar", [3]uint32{1, 0, 0})
	var quiet logger.Loggable = discardLogger{}
	logger.Setup(&quiet)
})

// newClient returns an SDK client for device that logs nothing private.
func newClient(o Options, device *store.Device) *whatsmeow.Client {
	settings()
	client := whatsmeow.NewClient(device, libraryLog{o.Log})
	// The channel downloads the history itself, so that it can wait for it at the end.
	client.ManualHistorySyncDownload = true
	if o.HTTP != nil {
		client.SetPreLoginHTTPClient(o.HTTP)
		client.SetWebsocketHTTPClient(o.HTTP)
		client.SetMediaHTTPClient(o.HTTP)
	}
	if o.Host.Files.Dir != "" {
		client.SetMediaHTTPClient(limitedClient(o.HTTP, o.Host.Files.MaxSize))
	}
	return client
}
