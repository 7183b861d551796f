// The module behind `hookrt:pi-tui`: its exports are those of the shipped package.
(function () {
return __bootstrap.core.createLazyLoader("ext:hookrt/60_host_packages/pi-tui.js")();
})();
