# Two commands are all the set-up a machine with Rust needs: `make demo` and `make test`. README.md says how the engine is chosen.

.DEFAULT_GOAL := help
.PHONY: help demo test check fuzz bench clean

help:
	@echo 'make demo    build, then run real hooks: a block, an allow, a redaction, a replay'
	@echo 'make test    the whole suite: Rust, documentation examples, JavaScript, the TypeScript client'
	@echo 'make check   formatting and clippy, warnings are errors'
	@echo 'make fuzz    random input for everything that reads what others wrote; HOOKRT_FUZZ_SECONDS=N each (60)'
	@echo 'make bench   the benchmarks beside Bun, Deno and Node, as a table; ARGS=cold|serve|process for a part'
	@echo 'make clean   remove what was built'
	@echo
	@echo 'ENGINE=v8|quickjs      which JavaScript engine; default: V8 where it is to be had, else QuickJS'
	@echo 'RUSTY_V8_ARCHIVE=PATH  a prebuilt V8 static library (.a or .a.gz)'
	@echo 'HOOKRT_NO_APT=1        never install system packages, even as root'

demo:
	@bash scripts/demo.sh

test:
	@bash scripts/test.sh

check:
	@bash scripts/check.sh

fuzz:
	@bash scripts/fuzz.sh

bench:
	@bash scripts/bench.sh $(ARGS)

clean:
	cargo clean
	rm -rf js/client/dist js/client/types js/client/node_modules
