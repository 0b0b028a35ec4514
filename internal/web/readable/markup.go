package readable

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxNodes is how many elements and texts a page may have: the cost of reading one grows faster than their number.
const maxNodes = 60_000

// maxLink is the maximum length of a link's address in bytes; the text of a link with a longer one is kept alone.
const maxLink = 300

// fromMarkup fills p from an HTML page. html.Parse rejects pages that are nested deeper than 512 elements.
func (p *Page) fromMarkup(text string, address *url.URL) error {
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return fmt.Errorf("%w: its elements are nested too deep", ErrUnreadable)
	}
	if nodes := removeHidden(doc); nodes > maxNodes {
		return fmt.Errorf("%w: it has more than %d elements", ErrUnreadable, maxNodes)
	}
	parser := readability.NewParser()
	article, err := parser.ParseDocument(doc, address)
	if err != nil {
		return fmt.Errorf("%w: its content was not found", ErrUnreadable)
	}
	p.Title, p.Author, p.Language = article.Title(), article.Byline(), article.Language()
	if site := article.SiteName(); site != "" {
		p.Site = site
	}
	if published, err := article.PublishedTime(); err == nil {
		p.Published = published
	}
	content := article.Node
	if content == nil { // a page of few words
		content = body(doc)
	}
	p.Markdown, err = toMarkdown(content, address)
	return err
}

// toMarkdown converts content, whose links may be relative to address. It changes content.
func toMarkdown(content *html.Node, address *url.URL) (string, error) {
	if content == nil {
		return "", nil
	}
	simplify(content, address)
	convert := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(
			commonmark.WithLinkEmptyHrefBehavior(commonmark.LinkBehaviorSkip),
			commonmark.WithLinkEmptyContentBehavior(commonmark.LinkBehaviorSkip),
			commonmark.WithListEndComment(false),
		), table.NewTablePlugin(),
	))
	markdown, err := convert.ConvertNode(content)
	if err != nil {
		return "", fmt.Errorf("%w: its content cannot be written as Markdown", ErrUnreadable)
	}
	return string(markdown), nil
}

func body(n *html.Node) *html.Node {
	for d := range n.Descendants() {
		if d.DataAtom == atom.Body {
			return d
		}
	}
	return nil
}

// hiddenStyle matches styles with which a page hides text from its readers.
var hiddenStyle = regexp.MustCompile(`(?i)display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|opacity\s*:\s*0*(\.0+)?\s*(;|!|$)|font-size\s*:\s*0*(\.0+)?\s*(px|em|rem|pt|%|;|!|$)`)

// removeHidden removes what readers do not see and returns how many nodes are left.
func removeHidden(n *html.Node) int {
	count := 1
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		if child.Type == html.CommentNode || child.Type == html.ElementNode && hidden(child) {
			n.RemoveChild(child)
		} else {
			count += removeHidden(child)
		}
		child = next
	}
	return count
}

func hidden(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Style, atom.Template, atom.Iframe, atom.Object, atom.Embed, atom.Svg, atom.Canvas, atom.Dialog, atom.Noscript:
		return true
	case atom.Html, atom.Body, atom.Head: // hidden until a script shows them
		return false
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			if strings.EqualFold(a.Val, "true") {
				return true
			}
		case "style":
			if hiddenStyle.MatchString(a.Val) {
				return true
			}
		}
	}
	return false
}

// simplify leaves of the elements below n what Markdown can say: no attributes other than the addresses of links, and
// descriptions in place of pictures.
func simplify(n *html.Node, address *url.URL) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		switch {
		case child.Type != html.ElementNode:
		case child.DataAtom == atom.Script || child.DataAtom == atom.Form || child.DataAtom == atom.Button || child.DataAtom == atom.Nav:
			n.RemoveChild(child)
		case child.DataAtom == atom.Img:
			if alt := strings.TrimSpace(attribute(child, "alt")); alt != "" {
				n.InsertBefore(&html.Node{Type: html.TextNode, Data: " [picture: " + alt + "] "}, child)
			}
			n.RemoveChild(child)
		default:
			target := link(child, address)
			child.Attr = nil
			if target != "" {
				child.Attr = []html.Attribute{{Key: "href", Val: target}}
			}
			simplify(child, address)
		}
		child = next
	}
}

// link returns where a link leads, "" if it leads to no other page of the web.
func link(n *html.Node, address *url.URL) string {
	if n.DataAtom != atom.A {
		return ""
	}
	target, err := address.Parse(attribute(n, "href"))
	if err != nil || target.Scheme != "http" && target.Scheme != "https" || target.User != nil {
		return ""
	}
	if text := target.String(); len(text) <= maxLink && bare(target) != bare(address) {
		return text
	}
	return ""
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
