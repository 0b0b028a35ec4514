package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// syntax is CommonMark with ~~strikethrough~~, ||spoilers|| and tables, except for features that mislead in a chat:
// HTML blocks, because their contents would not be formatted; indented code, because people indent ordinary text; and
// link reference definitions, because each message is read alone.
var syntax = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(indentedParagraph{parser.NewParagraphParser()}, 1000),
	),
	parser.WithInlineParsers(
		util.Prioritized(endRecorder{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(endRecorder{parser.NewLinkParser()}, 200),
		util.Prioritized(endRecorder{parser.NewAutoLinkParser()}, 300),
		util.Prioritized(endRecorder{parser.NewRawHTMLParser()}, 400),
		util.Prioritized(parser.NewEmphasisParser(), 500),
		util.Prioritized(&pairs{char: '~', kind: Strike}, 510),
		util.Prioritized(&pairs{char: '|', kind: Spoiler}, 520),
	),
	parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

// indentedParagraph lets a paragraph start at any indentation.
type indentedParagraph struct{ parser.BlockParser }

// CanAcceptIndentedLine returns true.
func (indentedParagraph) CanAcceptIndentedLine() bool { return true }

// ends holds where inline nodes end, as recorded by endRecorder.
type ends map[ast.Node]int

var endsKey = parser.NewContextKey()

// read parses src.
func read(src []byte) (ast.Node, ends) {
	at := ends{}
	pc := parser.NewContext()
	pc.Set(endsKey, at)
	return syntax.Parse(text.NewReader(src), parser.WithContext(pc)), at
}

// endRecorder records where the nodes of an inline parser end, which the tree does not contain.
type endRecorder struct{ parser.InlineParser }

// Parse parses a node and records its end.
func (n endRecorder) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	node := n.InlineParser.Parse(parent, block, pc)
	if node != nil {
		_, rest := block.Position()
		pc.Get(endsKey).(ends)[node] = rest.Start
	}
	return node
}

// CloseBlock lets the link parser clean up after a block.
func (n endRecorder) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := n.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}

// pairs parses text between two doubled characters. A single character is text: "~5 km", "a | b".
type pairs struct {
	char byte
	kind Kind
}

// Trigger returns the character of the pair.
func (p *pairs) Trigger() []byte { return []byte{p.char} }

// Parse parses one delimiter; delimiters are matched once all are known.
func (p *pairs) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 2, p)
	if d == nil || d.OriginalLength != 2 || before == rune(p.char) {
		return nil
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

// IsDelimiter reports whether b is the character of the pair.
func (p *pairs) IsDelimiter(b byte) bool { return b == p.char }

// CanOpenCloser reports whether both delimiters have the same character.
func (p *pairs) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch returns the node for the text between two delimiters.
func (p *pairs) OnMatch(int) ast.Node { return &pairNode{kind: p.kind} }

// pairNode is the node for the text between two delimiters.
type pairNode struct {
	ast.BaseInline
	kind Kind
}

var kindPair = ast.NewNodeKind("Paired")

// Kind returns the node kind.
func (n *pairNode) Kind() ast.NodeKind { return kindPair }

// Dump prints it for debugging.
func (n *pairNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }
