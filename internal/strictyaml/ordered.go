package strictyaml

import "reflect"

// Map is a mapping with free names whose order matters. In the file it is a mapping, or a list of mappings.
type Map[V any] []Entry[V]

// Entry is a name of a Map with its value.
type Entry[V any] struct {
	Name  string
	Value V
}

// ordered is a Map of any type.
type ordered interface {
	// add appends an entry and returns a pointer to its value, valid until the next add.
	add(name string) any
	// fields returns its entries.
	fields() []Field
}

func (m *Map[V]) add(name string) any {
	*m = append(*m, Entry[V]{Name: name})
	return &(*m)[len(*m)-1].Value
}

func (m *Map[V]) fields() []Field {
	all := make([]Field, len(*m))
	for i := range *m {
		all[i] = Field{(*m)[i].Name, reflect.ValueOf(&(*m)[i].Value).Elem()}
	}
	return all
}
