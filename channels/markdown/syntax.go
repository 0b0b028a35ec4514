package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// syntax is CommonMark with ~~strikes~~, ||spoilers|| and tables, less what misleads in a chat: blocks of HTML, whose
// contents would not be formatted; code by indentation, because people indent what is no code; and link definitions,
// because each message is read alone, while a definition may have gone into another one.
var syntax = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(indented{parser.NewParagraphParser()}, 1000),
	),
	parser.WithInlineParsers(
		util.Prioritized(noting{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(noting{parser.NewLinkParser()}, 200),
		util.Prioritized(noting{parser.NewAutoLinkParser()}, 300),
		util.Prioritized(noting{parser.NewRawHTMLParser()}, 400),
		util.Prioritized(parser.NewEmphasisParser(), 500),
		util.Prioritized(&pairs{char: '~', kind: Strike}, 510),
		util.Prioritized(&pairs{char: '|', kind: Spoiler}, 520),
	),
	parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

// indented lets a paragraph begin at any distance from the margin.
type indented struct{ parser.BlockParser }

// CanAcceptIndentedLine says yes.
func (indented) CanAcceptIndentedLine() bool { return true }

// ends is where the inline nodes of a source end that a parser wrapped by noting made.
type ends map[ast.Node]int

var endsKey = parser.NewContextKey()

// read parses src.
func read(src []byte) (ast.Node, ends) {
	at := ends{}
	pc := parser.NewContext()
	pc.Set(endsKey, at)
	return syntax.Parse(text.NewReader(src), parser.WithContext(pc)), at
}

// noting notes where the nodes of an inline parser end, which the tree does not tell.
type noting struct{ parser.InlineParser }

// Parse reads a node and notes where it ends.
func (n noting) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	node := n.InlineParser.Parse(parent, block, pc)
	if node != nil {
		_, rest := block.Position()
		pc.Get(endsKey).(ends)[node] = rest.Start
	}
	return node
}

// CloseBlock lets the link parser clean up after a block.
func (n noting) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := n.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}

// pairs reads text between two pairs of char. A single char is text: "~5 km", "a | b".
type pairs struct {
	char byte
	kind Kind
}

// Trigger is what a pair is made of.
func (p *pairs) Trigger() []byte { return []byte{p.char} }

// Parse reads one pair; which of them belong together is found out once all are known.
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

// IsDelimiter says that b is what a pair is made of.
func (p *pairs) IsDelimiter(b byte) bool { return b == p.char }

// CanOpenCloser says that both pairs are of the same char.
func (p *pairs) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch makes the node of what stands between two pairs.
func (p *pairs) OnMatch(int) ast.Node { return &paired{kind: p.kind} }

// paired is the node of what stands between two pairs.
type paired struct {
	ast.BaseInline
	kind Kind
}

var kindPaired = ast.NewNodeKind("Paired")

// Kind tells it from other nodes.
func (n *paired) Kind() ast.NodeKind { return kindPaired }

// Dump prints it for debugging.
func (n *paired) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }
