package session

// domain is what clients may use of a part of the protocol: everything, but for some
// commands, or only some.
type domain struct {
	only []string
	but  map[string]string // and why not
}

// domains are the parts of the protocol that clients may use. Those which reach
// beyond pages list what is allowed, so that commands of newer browsers are not.
var domains = map[string]domain{
	"Accessibility": {}, "Ads": {}, "Animation": {}, "Audits": {}, "Autofill": {}, "BackgroundService": {},
	"Browser": {only: []string{
		"cancelDownload", "close", "getVersion", "getWindowBounds", "getWindowForTarget", "grantPermissions", "resetPermissions",
		"setContentsSize", "setDownloadBehavior", "setPermission", "setWindowBounds",
		"getGlobalPrivacyControl", "setGlobalPrivacyControl",
	}, but: map[string]string{
		"crash":                 "it would end the browser for everybody",
		"crashGpuProcess":       "it would end a process that all pages share",
		"getBrowserCommandLine": "it tells of the server",
	}},
	"CSS": {}, "CacheStorage": {}, "Console": {}, "CrashReportContext": {},
	"DOM": {but: map[string]string{
		"setFileInputFiles": "the files would be those of the server; set the content of files in the page instead",
		"getFileInfo":       "it tells of files of the server",
	}},
	"DOMDebugger": {}, "DOMSnapshot": {}, "DOMStorage": {}, "Debugger": {}, "DeviceOrientation": {}, "DigitalCredentials": {},
	"Emulation": {}, "EventBreakpoints": {}, "FedCm": {}, "Fetch": {}, "FindInPage": {}, "HeapProfiler": {}, "IO": {}, "IndexedDB": {},
	"Input": {}, "Inspector": {},
	"LayerTree": {but: map[string]string{"loadSnapshot": "it reads drawings that no page could have made"}},
	"Log":       {}, "Media": {},
	"Memory": {only: []string{
		"forciblyPurgeJavaScriptMemory", "getDOMCounters", "getDOMCountersForLeakDetection", "getSamplingProfile", "prepareForLeakDetection",
		"startSampling", "stopSampling",
	}, but: map[string]string{
		"simulatePressureNotification":       "it concerns all processes of the browser",
		"setPressureNotificationsSuppressed": "it concerns all processes of the browser",
	}},
	"Network": {}, "Overlay": {},
	"Page": {but: map[string]string{
		"crash":                "close the page instead",
		"addCompilationCache":  "it runs machine code that no page could have made",
		"startScreenRecording": "use Page.startScreencast",
		"stopScreenRecording":  "use Page.startScreencast",
	}},
	"Performance": {}, "PerformanceTimeline": {}, "Preload": {}, "Profiler": {}, "Runtime": {}, "Schema": {}, "Security": {}, "ServiceWorker": {},
	"Storage": {but: map[string]string{"overrideQuotaForOrigin": "it lifts the bounds of what a page may store"}},
	"Target": {only: []string{
		"activateTarget", "attachToBrowserTarget", "attachToTarget", "autoAttachRelated", "closeTarget", "createBrowserContext", "createTarget",
		"detachFromTarget", "disposeBrowserContext", "getBrowserContexts", "getTargetInfo", "getTargets", "setAutoAttach", "setDiscoverTargets",
	}, but: map[string]string{
		"exposeDevToolsProtocol": "pages must not drive the browser",
		"sendMessageToTarget":    "use sessions with flatten: true",
		"setRemoteLocations":     "there is but one browser",
		"openDevTools":           "the tools are pages of the browser itself",
		"getDevToolsTarget":      "the tools are pages of the browser itself",
	}},
	"Tracing":  {only: []string{"end", "getCategories", "getTrackEventDescriptor", "recordClockSyncMarker", "requestMemoryDump", "start"}},
	"WebAudio": {}, "WebAuthn": {}, "WebMCP": {},
}

// closedDomains are the parts that no client may use, and why.
var closedDomains = map[string]string{
	"BluetoothEmulation":   "there are no devices",
	"Cast":                 "there are no devices",
	"DeviceAccess":         "there are no devices",
	"Extensions":           "extensions are files of the server",
	"FileSystem":           "there are no files",
	"HeadlessExperimental": "the browser draws by itself",
	"PWA":                  "it installs and starts programs on the server",
	"SmartCardEmulation":   "there are no devices",
	"SystemInfo":           "it tells of the server",
	"Tethering":            "it opens ports of the server",
}
