package main

import "broken.test/face"

func main() { face.Show() }
