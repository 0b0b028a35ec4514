package strictyaml

import "reflect"

// Field is one key of a struct and the variable that holds its value.
type Field struct {
	Name  string
	Value reflect.Value
}

// inline is the tag of a field whose keys appear on the same level as the other fields.
const inline = ",inline"

// Fields returns the keys of an addressable struct in order: its fields with a yaml tag. A field tagged ",inline" is replaced
// by its own keys: the fields of a struct, possibly behind a pointer or an interface, or the existing entries of a Map.
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
