package llm

import "github.com/tmc/langchaingo/llms"

// Model returns what a client asks.
func (c *Client) Model() llms.Model { return c.via().model }
