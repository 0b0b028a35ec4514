package config

import (
	"fmt"
	"reflect"
	"strconv"

	"familiar/internal/strictyaml"
)

// Setting is one value of the effective configuration, for display.
type Setting struct {
	// Key is the dotted path in the file: "model.provider".
	Key string `json:"key"`
	// Value is in the format of the file; a secret is shown as its reference.
	Value string `json:"value"`
	// Source is "default" or the line that sets the value.
	Source string `json:"source"`
}

// Settings returns all values in the order of the file.
func (c *Config) Settings() []Setting {
	return c.walk(reflect.ValueOf(c).Elem(), "")
}

func (c *Config) walk(section reflect.Value, path string) []Setting {
	var out []Setting
	for _, f := range strictyaml.Fields(section) {
		key, value := path+f.Name, f.Value.Interface()
		if _, shown := value.(fmt.Stringer); !shown && f.Value.Kind() == reflect.Struct {
			out = append(out, c.walk(f.Value, key+".")...)
			continue
		}
		out = append(out, Setting{Key: key, Value: fmt.Sprint(value), Source: c.source(key)})
	}
	return out
}

func (c *Config) source(key string) string {
	if c.doc == nil || !c.doc.Given(key) {
		return "default"
	}
	return "line " + strconv.Itoa(c.doc.Position(key).Line)
}
