// The module behind `import … from "bun:sqlite"`.
(function () {
const { sqlite } = __bootstrap.core.createLazyLoader("ext:hookrt/71_bun_global.js")();
const members = sqlite();
return { ...members, default: members.Database };
})();
