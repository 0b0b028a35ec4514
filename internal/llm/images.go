package llm

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"familiar/internal/lazyregexp"
	"familiar/prompts"
)

// afterRefusal returns a prompt as it is asked again after a refusal: without the pictures, if they were the reason.
func (c *Client) afterRefusal(p prompts.Prompt) prompts.Prompt {
	c.manners.mu.Lock()
	defer c.manners.mu.Unlock()
	if len(p.Images) > 0 && c.manners.noImages {
		return p.WithoutImages()
	}
	return p
}

// imagesRefused is said by models that do not see.
var imagesRefused = lazyregexp.New(`(?i)\bimages?\b|image_url|\bvision\b|multi-?modal|\bmmproj\b|must be a string|content type`)

// hasImages reports whether a body has pictures. In a text the quotation marks would be escaped.
func (f fields) hasImages() bool {
	for _, mark := range []string{`"image_url":{`, `"type":"image"`, `"images":[`} {
		if bytes.Contains(f["messages"], []byte(mark)) {
			return true
		}
	}
	return bytes.Contains(f["input"], []byte(`"type":"input_image"`))
}

// addImages adds the prompt's pictures to its last message.
func (f fields) addImages(provider string, images []prompts.Image) {
	if len(images) > 0 && f.hasInput() {
		f.addInputImages(images)
		return
	}
	var messages []fields
	if len(images) == 0 || json.Unmarshal(f["messages"], &messages) != nil || len(messages) == 0 {
		return
	}
	last := messages[len(messages)-1]
	if provider == "ollama" {
		var data []string
		for _, image := range images {
			data = append(data, base64.StdEncoding.EncodeToString(image.Data))
		}
		last["images"] = encoded(data)
		f["messages"] = encoded(messages)
		return
	}
	var parts []any
	for _, image := range images {
		data := base64.StdEncoding.EncodeToString(image.Data)
		if provider == "anthropic" {
			parts = append(parts, map[string]any{"type": "image", "source": map[string]any{"type": "base64", "media_type": image.MIME, "data": data}})
			continue
		}
		parts = append(parts, map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:" + image.MIME + ";base64," + data}})
	}
	var blocks []any
	if bytes.HasPrefix(bytes.TrimSpace(last["content"]), []byte("[")) {
		if json.Unmarshal(last["content"], &blocks) != nil {
			return
		}
	} else {
		blocks = append(blocks, map[string]any{"type": "text", "text": last["content"]})
	}
	last["content"] = encoded(append(parts, blocks...))
	f["messages"] = encoded(messages)
}
