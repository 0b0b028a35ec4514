// Package scene defines what a reply is made from. It holds the Scene that a Voice words and the pure rules for its
// content: the greeting and its topics, the open loops that a message answers, and when the persona may write first.
package scene
