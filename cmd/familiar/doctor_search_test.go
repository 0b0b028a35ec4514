package main

import (
	"net/http"
	"testing"

	"familiar/internal/web/search/searchtest"
)

// TestDoctorChecksTheSearchEngine checks common mistakes in its setup.
func TestDoctorChecksTheSearchEngine(t *testing.T) {
	t.Parallel()
	server := searchtest.New(t, searchtest.Page{Title: "An encyclopedia", Address: "https://pages.test/"})
	home := func(engine string) string {
		return configure(t, "web:\n  search: {engine: "+engine+", key: env:TOKEN, address: '"+server.URL+"'}\n")
	}
	doctorFindings(t, home("brave"), searchtest.Key, 0, "search\tok\tBrave answers")
	doctorFindings(t, home("searxng"), "none", 0, "search\tok\tSearXNG answers")
	doctorFindings(t, home("tavily"), "wrong-canary", 1, "search\tproblem\tsearch with Tavily: the key was rejected", "web.search.key")
	asked := len(server.Queries())
	doctorFindings(t, home("duckduckgo"), "none", 0, "search\tok\tDuckDuckGo, without a key; not asked")
	if len(server.Queries()) != asked {
		t.Error("the default engine was asked")
	}
	server.Status = http.StatusForbidden
	doctorFindings(t, home("searxng"), "none", 1, "search\tproblem\t", "search.formats")
}
