// Package scene is what a reply is made from. It holds the Scene that a Voice words, and the pure rules of what belongs in
// it: the greeting and its topics, which open items a message answers, when the persona may write first.
package scene
