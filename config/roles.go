package config

import (
	"cmp"
	"iter"
	"reflect"
	"strconv"

	"familiar/internal/strictyaml"
)

// Role is a model with those that stand in for it.
type Role struct {
	ModelSettings `yaml:",inline"`
	// Fallbacks are asked in order when those before them cannot answer.
	Fallbacks []ModelSettings `yaml:"fallbacks"`
}

// Model configures the models: those that talk with people and, with the keys that differ below work, those that do the
// persona's own work. Keys that a section leaves out are as in the section it stands in.
type Model struct {
	Role `yaml:",inline"`
	Work Role `yaml:"work"`

	// hasWork reports that Work differs from Role.
	hasWork bool
}

// Talk returns the models that word the replies, the first choice first; none without a model.
func (m Model) Talk() []ModelSettings { return m.Role.models() }

// ForWork returns the models of the persona's own work, the first choice first; none without a model.
func (m Model) ForWork() []ModelSettings {
	if m.hasWork {
		return m.Work.models()
	}
	return m.Talk()
}

// Name returns the provider and its name for the model, as the ledger keeps it.
func (m ModelSettings) Name() string { return string(m.Provider) + "/" + m.Model }

// Section returns the path of the section in the file.
func (m ModelSettings) Section() string { return cmp.Or(m.section, "model") }

// models returns the models of the role that exist.
func (r Role) models() (all []ModelSettings) {
	for _, m := range append([]ModelSettings{r.ModelSettings}, r.Fallbacks...) {
		if m.Provider != NoModel {
			all = append(all, m)
		}
	}
	return all
}

// Models returns the models of a persona.
func (c *Config) Models(persona string) Model {
	for _, p := range c.Personas.Map {
		if p.Name == persona {
			return p.Value.Model
		}
	}
	return c.Model
}

// ModelSecrets iterates over the secrets of all models, those that hear and speak among them, by their keys in the file, in its order.
func (c *Config) ModelSecrets() iter.Seq2[string, Secret] {
	return func(yield func(string, Secret) bool) {
		more := true
		c.eachModel(func(path string, m *ModelSettings) {
			if key := path + ".api_key"; more && m.APIKey.Set() && c.doc.Given(key) {
				more = yield(key, m.APIKey)
			}
			for _, h := range m.Headers.Map {
				if key := path + ".headers." + h.Name; more && h.Value.Secret().Set() && c.doc.Given(key) {
					more = yield(key, h.Value.Secret())
				}
			}
		})
		if more && c.Speech.Transcribe.APIKey.Set() {
			more = yield("speech.transcribe.api_key", c.Speech.Transcribe.APIKey)
		}
		if more && c.Speech.Speak.APIKey.Set() {
			yield("speech.speak.api_key", c.Speech.Speak.APIKey)
		}
	}
}

// eachModel calls do with every model section and its path in the file, the main one first.
func (c *Config) eachModel(do func(path string, m *ModelSettings)) {
	role := func(path string, r *Role) {
		do(path, &r.ModelSettings)
		for i := range r.Fallbacks {
			if c.doc.Given(path + ".fallbacks") {
				do(path+".fallbacks["+strconv.Itoa(i)+"]", &r.Fallbacks[i])
			}
		}
	}
	both := func(path string, m *Model) {
		role(path, &m.Role)
		if c.doc.Given(path + ".work") {
			role(path+".work", &m.Work)
		}
	}
	both("model", &c.Model)
	for i, p := range c.Personas.Map {
		if path := "personas." + p.Name + ".model"; c.doc.Given(path) {
			both(path, &c.Personas.Map[i].Value.Model)
		}
	}
}

// resolveModels fills in the keys that sections leave out.
func (c *Config) resolveModels() {
	c.resolveFallbacks("model", &c.Model.Role, nil)
	c.resolveWork("model", &c.Model, c.Model.Role)
	for i, p := range c.Personas.Map {
		path, own := "personas."+p.Name+".model", &c.Personas.Map[i].Value.Model
		own.inherit(c.Model.ModelSettings, c.givenBelow(path))
		c.resolveFallbacks(path, &own.Role, c.Model.Fallbacks)
		if c.Model.hasWork {
			own.hasWork = true
			c.resolveWork(path, own, c.Model.Work)
		} else {
			c.resolveWork(path, own, own.Role)
		}
	}
}

// resolveWork fills in the work section at path from another role.
func (c *Config) resolveWork(path string, m *Model, from Role) {
	path += ".work"
	m.hasWork = m.hasWork || c.doc.Given(path)
	if !m.hasWork {
		return
	}
	m.Work.inherit(from.ModelSettings, c.givenBelow(path))
	c.resolveFallbacks(path, &m.Work, from.Fallbacks)
}

// resolveFallbacks fills in the fallbacks of the role at path, which has those of another role unless it names its own.
func (c *Config) resolveFallbacks(path string, r *Role, others []ModelSettings) {
	path += ".fallbacks"
	if !c.doc.Given(path) {
		r.Fallbacks = others
		return
	}
	for i := range r.Fallbacks {
		r.Fallbacks[i].inherit(r.ModelSettings, c.givenBelow(path+"["+strconv.Itoa(i)+"]"))
	}
}

// givenBelow reports for the keys below path whether the file gives them.
func (c *Config) givenBelow(path string) func(key string) bool {
	return func(key string) bool { return c.doc.Given(path + "." + key) }
}

// ofAnyModel are the keys that hold for any model, ofTheModel those that hold for one model of a server. The others hold
// for all models of one server.
var (
	ofAnyModel = map[string]bool{"provider": true, "timeout": true, "max_tokens": true, "temperature": true, "retries": true, "context_tokens": true, "prompt_tokens": true}
	ofTheModel = map[string]bool{"price_in": true, "price_out": true, "price_cached": true}
)

// inherit takes the keys that are not given from another section. With another server it takes only those that hold for
// any model: a key must not be sent to another server.
func (m *ModelSettings) inherit(from ModelSettings, given func(key string) bool) {
	otherProvider := given("provider") && m.Provider != from.Provider
	otherServer := otherProvider || given("base_url") && m.BaseURL != from.BaseURL
	otherModel := otherServer || given("model") && m.Model != from.Model
	own, others := strictyaml.Fields(reflect.ValueOf(m).Elem()), strictyaml.Fields(reflect.ValueOf(&from).Elem())
	for i, field := range own {
		switch {
		case given(field.Name):
		case ofAnyModel[field.Name],
			field.Name == "model" && !otherProvider,
			ofTheModel[field.Name] && !otherModel,
			field.Name != "model" && !ofTheModel[field.Name] && !otherServer:
			field.Value.Set(others[i].Value)
		}
	}
}
