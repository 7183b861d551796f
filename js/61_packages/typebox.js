// The module behind `hookrt:typebox`: its exports are those of the shipped package.
(function () {
return __bootstrap.core.createLazyLoader("ext:hookrt/60_host_packages/typebox.js")();
})();
