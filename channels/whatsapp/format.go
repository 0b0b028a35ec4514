package whatsapp

// format is Markdown as WhatsApp writes it.
func format(md string) string { return md }

// unformat is what is written in WhatsApp's way as Markdown.
func unformat(text string) string { return text }
