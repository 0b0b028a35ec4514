//go:build onnx

package onnx

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"familiar/memory/vector"
)

// words is the test model's vocabulary, each word with its vector.
var words = []struct {
	word   string
	vector []float32
}{
	{"[UNK]", []float32{0, 0, 0, 1}},
	{"[PAD]", []float32{0, 0, 0, 0}},
	{"dog", []float32{1, 0, 0, 0}},
	{"hound", []float32{1, 0, 0, 0}},
	{"boat", []float32{0, 1, 0, 0}},
	{"red", []float32{0, 0, 1, 0}},
}

// folder writes a model that returns each word's vector, in the form of published models.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	vocabulary := map[string]int{}
	for i, w := range words {
		vocabulary[w.word] = i
	}
	tokenizer := map[string]any{
		"version": "1.0", "added_tokens": []any{}, "normalizer": map[string]any{"type": "BertNormalizer", "lowercase": true, "clean_text": true, "strip_accents": nil},
		"pre_tokenizer": map[string]any{"type": "Whitespace"},
		"model":         map[string]any{"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
	}
	for name, content := range map[string]any{
		tokenizerFile: tokenizer, configFile: map[string]any{"max_position_embeddings": 64, "pad_token_id": 1}, modelFile: model(),
	} {
		data, isBytes := content.([]byte)
		if !isBytes {
			var err error
			if data, err = json.Marshal(content); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, name), data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The fields and types of onnx.proto that the model needs, by number.
const (
	floats = 1
	int64s = 7
)

// branches is the number of multiplications in the model that do not depend on each other.
const branches = 8

// model returns an ONNX model that gathers the rows of input_ids from the words' vectors, multiplies them by the identity in
// several branches, as attention does, and adds these up.
func model() []byte {
	var rows []byte
	for _, w := range words {
		rows = append(rows, vector.Bytes(w.vector)...)
	}
	identity := vector.Bytes([]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
	tables := [][]byte{
		field(5, message(field(1, len(words)), field(1, 4), field(2, floats), field(8, "vectors"), field(9, rows))),
		field(5, message(field(1, 4), field(1, 4), field(2, floats), field(8, "identity"), field(9, identity))),
	}
	nodes := [][]byte{node("Gather", "gathered", "vectors", "input_ids")}
	sum := "gathered"
	for i := range branches {
		product, next := fmt.Sprint("product", i), fmt.Sprint("sum", i)
		if i == branches-1 {
			next = "last_hidden_state"
		}
		nodes = append(nodes, node("MatMul", product, "gathered", "identity"), node("Add", next, sum, product))
		sum = next
	}
	graph := message(slices.Concat(nodes...), field(2, "tiny"), slices.Concat(tables...),
		field(11, value("input_ids", int64s, "batch", "sequence")), field(12, value("last_hidden_state", floats, "batch", "sequence", 4)))
	return message(field(1, 8), field(7, graph), field(8, message(field(2, 13))))
}

// node returns an operation with its output and its inputs.
func node(operation, output string, inputs ...string) []byte {
	var of []byte
	for _, name := range inputs {
		of = append(of, field(1, name)...)
	}
	return field(1, message(of, field(2, output), field(4, operation)))
}

// value describes an input or output; a dimension is a size or a name.
func value(name string, of int, dimensions ...any) []byte {
	var shape []byte
	for _, d := range dimensions {
		number := protowire.Number(1)
		if _, named := d.(string); named {
			number = 2
		}
		shape = append(shape, field(1, message(field(number, d)))...)
	}
	return message(field(1, name), field(2, message(field(1, message(field(1, of), field(2, shape))))))
}

func message(fields ...[]byte) []byte { return slices.Concat(fields...) }

func field(number protowire.Number, content any) []byte {
	switch c := content.(type) {
	case int:
		return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), uint64(c))
	case string:
		return protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), c)
	case []byte:
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), c)
	}
	panic("no such field")
}

func TestEmbed(t *testing.T) {
	e, err := New(folder(t))
	if err != nil {
		t.Fatal(err)
	}
	if e.Model() != "onnx tiny" {
		t.Errorf("it is called %q", e.Model())
	}
	for range 2 {
		got, err := e.Embed(t.Context(), []string{"dog", "the red boat", "Höund"})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range [][]float32{{1, 0, 0, 0}, {0, 1, 1, 1}, {1, 0, 0, 0}} {
			g, err := vector.Unit(got[i])
			w, _ := vector.Unit(want)
			if err != nil || vector.Dot(g, w) < 0.999 {
				t.Errorf("text %d: %v, %v, want %v", i, got[i], err, want)
			}
		}
	}
	// A text longer than the model's maximum is truncated.
	if got, err := e.Embed(t.Context(), []string{strings.Repeat("dog ", 1000)}); err != nil || len(got) != 1 {
		t.Errorf("a long text: %v, %v", got, err)
	}
	if got, err := e.Embed(t.Context(), slices.Repeat([]string{"boat"}, 70)); err != nil || len(got) != 70 {
		t.Errorf("many texts: %d vectors, %v", len(got), err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Embed(canceled, []string{"dog"}); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

// TestOneProcessor: independent operations must not wait for each other without end when there is one processor. The
// number of processors is fixed when a process starts, so the test starts one.
func TestOneProcessor(t *testing.T) {
	taskset, err := exec.LookPath("taskset")
	if err != nil {
		t.Skip("there is no taskset to choose processors with")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, taskset, "--cpu-list", "0", os.Args[0], "-test.run", "^TestEmbed$")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("on one processor: %v: %s", err, out)
	}
}

func TestNewSaysWhatIsMissing(t *testing.T) {
	for _, name := range []string{modelFile, tokenizerFile, configFile} {
		dir := folder(t)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := New(dir); err == nil || !strings.Contains(err.Error(), "there is no "+name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

func TestBrokenModelIsAnError(t *testing.T) {
	dir := folder(t)
	if err := os.WriteFile(filepath.Join(dir, modelFile), []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := e.Embed(t.Context(), []string{"dog"}); err == nil {
		t.Errorf("it gave %v", got)
	}
}
