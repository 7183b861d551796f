// The module behind `import … from "bun"`: the members of the global `Bun`.
(function () {
const { Bun } = __bootstrap.core.createLazyLoader("ext:hookrt/71_bun_global.js")();
return { ...Bun, default: Bun };
})();
