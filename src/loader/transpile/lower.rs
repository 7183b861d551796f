//! The compiler passes, in order.

use swc_core::common::comments::SingleThreadedComments;
use swc_core::common::sync::Lrc;
use swc_core::common::{Mark, SourceMap};
use swc_core::ecma::ast::{ClassMember, ClassProp, Pass, Program};
use swc_core::ecma::transforms::base::fixer::fixer;
use swc_core::ecma::transforms::base::helpers::inject_helpers;
use swc_core::ecma::transforms::base::hygiene::hygiene;
use swc_core::ecma::transforms::proposal::decorator_2022_03::decorator_2022_03;
use swc_core::ecma::transforms::proposal::decorators::{self, decorators};
use swc_core::ecma::transforms::proposal::explicit_resource_management::explicit_resource_management;
use swc_core::ecma::transforms::react::{self, Runtime};
use swc_core::ecma::transforms::typescript::{
    Config as TypeScriptConfig, TsImportExportAssignConfig, TsxConfig, tsx, typescript,
};
use swc_core::ecma::visit::{VisitMut, VisitMutWith, noop_visit_mut_type, visit_mut_pass};

use super::compile::ModuleKind;
use super::facts::Facts;
use super::options::{CompilerOptions, JsxMode};
use super::using::HoistAroundUsing;
use crate::loader::source_text::FileKind;

pub(super) struct Input<'a> {
    pub kind: FileKind,
    pub module_kind: ModuleKind,
    pub facts: &'a Facts,
    pub options: &'a CompilerOptions,
    pub comments: &'a SingleThreadedComments,
    pub source_map: &'a Lrc<SourceMap>,
    pub unresolved: Mark,
    pub top_level: Mark,
}

fn run(mut program: Program, mut pass: impl Pass) -> Program {
    pass.process(&mut program);
    program
}

/// Decorators, then TypeScript: after this the program is JavaScript with JSX and `using`.
pub(super) fn types(mut program: Program, input: &Input<'_>) -> Program {
    let options = input.options;
    let define = options.use_define_for_class_fields.unwrap_or(true);
    let legacy = options.experimental_decorators && input.kind.is_typescript();
    if input.facts.decorators && legacy {
        program = run(
            program,
            decorators(decorators::Config {
                legacy: true,
                emit_metadata: options.emit_decorator_metadata,
                use_define_for_class_fields: define,
            }),
        );
    }
    // Also lowers `accessor` fields, which the legacy pass leaves alone.
    if input.facts.accessors || (input.facts.decorators && !legacy) {
        program = run(program, decorator_2022_03());
    }
    if !input.kind.is_typescript() {
        return program;
    }
    if !define {
        program = run(program, visit_mut_pass(DropUninitialisedFields));
    }
    let config = TypeScriptConfig {
        verbatim_module_syntax: options.verbatim_module_syntax,
        native_class_properties: define,
        no_empty_export: input.module_kind == ModuleKind::CommonJs,
        import_export_assign_config: TsImportExportAssignConfig::Classic,
        // Inlined members would miss code that changes an enum object at run time.
        ts_enum_is_mutable: true,
        ..Default::default()
    };
    // The classic runtime refers to `React` by name, which keeps its import alive.
    if input.facts.jsx && options.jsx == JsxMode::Classic {
        return run(
            program,
            tsx(
                input.source_map.clone(),
                config,
                TsxConfig {
                    pragma: options.jsx_factory.clone().map(Into::into),
                    pragma_frag: options.jsx_fragment_factory.clone().map(Into::into),
                },
                input.comments.clone(),
                input.unresolved,
                input.top_level,
            ),
        );
    }
    run(program, typescript(config, input.unresolved, input.top_level))
}

/// Syntax that an engine lacks: `using`, JSX; then the helper functions all passes asked for.
pub(super) fn syntax(mut program: Program, input: &Input<'_>) -> Program {
    if input.facts.using {
        program = run(program, visit_mut_pass(HoistAroundUsing));
        program = run(program, explicit_resource_management());
    }
    if input.facts.jsx {
        let options = input.options;
        let runtime = match options.jsx {
            JsxMode::Classic => Runtime::Classic,
            JsxMode::Automatic | JsxMode::AutomaticDev => Runtime::Automatic,
        };
        let jsx_options = react::Options {
            runtime: Some(runtime),
            development: Some(options.jsx == JsxMode::AutomaticDev),
            import_source: options.jsx_import_source.clone().map(Into::into),
            pragma: options.jsx_factory.clone().map(Into::into),
            pragma_frag: options.jsx_fragment_factory.clone().map(Into::into),
            throw_if_namespace: Some(false),
            ..Default::default()
        };
        program = run(
            program,
            react::react(
                input.source_map.clone(),
                Some(input.comments.clone()),
                jsx_options,
                input.top_level,
                input.unresolved,
            ),
        );
    }
    run(program, inject_helpers(input.unresolved))
}

/// Renames what passes made ambiguous, if they `invented` names, and puts back needed parentheses.
pub(super) fn names(mut program: Program, invented: bool) -> Program {
    if invented {
        program = run(program, hygiene());
    }
    run(program, fixer(None))
}

/// With `useDefineForClassFields: false` a field without a value declares a type and nothing else.
struct DropUninitialisedFields;

impl VisitMut for DropUninitialisedFields {
    noop_visit_mut_type!();

    fn visit_mut_class_members(&mut self, members: &mut Vec<ClassMember>) {
        members.retain(|member| {
            !matches!(
                member,
                ClassMember::ClassProp(ClassProp { value: None, decorators, .. })
                    if decorators.is_empty()
            )
        });
        members.visit_mut_children_with(self);
    }
}
