// Package docs has the pages of this folder that the portal shows parts of.
package docs

import _ "embed"

//go:embed webhooks.md
var Webhooks string

//go:embed api.md
var API string
