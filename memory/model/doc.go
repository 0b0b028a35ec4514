// Package model defines the records of the memory as plain values: memories, beliefs, people, rooms, sessions, and who
// may see what. It knows no SQL.
package model
