package answer

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Schema returns the JSON schema of a struct in the strict form that providers take: every field is required, and no other
// is allowed. A pointer to a struct may be null. The tag enum lists the texts that a field may have, separated by commas.
func Schema(of any) json.RawMessage {
	text, err := json.Marshal(schemaOf(reflect.TypeOf(of)))
	if err != nil {
		panic("prompts/answer: " + err.Error()) // maps of texts can be encoded
	}
	return text
}

func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return map[string]any{"anyOf": []any{schemaOf(t.Elem()), map[string]any{"type": "null"}}}
		}
		return schemaOf(t.Elem())
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Struct:
		properties, required := make(map[string]any), make([]string, 0, t.NumField())
		for i := range t.NumField() {
			field := t.Field(i)
			property := schemaOf(field.Type)
			if choices := field.Tag.Get("enum"); choices != "" {
				property["enum"] = strings.Split(choices, ",")
			}
			properties[fieldName(field)] = property
			required = append(required, fieldName(field))
		}
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64, reflect.Float32:
		return map[string]any{"type": "number"}
	case reflect.Int, reflect.Int64, reflect.Int32:
		return map[string]any{"type": "integer"}
	}
	return map[string]any{"type": "string"}
}
