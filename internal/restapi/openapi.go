package restapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// document returns the OpenAPI document of the routes. Its schemas are those of the Go types.
func document(version string) ([]byte, error) {
	paths := map[string]map[string]any{}
	for _, r := range routes {
		operation, err := r.operation()
		if err != nil {
			return nil, fmt.Errorf("describe the route %s %s: %w", r.method, r.path, err)
		}
		if paths[r.path] == nil {
			paths[r.path] = map[string]any{}
		}
		paths[r.path][strings.ToLower(r.method)] = operation
	}
	problems, err := schemaOf(problem{})
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]any{"title": "Familiar: the memory of a persona", "version": version},
		"servers": []any{map[string]any{"url": Prefix}},
		"paths":   paths,
		"components": map[string]any{
			"securitySchemes": map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer"}},
			"responses": map[string]any{"problem": map[string]any{
				"description": "an error (RFC 9457)", "content": map[string]any{"application/problem+json": map[string]any{"schema": problems}},
			}},
		},
		"security": []any{map[string]any{"token": []any{}}},
	}, "", " ")
}

// operation describes a route.
func (r route) operation() (map[string]any, error) {
	success := map[string]any{"description": "success"}
	is := map[string]any{"summary": r.summary, "operationId": r.name()}
	if r.result != nil {
		result, err := schemaOf(r.result)
		if err != nil {
			return nil, err
		}
		success["content"] = map[string]any{"application/json": map[string]any{"schema": result}}
	}
	code := strconv.Itoa(r.status())
	if r.result == nil {
		code = "204"
	}
	is["responses"] = map[string]any{code: success, "default": map[string]any{"$ref": "#/components/responses/problem"}}
	parameters, err := r.parameters()
	if err != nil {
		return nil, err
	}
	if len(parameters) > 0 {
		is["parameters"] = parameters
	}
	if r.body != nil {
		schema, err := schemaOf(r.body)
		if err != nil {
			return nil, err
		}
		is["requestBody"] = map[string]any{"required": true, "content": map[string]any{"application/json": map[string]any{"schema": schema}}}
	}
	return is, nil
}

// parameters describes what stands in the path, the query and the headers.
func (r route) parameters() (all []any, err error) {
	if strings.Contains(r.path, "{id}") {
		all = append(all, map[string]any{"name": "id", "in": "path", "required": true, "schema": map[string]any{"type": "integer"}})
	}
	if r.query != nil {
		schema, err := schemaOf(r.query)
		if err != nil {
			return nil, err
		}
		for i := range reflect.TypeOf(r.query).NumField() { // in the order of the type
			name, _, _ := strings.Cut(reflect.TypeOf(r.query).Field(i).Tag.Get("json"), ",")
			all = append(all, map[string]any{"name": name, "in": "query", "schema": schema.Properties[name]})
		}
	}
	if r.keyed {
		all = append(all, map[string]any{
			"name": "Idempotency-Key", "in": "header", "schema": map[string]any{"type": "string", "maxLength": 255},
			"description": "a name of this request: a repeat with the same key returns the first result, whenever it comes",
		})
	}
	return all, nil
}

// name is a route as a name: post_memories_curate.
func (r route) name() string {
	return strings.ToLower(r.method) + strings.NewReplacer("/", "_", "{", "", "}", "").Replace(r.path)
}

// schemaOf returns the schema of the type of v.
func schemaOf(v any) (*jsonschema.Schema, error) { return jsonschema.ForType(reflect.TypeOf(v), nil) }
