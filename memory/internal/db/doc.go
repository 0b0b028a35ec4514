// Package db manages the SQLite file: opening and migrating it, one writer that commits in groups, a pool of readers,
// snapshots, integrity checks, backups and secure deletion.
package db
