package config

import (
	"strings"
	"unicode/utf8"
)

// Learning configures what the persona reads about on the web without being asked.
type Learning struct {
	Enabled bool `yaml:"enabled"`
	// Topics are what may be looked up, in the words that are sent to the search engine.
	Topics []string `yaml:"topics"`
	// People is how many people must have mentioned a topic in one group, 2–100.
	People int `yaml:"people"`
	// PagesPerTopic is how many pages are read about one, 2–5, TopicsPerDay how many topics a run of the job looks up, 1–20.
	PagesPerTopic int `yaml:"pages_per_topic"`
	TopicsPerDay  int `yaml:"topics_per_day"`
}

// maxTopic is the maximum length of a topic in characters.
const maxTopic = 60

func (c *Config) validateLearning() {
	l := c.Learning
	c.checkInt("learning.people", l.People, 2, 100)
	c.checkInt("learning.pages_per_topic", l.PagesPerTopic, 2, 5)
	c.checkInt("learning.topics_per_day", l.TopicsPerDay, 1, 20)
	for _, topic := range l.Topics {
		if strings.TrimSpace(topic) == "" || strings.ContainsAny(topic, "\r\n") || utf8.RuneCountInString(topic) > maxTopic {
			c.doc.Problemf("learning.topics", "takes words of up to %d characters each, such as sourdough bread", maxTopic)
		}
	}
}
