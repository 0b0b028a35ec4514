package discord

// format turns Markdown into what Discord shows.
func format(md string) string { return md }

// unformat turns what Discord hands over into Markdown.
func unformat(content string) string { return content }
