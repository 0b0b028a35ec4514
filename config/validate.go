package config

import (
	"errors"
	"fmt"
	"net/url"
	"time"
)

// validate reports every problem that cannot be found by looking at a single value.
func (c *Config) validate() {
	c.validatePersona()
	c.validateDatabase()
	c.eachModel(c.validateModel)
	c.validateEmbedder()
	c.validateSpeech()
	c.validateCost()
	c.validateBackup()
	c.validateWeb()
	c.validateLearning()
	c.validateChannels()
	c.validateOperations()
	c.validateHTTP()
	c.validatePersonas()
	c.validateTools()
	c.checkDuration("session.gap", c.Session.Gap, time.Second, 24*time.Hour)
	c.checkDuration("greeting.gap", c.Greeting.Gap, time.Second, 30*24*time.Hour)
	c.checkInt("recall.budget", c.Recall.Budget, 100, 100_000)
	c.checkInt("recall.limit", c.Recall.Limit, 1, 200)
	c.checkIndex()
	c.checkFloat("memory.forget_below", c.Memory.ForgetBelow, 0.0001, 0.5)
	c.validateCare()
	c.checkDuration("debounce.quiet", c.Debounce.Quiet, 0, 30*time.Second)
	c.checkDuration("debounce.cap", c.Debounce.Cap, max(0, c.Debounce.Quiet), 2*time.Minute)
}

// minIndexMB and maxIndexMB bound recall.index_mb.
const (
	minIndexMB = 16
	maxIndexMB = 65_536
)

func (c *Config) checkIndex() {
	if mb := c.Recall.IndexMB; mb != 0 && (mb < minIndexMB || mb > maxIndexMB) {
		c.doc.Problemf("recall.index_mb", "is %d: use %d to %d, or 0 for a share of this machine's memory", mb, minIndexMB, maxIndexMB)
	}
}

func (c *Config) validatePersona() {
	if c.Persona == "" {
		c.doc.Problemf("persona", "takes the key of a persona (`familiar persona list` lists them)")
	}
}

func (c *Config) validateEmbedder() {
	e := c.Embedder
	if e.Provider != NoEmbedder && e.Model == "" {
		c.doc.Problemf("embedder.model", "is required with provider %s: set the name of the model", e.Provider)
	}
	if e.Provider.NeedsKey() && e.BaseURL == "" && !c.doc.Given("embedder.api_key") {
		c.doc.Problemf("embedder.api_key", "is required with provider %s: write env:NAME or file:/path", e.Provider)
	}
	if e.BaseURL != "" {
		if err := CheckAddress(e.BaseURL, "embedder.api_key"); err != nil {
			c.doc.Problemf("embedder.base_url", "%s", err)
		}
	}
	c.checkDuration("embedder.timeout", e.Timeout, time.Second, 10*time.Minute)
	c.checkDuration("embedder.query_timeout", e.QueryTimeout, 10*time.Millisecond, 10*time.Second)
	c.checkInt("embedder.batch", e.Batch, 1, 256)
}

// CheckAddress validates the address of a server whose key belongs in keySetting. The error never shows the address:
// somebody may have written a key into it.
func CheckAddress(address, keySetting string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return errors.New("takes an address such as http://127.0.0.1:8080/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("takes no user, query or fragment: a key belongs in %s", keySetting)
	}
	return nil
}

func (c *Config) validateCost() {
	const most = 1_000_000_000
	c.validateLimits()
	c.checkInt("jobs.tokens_per_run", c.Jobs.TokensPerRun, 0, most)
}

func (c *Config) checkDuration(key string, got, least, most time.Duration) {
	if got < least || got > most {
		c.doc.Problemf(key, "is %v: use %v to %v", got, least, most)
	}
}

func (c *Config) checkInt(key string, got, least, most int) {
	if got < least || got > most {
		c.doc.Problemf(key, "is %d: use %d to %d", got, least, most)
	}
}

func (c *Config) checkFloat(key string, got, least, most float64) {
	if got < least || got > most {
		c.doc.Problemf(key, "is %v: use %v to %v", got, least, most)
	}
}
