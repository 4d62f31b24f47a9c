package interact

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
)

// device is a screen that pages are shown on.
type device struct {
	width, height int64
	scale         float64
	mobile        bool
}

// devices are those that set device knows, by their names in small letters.
var devices = map[string]device{
	"iphone 12": {390, 844, 3, true}, "iphone 13": {390, 844, 3, true}, "iphone 14": {390, 844, 3, true}, "iphone 14 pro": {393, 852, 3, true},
	"iphone 15": {393, 852, 3, true}, "iphone 15 pro": {393, 852, 3, true}, "iphone se": {375, 667, 2, true},
	"pixel 5": {393, 851, 2.75, true}, "pixel 7": {412, 915, 2.625, true}, "pixel 8": {412, 915, 2.625, true}, "galaxy s9+": {320, 658, 4.5, true},
	"ipad": {810, 1080, 2, true}, "ipad mini": {768, 1024, 2, true}, "ipad pro": {1024, 1366, 2, true}, "desktop": {1280, 800, 1, false},
}

// set changes what pages see of the device and the network.
func (c *call) set(ctx context.Context) (output, error) {
	args := c.args[1:]
	var err error
	switch c.args[0] {
	case "viewport":
		err = c.setViewport(ctx, args)
	case "device":
		d, known := devices[strings.ToLower(strings.Join(args, " "))]
		if !known {
			return output{}, failed("Unknown device: %s", clip(strings.Join(args, " "), 100))
		}
		err = c.page.emulate(ctx, d)
	case "geo", "geolocation":
		err = c.setPlace(ctx, args)
	case "offline":
		err = c.page.session.Call(ctx, "Network.emulateNetworkConditions", network.OverrideNetworkStateParams{
			Offline: len(args) == 0 || args[0] != "off", DownloadThroughput: -1, UploadThroughput: -1,
		}, nil)
	case "headers":
		var headers map[string]string
		if len(args) == 0 || json.Unmarshal([]byte(strings.Join(args, " ")), &headers) != nil {
			return output{}, failed("Headers must be a JSON object of strings")
		}
		list := network.Headers{}
		for name, value := range headers {
			list[name] = value
		}
		_, err = protocol.Call(ctx, c.page.session, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: list})
	case "credentials", "auth":
		if len(args) < 2 {
			return output{}, usage(c.name)
		}
		err = c.page.logIn(ctx, args[0], args[1])
	case "media":
		err = c.setMedia(ctx, args)
	default:
		return output{}, failed("Unknown subcommand: set %s", clip(c.args[0], 100))
	}
	return done, cause(ctx, err)
}

func (c *call) setViewport(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return usage(c.name)
	}
	d := device{scale: 1}
	var errs [3]error
	d.width, errs[0] = strconv.ParseInt(args[0], 10, 32)
	d.height, errs[1] = strconv.ParseInt(args[1], 10, 32)
	if len(args) > 2 {
		d.scale, errs[2] = strconv.ParseFloat(args[2], 64)
	}
	if errs != [3]error{} || d.width < 1 || d.height < 1 || d.width > 7680 || d.height > 7680 || d.scale < 0.1 || d.scale > 5 {
		return failed("Invalid viewport: %s", clip(strings.Join(args, " "), 100))
	}
	return c.page.emulate(ctx, d)
}

func (p *page) emulate(ctx context.Context, d device) error {
	if _, err := protocol.Call(ctx, p.session, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: d.width, Height: d.height, DeviceScaleFactor: d.scale, Mobile: d.mobile,
	}); err != nil {
		return err
	}
	_, err := protocol.Call(ctx, p.session, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: d.mobile})
	return err
}

// setPlace lets pages know where the device is, and does not make them ask.
func (c *call) setPlace(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return usage(c.name)
	}
	latitude, wrong := strconv.ParseFloat(args[0], 64)
	longitude, wrong2 := strconv.ParseFloat(args[1], 64)
	if wrong != nil || wrong2 != nil || latitude < -90 || latitude > 90 || longitude < -180 || longitude > 180 {
		return failed("Invalid place: %s", clip(strings.Join(args, " "), 100))
	}
	if _, err := protocol.Call(ctx, c.page.session, emulation.SetGeolocationOverride, emulation.SetGeolocationOverrideParams{
		Latitude: &latitude, Longitude: &longitude, Accuracy: new(1.0),
	}); err != nil {
		return err
	}
	return c.Conn.Browser().Call(ctx, "Browser.grantPermissions", map[string]any{"permissions": []string{"geolocation"}}, nil)
}

func (c *call) setMedia(ctx context.Context, args []string) error {
	var features []*emulation.MediaFeature
	media := ""
	for _, arg := range args {
		switch arg {
		case "dark", "light":
			features = append(features, &emulation.MediaFeature{Name: "prefers-color-scheme", Value: arg})
		case "reduced-motion":
			features = append(features, &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"})
		case "print", "screen":
			media = arg
		default:
			return failed("Unknown media: %s", clip(arg, 100))
		}
	}
	_, err := protocol.Call(ctx, c.page.session, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media, Features: features})
	return err
}

// logIn answers servers that ask for a name and a password.
func (p *page) logIn(ctx context.Context, name, password string) error {
	return p.rule(ctx, func(t *traffic) { t.name, t.password = name, password })
}

// frameCommand makes commands be about a frame.
func (c *call) frameCommand(ctx context.Context) (output, error) {
	if c.args[0] == "main" {
		c.page.frame = ""
		return done, nil
	}
	e, err := c.element(ctx, c.page, c.args[0])
	if err != nil {
		return output{}, err
	}
	node, err := protocol.Call(ctx, e.world.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: e.id})
	if err != nil {
		return output{}, cause(ctx, err)
	}
	if node.Node == nil || node.Node.FrameID == "" || node.Node.FrameID == c.page.current() {
		return output{}, failed("Not a frame: %s", e.name)
	}
	c.page.frame = node.Node.FrameID
	return done, nil
}
