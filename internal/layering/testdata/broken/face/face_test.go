package face

import "net/http"

var _ = http.StatusOK
