package noun

type ID string

type Price struct{ Amount int }
