package strictyaml

import "reflect"

// Field is one key of a struct in a file, and the place of its value.
type Field struct {
	Name  string
	Value reflect.Value
}

// inline is the tag of a field whose keys stand beside those of the other fields.
const inline = ",inline"

// Fields are the keys of an addressable struct in order: its fields with a yaml tag. In place of a field tagged ",inline"
// stand its own keys: the fields of a struct, also of one behind a pointer or an interface, or the entries that a Map
// already has.
func Fields(value reflect.Value) (all []Field) {
	for i := range value.NumField() {
		name, ok := value.Type().Field(i).Tag.Lookup("yaml")
		switch {
		case !ok:
		case name == inline:
			all = append(all, inlined(value.Field(i))...)
		default:
			all = append(all, Field{name, value.Field(i)})
		}
	}
	return all
}

func inlined(value reflect.Value) []Field {
	for value.Kind() == reflect.Interface || value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if entries, ok := value.Addr().Interface().(ordered); ok {
		return entries.fields()
	}
	return Fields(value)
}
