// The module behind `hookrt:pi-utils`: its exports are those of the shipped package.
(function () {
return __bootstrap.core.createLazyLoader("ext:hookrt/60_host_packages/pi-utils.js")();
})();
