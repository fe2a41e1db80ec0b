package other

import "os"

var _ = os.Args
