package config

import (
	"fmt"
	"reflect"
	"strconv"
)

// Setting is one value of the effective configuration, for showing.
type Setting struct {
	// Key is the dotted path in the file: "model.provider".
	Key string `json:"key"`
	// Value is as it would be written; a secret is shown as its reference.
	Value string `json:"value"`
	// Source is "default" or the line that gives the value.
	Source string `json:"source"`
}

// Settings are all values in the order of the file.
func (c *Config) Settings() []Setting {
	return c.walk(reflect.ValueOf(*c), "")
}

func (c *Config) walk(section reflect.Value, path string) []Setting {
	var out []Setting
	for i := range section.NumField() {
		name, ok := section.Type().Field(i).Tag.Lookup("yaml")
		if !ok {
			continue
		}
		value, key := section.Field(i), path+name
		if _, shown := value.Interface().(fmt.Stringer); !shown && value.Kind() == reflect.Struct {
			out = append(out, c.walk(value, key+".")...)
			continue
		}
		out = append(out, Setting{Key: key, Value: fmt.Sprint(value.Interface()), Source: c.source(key)})
	}
	return out
}

func (c *Config) source(key string) string {
	if c.doc == nil || !c.doc.Given(key) {
		return "default"
	}
	return "line " + strconv.Itoa(c.doc.Position(key).Line)
}
