package db

import "context"

// CheckWritable writes something that changes nothing: it fails if nothing can be stored, for example on a full disk.
func (s *DB) CheckWritable(ctx context.Context) error {
	return s.Write(ctx, "check that the memory can be written", s.engine.touch)
}

// Size returns the bytes that the database takes, and those of its log as far as it belongs to the database alone. Those of a
// file are known without a reader, and after Close too.
func (s *DB) Size() (data, log int64, err error) {
	if file, is := s.engine.(*sqlite); is {
		return file.size(nil)
	}
	err = s.ReadOne(context.Background(), "measure the memory", func(tx *Tx) error {
		data, log, err = s.engine.size(tx)
		return err
	})
	return data, log, err
}
