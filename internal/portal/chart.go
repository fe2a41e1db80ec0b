package portal

import (
	"time"

	"cradle/internal/requestlog"
)

// chartDays is how many days a chart shows.
const chartDays = 30

// dayCount is one day of a chart, over all keys.
type dayCount struct {
	Date     time.Time
	Requests int64
	Errors   int64
	Pulls    int64
	Credits  int64
}

// byDay sums up the keys of each day, for every day up to today, including those
// without requests.
func byDay(days []requestlog.Day, today int) []dayCount {
	counts := make([]dayCount, chartDays)
	first := today - chartDays + 1
	for i := range counts {
		counts[i].Date = requestlog.Start(first + i)
	}
	for _, d := range days {
		if at := d.Day - first; at >= 0 && at < chartDays {
			counts[at].Requests += d.Requests
			counts[at].Errors += d.Errors
			counts[at].Pulls += d.Pulls
			counts[at].Credits += d.Credits
		}
	}
	return counts
}

// usageChart has a bar for each day: requests with the errors among them, and
// the pulls below. All lengths are in the units of the drawing.
type usageChart struct {
	Days                               []dayCount
	Bars                               []usageBar
	Grid                               []gridLine
	Labels                             []dayLabel
	Requests, Errors, Pulls, Credits   int64
	Width, Height, PullsTop, PullsBase int
}

type usageBar struct {
	Day                          dayCount
	X, Width                     float64
	Y, Height                    float64 // of the successful requests
	ErrorY, ErrorHeight          float64
	PullY, PullHeight            float64
	HoverX, HoverWidth           float64
	HasRequests, HasErrors, Pull bool
}

type gridLine struct {
	Y     float64
	Label string
}

type dayLabel struct {
	X    float64
	Text string
}

const (
	chartWidth   = 720
	chartLeft    = 44
	chartTop     = 10
	chartBase    = 150
	pullsTop     = 168
	pullsBase    = 206
	chartHeight  = 228
	barsOfAGap   = 0.28 // how much of a day's width stays empty
	leastVisible = 1.5  // a day with one request among thousands still shows
)

func newUsageChart(counts []dayCount) usageChart {
	c := usageChart{Days: counts, Width: chartWidth, Height: chartHeight, PullsTop: pullsTop, PullsBase: pullsBase}
	var most, mostPulls int64 = 1, 1
	for _, d := range counts {
		c.Requests += d.Requests
		c.Errors += d.Errors
		c.Pulls += d.Pulls
		c.Credits += d.Credits
		most, mostPulls = max(most, d.Requests), max(mostPulls, d.Pulls)
	}
	top := roundUp(most)
	for _, share := range []float64{0, 0.5, 1} {
		if value := int64(share * float64(top)); share != 0.5 || top%2 == 0 {
			c.Grid = append(c.Grid, gridLine{Y: chartBase - share*(chartBase-chartTop), Label: number(value)})
		}
	}
	step := float64(chartWidth-chartLeft) / float64(len(counts))
	for i, d := range counts {
		c.Bars = append(c.Bars, newUsageBar(d, chartLeft+float64(i)*step, step, top, mostPulls))
		if (len(counts)-1-i)%7 == 0 {
			c.Labels = append(c.Labels, dayLabel{X: min(chartLeft+(float64(i)+0.5)*step, chartWidth-20), Text: d.Date.Format("2 Jan")})
		}
	}
	return c
}

func newUsageBar(d dayCount, x, step float64, top, mostPulls int64) usageBar {
	scale := func(n, of int64, height float64) float64 {
		if n == 0 {
			return 0
		}
		return max(leastVisible, float64(n)/float64(of)*height)
	}
	b := usageBar{Day: d, X: x + step*barsOfAGap/2, Width: step * (1 - barsOfAGap), HoverX: x, HoverWidth: step,
		HasRequests: d.Requests > d.Errors, HasErrors: d.Errors > 0, Pull: d.Pulls > 0}
	b.ErrorHeight = scale(d.Errors, top, chartBase-chartTop)
	b.ErrorY = chartBase - b.ErrorHeight
	b.Height = scale(d.Requests-d.Errors, top, chartBase-chartTop)
	b.Y = b.ErrorY - b.Height
	b.PullHeight = scale(d.Pulls, mostPulls, pullsBase-pullsTop)
	b.PullY = pullsBase - b.PullHeight
	return b
}

// roundUp returns the next number that reads well on an axis.
func roundUp(n int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, step := range []int64{1, 2, 4, 5, 6, 8, 10} {
			if step*unit >= n {
				return step * unit
			}
		}
	}
}
