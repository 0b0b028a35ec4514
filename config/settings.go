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

// Settings returns all values in the order of the file. Of sections that override others (model.fallbacks, model.work,
// personas) it returns those that the file gives.
func (c *Config) Settings() []Setting {
	return c.walk(reflect.ValueOf(c).Elem(), "", false)
}

func (c *Config) walk(section reflect.Value, path string, onlyGiven bool) []Setting {
	var out []Setting
	for _, f := range strictyaml.Fields(section) {
		out = append(out, c.walkField(f, path+f.Name, onlyGiven)...)
	}
	return out
}

func (c *Config) walkField(f strictyaml.Field, key string, onlyGiven bool) (out []Setting) {
	switch value := f.Value.Interface().(type) {
	case Database:
		if c.doc != nil && c.doc.Given(key+".url") {
			return c.walk(f.Value, key+".", onlyGiven)
		}
	case Role:
		return c.walk(f.Value, key+".", true)
	case Personas:
		entries, _ := strictyaml.Entries(f.Value)
		for _, entry := range entries {
			out = append(out, c.walk(entry.Value, key+"."+entry.Name+".", true)...)
		}
		return out
	case []ModelSettings:
		for i := range value {
			if at := key + "[" + strconv.Itoa(i) + "]"; c.doc != nil && c.doc.Given(at) {
				out = append(out, c.walk(f.Value.Index(i), at+".", true)...)
			}
		}
		return out
	}
	_, shown := f.Value.Interface().(fmt.Stringer)
	if f.Value.Kind() == reflect.Struct && !shown {
		return c.walk(f.Value, key+".", onlyGiven)
	}
	if onlyGiven && (c.doc == nil || !c.doc.Given(key)) {
		return nil
	}
	return []Setting{{Key: key, Value: fmt.Sprint(f.Value.Interface()), Source: c.source(key)}}
}

func (c *Config) source(key string) string {
	if c.doc == nil || !c.doc.Given(key) {
		return "default"
	}
	return "line " + strconv.Itoa(c.doc.Position(key).Line)
}
