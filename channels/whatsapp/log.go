package whatsapp

import (
	"errors"
	"fmt"
	"log/slog"
	"regexp"

	waLog "go.mau.fi/whatsmeow/util/log"
)

// libraryLog passes the SDK's log to ours. Debug and info messages are dropped, because they contain phone numbers, QR
// codes and whole messages. Warnings and errors are redacted.
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

// secrets matches phone numbers, account ids, keys and codes: long runs of digits, longer ones of base64.
var secrets = regexp.MustCompile(`[A-Za-z0-9+/=_-]{32,}|\d{5,}`)

func redact(s string) string { return secrets.ReplaceAllString(s, "…") }

// redactedError is an error whose text has its secrets removed.
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

// discardLogger replaces the logger of the encryption library, which would print keys to standard output.
type discardLogger struct{}

// Debug implements the library's logger.
func (discardLogger) Debug(string, string) {}

// Info implements the library's logger.
func (discardLogger) Info(string, string) {}

// Warning implements the library's logger.
func (discardLogger) Warning(string, string) {}

// Error implements the library's logger.
func (discardLogger) Error(string, string) {}

// Configure implements the library's logger.
func (discardLogger) Configure(string) {}
