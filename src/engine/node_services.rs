//! What deno_node needs to resolve and read CommonJS: Node's own rules over the `node_modules` found on disk, sources through our loader.

use deno_fs::sync::MaybeArc;
use std::borrow::Cow;
use std::path::Path;
use std::rc::Rc;

use deno_core::FastString;
use deno_core::url::Url;
use deno_error::JsErrorBox;
use deno_node::{NodeExtInitServices, NodeRequireLoader};
use deno_permissions::PermissionsContainer;
use deno_resolver::npm::{
    ByonmNpmResolverCreateOptions, CreateInNpmPkgCheckerOptions, DenoInNpmPackageChecker, NpmResolver,
    NpmResolverCreateOptions,
};
use node_resolver::cache::NodeResolutionSys;
use node_resolver::errors::PackageJsonLoadError;
use node_resolver::{DenoIsBuiltInNodeModuleChecker, NodeResolver, NodeResolverOptions, PackageJsonResolver};
use sys_traits::impls::RealSys;

use super::modules::Loader;

pub type Services = NodeExtInitServices<DenoInNpmPackageChecker, NpmResolver<RealSys>, RealSys>;

/// Services of one runtime.
pub fn services(loader: Rc<Loader>) -> Services {
    let sys = RealSys;
    let resolution_sys = NodeResolutionSys::new(sys.clone(), None);
    let package_json = MaybeArc::new(PackageJsonResolver::new(sys.clone(), None));
    let npm = NpmResolver::<RealSys>::new::<RealSys>(NpmResolverCreateOptions::Byonm(ByonmNpmResolverCreateOptions {
        root_node_modules_dir: None,
        search_stop_dir: None,
        sys: resolution_sys.clone(),
        pkg_json_resolver: package_json.clone(),
    }));
    let resolver = NodeResolver::new(
        DenoInNpmPackageChecker::new(CreateInNpmPkgCheckerOptions::Byonm),
        DenoIsBuiltInNodeModuleChecker,
        npm,
        package_json.clone(),
        resolution_sys,
        NodeResolverOptions::default(),
    );
    NodeExtInitServices {
        node_require_loader: Rc::new(RequireLoader { loader }),
        node_resolver: MaybeArc::new(resolver),
        pkg_json_resolver: package_json,
        sys,
    }
}

struct RequireLoader {
    loader: Rc<Loader>,
}

impl NodeRequireLoader for RequireLoader {
    fn ensure_read_permission<'a>(
        &self,
        _permissions: &mut PermissionsContainer,
        path: Cow<'a, Path>,
    ) -> Result<Cow<'a, Path>, JsErrorBox> {
        self.loader.check_access(&path)?;
        Ok(path)
    }

    fn load_text_file_lossy(&self, path: &Path) -> Result<FastString, JsErrorBox> {
        self.loader.require_source(path).map(FastString::from)
    }

    fn is_maybe_cjs(&self, specifier: &Url) -> Result<bool, PackageJsonLoadError> {
        Ok(self.loader.is_common_js(specifier))
    }

    fn is_maybe_cjs_from_require(&self, specifier: &Url) -> Result<bool, PackageJsonLoadError> {
        Ok(self.loader.is_common_js(specifier))
    }
}
