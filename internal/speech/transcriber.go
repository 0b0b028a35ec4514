package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// transcribeSection is the section of the configuration that a Transcriber is set in.
const transcribeSection = "speech.transcribe"

// Transcriber turns recordings into text. It is safe for concurrent use; a few recordings are listened to at a time.
type Transcriber struct {
	server  Server
	options TranscriberOptions
	busy    chan struct{}

	mu sync.Mutex
	// refused are formats that the server turned out not to take.
	refused map[Format]bool
}

// TranscriberOptions are what a Transcriber asks for.
type TranscriberOptions struct {
	// Model is the server's name for the model.
	Model string
	// Language is what is spoken, as a tag such as "de"; "" lets the model find out.
	Language string
	// Longest is the longest recording that is listened to.
	Longest time.Duration
	// Takes are the formats that the server takes; nil for those that OpenAI's does.
	Takes []Format
	// Converter converts the others. The zero value finds ffmpeg in the path.
	Converter Converter
}

// atOnce is how many recordings are listened to at a time: each is held in memory.
const atOnce = 2

// NewTranscriber returns a transcriber. It does not use the network.
func NewTranscriber(s Server, o TranscriberOptions) *Transcriber {
	if o.Takes == nil {
		o.Takes = accepted
	}
	return &Transcriber{server: s, options: o, busy: make(chan struct{}, atOnce), refused: make(map[Format]bool)}
}

// Longest is the longest recording that is listened to.
func (t *Transcriber) Longest() time.Duration { return t.options.Longest }

// Transcribe returns what is said in a recording. Errors are *Error.
func (t *Transcriber) Transcribe(ctx context.Context, r Recording) (Transcript, error) {
	select {
	case t.busy <- struct{}{}:
		defer func() { <-t.busy }()
	case <-ctx.Done():
		return Transcript{}, &Error{Kind: Canceled, Act: transcribing, cause: context.Canceled}
	}
	if len(r.Data) > MaxBytes || r.Duration() > t.options.Longest {
		return Transcript{}, t.fault(TooLarge, "")
	}
	if len(r.Data) == 0 {
		return Transcript{}, t.fault(WrongFormat, "the file is empty")
	}
	format := FormatOf(r.Data)
	if !t.takes(format) {
		return t.converted(ctx, r, 0)
	}
	found, err := t.ask(ctx, r, format)
	if fault, ok := errors.AsType[*Error](err); ok && fault.Kind == Refused && format != WAV && t.options.Converter.Present() {
		again, err := t.converted(ctx, r, found.Requests)
		if err == nil {
			t.mu.Lock()
			t.refused[format] = true // the next one is converted at once
			t.mu.Unlock()
		}
		return again, err
	}
	return found, err
}

const transcribing = "transcribe a recording"

func (t *Transcriber) fault(kind Kind, detail string) *Error {
	return &Error{Kind: kind, Act: transcribing, Section: transcribeSection, Detail: detail}
}

// takes reports whether the server takes a format as it is.
func (t *Transcriber) takes(f Format) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return f != Other && slices.Contains(t.options.Takes, f) && !t.refused[f]
}

// converted converts a recording and asks what is said in it, after so many requests.
func (t *Transcriber) converted(ctx context.Context, r Recording, before int) (Transcript, error) {
	wav, err := t.options.Converter.ToWAV(ctx, r.Data, t.options.Longest)
	if err != nil {
		if fault, ok := errors.AsType[*Error](err); ok {
			fault.Act, fault.Section = transcribing, transcribeSection
		}
		return Transcript{Requests: before}, err
	}
	found, err := t.ask(ctx, Recording{Data: wav, Length: r.Length}, WAV)
	found.Requests += before
	return found, err
}

// ask asks the server what is said in a recording in a format that it takes.
func (t *Transcriber) ask(ctx context.Context, r Recording, f Format) (Transcript, error) {
	body, kind, err := t.form(r, f)
	if err != nil {
		return Transcript{}, t.fault(Refused, err.Error())
	}
	answer, _, count, fault := t.server.ask(ctx, request{
		act: transcribing, section: transcribeSection, path: "/audio/transcriptions", kind: kind, body: body, limit: maxResponse,
	})
	if fault != nil {
		return Transcript{Requests: count}, fault
	}
	var told struct {
		Text *string `json:"text"`
	}
	if json.Unmarshal(answer, &told) != nil || told.Text == nil {
		return Transcript{Requests: count}, t.fault(Unavailable, "the response holds no text")
	}
	text := strings.Join(strings.Fields(strings.ToValidUTF8(*told.Text, "\uFFFD")), " ")
	if utf8.RuneCountInString(text) > mostRunes(r.Duration()) {
		return Transcript{Requests: count}, t.fault(Nonsense, "more words came than can be said in that time")
	}
	return Transcript{Text: text, Requests: count}, nil
}

// mostRunes returns how many letters can be said in a time at most: nobody says forty in a second.
func mostRunes(d time.Duration) int { return 200 + 40*int(d/time.Second+1) }

// form returns the body of a request.
func (t *Transcriber) form(r Recording, f Format) (body []byte, kind string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	file, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="voice.` + string(f) + `"`}, "Content-Type": {mimeTypes[f]},
	})
	if err == nil {
		_, err = file.Write(r.Data)
	}
	for _, field := range []struct{ name, value string }{
		{"model", t.options.Model}, {"language", t.options.Language}, {"response_format", "json"},
	} {
		if err == nil && field.value != "" {
			err = w.WriteField(field.name, field.value)
		}
	}
	err = errors.Join(err, w.Close())
	return b.Bytes(), w.FormDataContentType(), err
}
