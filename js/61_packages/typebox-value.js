// The module behind `hookrt:typebox-value`: its exports are those of the shipped package.
(function () {
return __bootstrap.core.createLazyLoader("ext:hookrt/60_host_packages/typebox-value.js")();
})();
