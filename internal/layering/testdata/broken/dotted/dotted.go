package dotted

import . "broken.test/noun"

var _ Price
