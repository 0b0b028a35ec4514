// Package backup makes, checks and restores backups of a home.
//
// A backup is one file: a tar archive, compressed with zstd and optionally encrypted with age. Its first member is the
// manifest, which names every other member with its size and SHA-256; nothing that the manifest does not name is read.
// The database and WhatsApp's keys are copied with SQLite's online backup, so a backup can be made while the home is served.
package backup
