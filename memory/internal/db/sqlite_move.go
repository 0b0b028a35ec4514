package db

import "fmt"

func (e *sqlite) primaryKey(c *Tx, table string) ([]string, error) {
	return Collect[string](c.Query(`SELECT name FROM pragma_table_info(?, 'main') WHERE pk > 0 ORDER BY pk`, table))(ScanText)
}

// beginMove relies on a connection that does not check references.
func (e *sqlite) beginMove(c *Tx) error {
	_, err := c.Exec("CREATE TABLE " + movingTable + " (statement TEXT NOT NULL)")
	return err
}

func (e *sqlite) endMove(c *Tx) (err error) {
	if err := foreignKeyCheck(c); err != nil {
		return err
	}
	c.closeRows()
	_, err = c.Exec("DROP TABLE " + movingTable)
	return err
}

// storable is the value itself.
func (e *sqlite) storable(v any) any { return v }

// refuseMoving fails with ErrMoving if a memory is being moved into the file.
func refuseMoving(c *Tx) error {
	n, err := One(c.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE name = ?`, movingTable), ScanID)
	if err == nil && n > 0 {
		err = movingError()
	}
	return err
}

func movingError() error {
	return fmt.Errorf("%w: repeat `familiar store move` to finish it, or remove the database and move anew", ErrMoving)
}
