package calculation

// Eliminate is for tests in other packages, which can read a library.
var Eliminate = eliminate
