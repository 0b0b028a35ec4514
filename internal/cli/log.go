package cli

import (
	"io"
	"log/slog"

	"familiar/config"
)

// NewLog returns a logger that writes to w at the configured level and in the configured format, or
// as one JSON object per line.
func NewLog(w io.Writer, cfg *config.Config, asJSON bool) *slog.Logger {
	return slog.New(LogHandler(w, cfg.Log.Level.Slog(), asJSON || cfg.Log.Format == config.JSONLog))
}

// LogHandler writes events of at least level to w, as text or as one JSON object per line.
func LogHandler(w io.Writer, level slog.Level, asJSON bool) slog.Handler {
	options := &slog.HandlerOptions{Level: level}
	if asJSON {
		return slog.NewJSONHandler(w, options)
	}
	return slog.NewTextHandler(w, options)
}
