package face

import (
	"database/sql"

	alias "broken.test/noun"
)

var _ = sql.ErrNoRows

func Show() (alias.ID, alias.Price) { return "", alias.Price{} }
