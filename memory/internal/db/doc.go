// Package db manages the database, a SQLite file or a PostgreSQL schema: opening and migrating it, one writer that commits in groups, a pool of readers,
// snapshots, integrity checks, backups and secure deletion.
package db
