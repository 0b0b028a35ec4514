package whatsapp

import (
	"errors"
	"fmt"
	"log/slog"
	"regexp"

	waLog "go.mau.fi/whatsmeow/util/log"
)

// libraryLog is the SDK's log in ours. What it says in passing is dropped: phone numbers, QR codes and whole messages
// are in there. What it complains of is kept without them.
type libraryLog struct{ log *slog.Logger }

// Debugf implements waLog.Logger.
func (libraryLog) Debugf(string, ...any) {}

// Infof implements waLog.Logger.
func (libraryLog) Infof(string, ...any) {}

// Warnf implements waLog.Logger.
func (l libraryLog) Warnf(format string, args ...any) {
	l.log.Debug("whatsapp library", "says", redact(fmt.Sprintf(format, args...)))
}

// Errorf implements waLog.Logger.
func (l libraryLog) Errorf(format string, args ...any) {
	l.log.Warn("whatsapp library", "says", redact(fmt.Sprintf(format, args...)))
}

// Sub implements waLog.Logger.
func (l libraryLog) Sub(string) waLog.Logger { return l }

// secrets are phone numbers and ids of accounts, and keys and codes: long runs of digits, longer ones of base64.
var secrets = regexp.MustCompile(`[A-Za-z0-9+/=_-]{32,}|\d{5,}`)

func redact(s string) string { return secrets.ReplaceAllString(s, "…") }

// redactedError says what its cause says, without secrets.
type redactedError struct{ cause error }

// Error implements error.
func (e *redactedError) Error() string { return redact(e.cause.Error()) }

// Unwrap returns the cause.
func (e *redactedError) Unwrap() error { return e.cause }

func redacted(err error) error {
	if e := (*redactedError)(nil); err == nil || errors.As(err, &e) {
		return err
	}
	return &redactedError{err}
}

// nowhere is the log of the encryption library, which would write to the standard output, with keys.
type nowhere struct{}

// Debug implements the library's logger.
func (nowhere) Debug(string, string) {}

// Info implements the library's logger.
func (nowhere) Info(string, string) {}

// Warning implements the library's logger.
func (nowhere) Warning(string, string) {}

// Error implements the library's logger.
func (nowhere) Error(string, string) {}

// Configure implements the library's logger.
func (nowhere) Configure(string) {}
