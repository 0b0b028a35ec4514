package speech

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// Converter converts recordings with ffmpeg.
type Converter struct {
	// Program is ffmpeg, "" to find it in the path.
	Program string
	// Dir is where a recording is put while it is converted, "" for the system's directory for temporary files.
	Dir string
}

const (
	// convertWithin is how long a conversion may take.
	convertWithin = 60 * time.Second
	// sampleRate and sampleBytes are what speech is converted to.
	sampleRate, sampleBytes = 16_000, 2
)

// Present reports whether ffmpeg is installed.
func (c Converter) Present() bool {
	_, err := c.program()
	return err == nil
}

func (c Converter) program() (string, error) {
	if c.Program != "" {
		return exec.LookPath(c.Program)
	}
	return exec.LookPath("ffmpeg")
}

// ToWAV converts a recording of at most a length to WAV. It is cut where it is longer.
func (c Converter) ToWAV(ctx context.Context, file []byte, longest time.Duration) ([]byte, error) {
	seconds := int(longest/time.Second) + 1
	pcm, err := c.run(ctx, file, int64((seconds+1)*sampleRate*sampleBytes), "-t", strconv.Itoa(seconds),
		"-ac", "1", "-ar", strconv.Itoa(sampleRate), "-c:a", "pcm_s16le", "-f", "s16le")
	if err != nil {
		return nil, err
	}
	return wavOf(pcm), nil
}

// ToVoice converts speech to Ogg with Opus, which networks play as a voice note.
func (c Converter) ToVoice(ctx context.Context, file []byte) ([]byte, error) {
	return c.run(ctx, file, maxSpeech, "-ac", "1", "-c:a", "libopus", "-b:a", "32k", "-application", "voip", "-f", "ogg")
}

// run converts a file to what arguments name, and reads at most limit bytes of it. The file is told apart by how it begins: what
// plays lists and pages is no format here, and nothing but the file is opened.
func (c Converter) run(ctx context.Context, file []byte, limit int64, arguments ...string) ([]byte, error) {
	format := FormatOf(file)
	if format == Other {
		return nil, &Error{Kind: WrongFormat, Act: "convert a recording", Detail: "it is no recording"}
	}
	program, err := c.program()
	if err != nil {
		return nil, &Error{Kind: WrongFormat, Act: "convert a recording", Detail: "ffmpeg is not installed"}
	}
	dir, err := os.MkdirTemp(c.Dir, "familiar-voice-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for a conversion: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system clears what is left
	name := filepath.Join(dir, "in")
	if err := os.WriteFile(name, file, 0o600); err != nil {
		return nil, fmt.Errorf("store a recording for its conversion: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, convertWithin)
	defer cancel()
	arguments = append([]string{
		"-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1", "-max_alloc", strconv.Itoa(256 << 20),
		"-protocol_whitelist", "file", "-f", demuxers[format], "-i", name, "-vn", "-sn", "-dn", "-map_metadata", "-1",
	}, append(arguments, "pipe:1")...)
	return output(ctx, program, arguments, limit, nil)
}

// output runs a program and returns what it writes, at most limit bytes.
func output(ctx context.Context, program string, arguments []string, limit int64, input io.Reader) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Stdin = input
	cmd.Env = []string{"LC_ALL=C.UTF-8"}
	cmd.WaitDelay = time.Second
	out := &bounded{limit: limit}
	cmd.Stdout = out
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, unreached(ctx, ctx.Err())
	case int64(out.Len()) >= limit || errors.Is(err, errFull):
		return nil, &Error{Kind: TooLarge, Act: "convert a recording"}
	case err != nil || out.Len() == 0:
		return nil, &Error{Kind: WrongFormat, Act: "convert a recording", Detail: "it cannot be read"}
	}
	return out.Bytes(), nil
}

var errFull = errors.New("more came than is read")

// bounded is a buffer that takes a number of bytes.
type bounded struct {
	bytes.Buffer
	limit int64
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if int64(b.Len()+len(p)) > b.limit {
		return 0, errFull
	}
	return b.Buffer.Write(p)
}

// ReadFrom keeps the limit where the buffer would read all.
func (b *bounded) ReadFrom(r io.Reader) (int64, error) {
	n, err := b.Buffer.ReadFrom(io.LimitReader(r, b.limit-int64(b.Len())+1))
	if err == nil && int64(b.Len()) > b.limit {
		return n, errFull
	}
	return n, err
}
