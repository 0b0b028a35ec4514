package character

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"familiar/internal/loosejson"
	"familiar/persona/lore"
)

const (
	// maxNesting is how deeply a card's JSON may be nested, maxValues how many values it may have.
	maxNesting, maxValues = 100, 200_000
	// maxJSON is the maximum size of a card's JSON in bytes.
	maxJSON = 8 << 20
)

// bookKey is the field with the lorebook.
const bookKey = "character_book"

// ParseJSON reads a card of any version. Fields of an unexpected type are kept but not used, and named in Warnings. It fails
// with ErrNotCard if the JSON is something else.
func ParseJSON(data []byte) (*Character, error) {
	if len(data) > maxJSON {
		return nil, fmt.Errorf("read the card: its JSON has more than %d MB", maxJSON>>20)
	}
	top, err := loosejson.Parse(data, maxNesting, maxValues)
	if err != nil {
		return nil, fmt.Errorf("read the card: %w", err)
	}
	c := &Character{top: top}
	if err := c.findData(); err != nil {
		return nil, err
	}
	for _, key := range c.data.Decode(c) {
		c.warn("%s has an unexpected form: it is kept, but not used", key)
	}
	before := *c
	c.read = &before
	if err := c.readBook(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.Name) == "" {
		return nil, fmt.Errorf("read the card: %w: it has no name", ErrNotCard)
	}
	return c, nil
}

func (c *Character) warn(format string, args ...any) {
	c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...))
}

// findData finds the version of a card and the object with its fields.
func (c *Character) findData() error {
	raw, nested := c.top["data"]
	var head struct {
		Spec    string `json:"spec"`
		Version string `json:"spec_version"`
	}
	c.top.Decode(&head)
	spec, version := head.Spec, head.Version
	if !nested {
		c.Spec, c.data = V1, c.top
		if spec != "" {
			return fmt.Errorf("read the card: %w: it says that it is %q, but has no data", ErrNotCard, spec)
		}
		if !slices.ContainsFunc([]string{"description", "personality", "first_mes", "scenario", "mes_example"}, func(key string) bool { return c.top[key] != nil }) {
			return fmt.Errorf("read the card: %w: it has neither data nor the fields of an early card", ErrNotCard)
		}
		return nil
	}
	data, err := loosejson.Parse(raw, maxNesting, maxValues)
	if err != nil {
		return fmt.Errorf("read the card: data: %w", err)
	}
	c.Spec, c.data = V2, data
	switch {
	case spec == specV3:
		c.Spec = V3
		if n, err := strconv.ParseFloat(version, 64); err == nil && n > 3 {
			c.warn("it is of the newer version %s: what this version does not know is kept, but not used", version)
		}
	case spec != specV2:
		c.warn("its format %q is not known: it is read as version 2", spec)
	}
	return nil
}

func (c *Character) readBook() error {
	raw, ok := c.data[bookKey]
	if !ok || string(raw) == "null" {
		return nil
	}
	var b lore.Book
	if err := json.Unmarshal(raw, &b); err != nil {
		return fmt.Errorf("read the card: %w", err)
	}
	c.Book, c.bookRead = &b, true
	return nil
}

// required are the fields that version 2 requires, and version 3 with them.
var required = []string{
	"name", "description", "personality", "scenario", "first_mes", "mes_example", "creator_notes", "system_prompt",
	"post_history_instructions", "alternate_greetings", "tags", "creator", "character_version", "extensions",
}

// JSON returns the card in a version, V2 or V3. What was read and not changed is written as it was.
func (c *Character) JSON(spec Spec) ([]byte, error) {
	fields := required
	head := map[string]string{"spec": specV2, "spec_version": versionV2}
	if spec == V3 {
		fields = append(slices.Clone(fields), "group_only_greetings")
		head = map[string]string{"spec": specV3, "spec_version": versionV3}
	}
	data, err := c.encodeData(fields)
	if err != nil {
		return nil, fmt.Errorf("write the card: %w", err)
	}
	top := loosejson.Object{}
	if c.Spec != V1 {
		maps.Copy(top, c.top)
	}
	if c.Spec != spec || top["spec"] == nil {
		for key, value := range head {
			if top[key], err = loosejson.Marshal(value); err != nil {
				return nil, fmt.Errorf("write the card: %w", err)
			}
		}
	}
	if top["data"], err = loosejson.Marshal(map[string]json.RawMessage(data)); err != nil {
		return nil, fmt.Errorf("write the card: %w", err)
	}
	out, err := loosejson.Indent(map[string]json.RawMessage(top))
	if err != nil {
		return nil, fmt.Errorf("write the card: %w", err)
	}
	return out, nil
}

// encodeData returns the fields of the card. Lists and objects that a version requires are never null.
func (c *Character) encodeData(fields []string) (loosejson.Object, error) {
	now, before := *c, c.read
	if before == nil {
		before = &Character{}
	}
	data, err := c.data.Encode(before, &now)
	if err != nil {
		return nil, err
	}
	orEmpty(&now.Alternates)
	orEmpty(&now.GroupOnly)
	orEmpty(&now.Tags)
	if now.Extensions == nil {
		now.Extensions = loosejson.Object{}
	}
	if data, err = data.Encode(&now, &now, fields...); err != nil {
		return nil, err
	}
	switch {
	case c.Book != nil:
		data[bookKey], err = loosejson.Marshal(c.Book)
	case c.bookRead:
		delete(data, bookKey)
	}
	return data, err
}

func orEmpty(list *[]string) {
	if *list == nil {
		*list = []string{}
	}
}
