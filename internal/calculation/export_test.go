package calculation

// Eliminate is for tests that read a library, which this package must not import.
var Eliminate = eliminate
