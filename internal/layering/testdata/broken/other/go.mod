module other

go 1.25.0
