package postgres

import (
	"context"
	"testing"
)

func BenchmarkPointRead(b *testing.B) {
	c := open(b)
	run(b, c, "CREATE TABLE things (id bigint PRIMARY KEY, name text); INSERT INTO things SELECT i, 'thing ' || i FROM generate_series(1, 10000) i; ANALYZE things")
	st, err := c.PrepareContext(context.Background(), "SELECT name FROM things WHERE id = ?")
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		var name string
		if err := st.QueryRowContext(context.Background(), i%10000+1).Scan(&name); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInsert(b *testing.B) {
	c := open(b)
	run(b, c, "CREATE TABLE things (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text, at bigint)")
	st, err := c.PrepareContext(context.Background(), "INSERT INTO things (name, at) VALUES (?, ?) RETURNING id")
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	exec(b, c, "BEGIN")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		var id int64
		if err := st.QueryRowContext(context.Background(), "a thing", i).Scan(&id); err != nil {
			b.Fatal(err)
		}
	}
	exec(b, c, "COMMIT")
}

func BenchmarkTranslate(b *testing.B) {
	kinds := []Kind("iti")
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Translate(`SELECT a, b FROM things WHERE +kind = ?1 AND name LIKE ?2 ESCAPE '\' ORDER BY id LIMIT ?3 + 0`, kinds); err != nil {
			b.Fatal(err)
		}
	}
}
