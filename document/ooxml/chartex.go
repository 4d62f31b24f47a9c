package ooxml

import (
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/document/zipped"
)

// findNew looks for the series of the kinds of charts that came with Office 2016, such as
// waterfalls. Their points stand apart from the series, in sets that have numbers.
func (c *chartReader) findNew(root *zipped.Node) {
	sets := map[string]*zipped.Node{}
	for set := range root.Child("cx:chartData").All() {
		if set.Name == "cx:data" {
			sets[set.Get("id")] = set
		}
	}
	for ser := range root.Child("cx:chart").Child("cx:plotArea").Child("cx:plotAreaRegion").All() {
		switch {
		case ser.Name != "cx:series":
		case len(c.names) < maxSeries:
			c.names = append(c.names, strings.TrimSpace(ser.Child("cx:tx").Child("cx:txData").Child("cx:v").Content()))
			values := map[int]string{}
			for dim := range sets[ser.Child("cx:dataId").Get("val")].All() {
				switch dim.Name {
				case "cx:strDim":
					c.collectNew(dim.Child("cx:lvl"), c.labels)
				case "cx:numDim":
					c.collectNew(dim.Child("cx:lvl"), values)
				}
			}
			c.values = append(c.values, values)
		default:
			c.cut = true
		}
	}
}

// collectNew gathers the points of a set by their index.
func (c *chartReader) collectNew(level *zipped.Node, into map[int]string) {
	for p := range level.All() {
		i, err := strconv.Atoi(p.Get("idx"))
		if p.Name == "cx:pt" && err == nil && i >= 0 && i < maxPoints {
			into[i] = strings.TrimSpace(p.Content())
			c.points = max(c.points, i+1)
		}
		c.cut = c.cut || i >= maxPoints
	}
}
