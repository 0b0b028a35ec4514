package erase

import (
	"familiar/memory/internal/db"
	"familiar/memory/log"
)

// pruneStrangers removes what is left of people who asked for access and were not approved.
func pruneStrangers(tx *db.Tx, before int64) (int64, error) {
	if err := log.ExpirePairings(tx, tx.Now); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(log.DeleteStrangerOutbox, before); err != nil {
		return 0, err
	}
	return tx.Affect(log.DeleteUnclaimedRooms, before, pruneBatch)
}
