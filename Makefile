# lockstep: `make help` lists what can be made here.

BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= cc
CFLAGS  ?= -O3 -g
SHELL   := /bin/bash

WARN    = -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes \
          -Wwrite-strings -Wformat=2 -Wconversion
PKG     = libcjson nettle libjpeg libdeflate
LAZY    = vips expat yaml-0.1 libarchive freetype2 zlib
# Packages of LAZY are looked up when first used: building needs only their headers. Library headers count as system
# headers, whose warnings are not shown. pkg-config runs once, and only if something is compiled.
PKGFLAGS = $(eval PKGFLAGS := $$(shell pkg-config --cflags $(LAZY) $(PKG) | sed 's/-I/-isystem /g'))$(PKGFLAGS)
PKGLIBS  = $(eval PKGLIBS := $$(shell pkg-config --libs $(PKG)))$(PKGLIBS)
# Where gcc knows which registers a function of the same file uses, it calls it without clearing the upper halves of
# vectors: in a function that was not compiled for AVX, newer Intel processors then lose some hundred cycles. Other
# compilers do not have the option.
CLEARS   = $(eval CLEARS := $$(shell $(CC) -Werror -fno-ipa-ra -x c -S -o /dev/null /dev/null 2>/dev/null && echo -fno-ipa-ra))$(CLEARS)
# No contraction: results must not depend on whether a machine has fused multiply-add. The code reads neither
# floating-point exception flags nor errno after sqrt(), so the compiler may vectorize loops that could set them.
ALL     = -std=c11 -D_GNU_SOURCE -ffp-contract=off -fno-trapping-math -fno-math-errno $(CLEARS) $(WARN) $(WERROR) $(PKGFLAGS) -Isrc -I$(BUILD) $(CFLAGS)

LIB_SRC := $(sort $(wildcard src/*/*.c src/*/*/*.c))
CLI_SRC := $(sort $(wildcard cli/*.c cli/*/*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)
UNITS   := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(sort $(wildcard tests/unit/test_*.c)))
FUZZ    := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
REPLAYS := $(FUZZ:%=$(BUILD)/unit/%)
# Examples, with the flags of who has nothing but the header.
PLUGINS    := $(patsubst samples/plugins/%.c,$(BUILD)/plugins/%.so,$(sort $(wildcard samples/plugins/*.c)))

TEST_TOOLS  := $(patsubst tests/fault/%.c,$(BUILD)/tests/%.so,$(sort $(wildcard tests/fault/*.c))) \
               $(BUILD)/tests/make_families $(BUILD)/tests/make_inks $(PLUGINS)
BENCH_TOOLS := $(patsubst tests/bench/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/bench/bench_*.c))) $(BUILD)/tests/no_journal

MAN_PAGES  := $(patsubst %.in,%,$(sort $(wildcard man/*.in)))

BUILD_PACKAGES = pkg-config libvips-dev libcjson-dev nettle-dev libjpeg-dev libdeflate-dev \
                 libseccomp-dev libexpat1-dev libyaml-dev libarchive-dev zlib1g-dev \
                 libfreetype-dev fonts-dejavu-core
# Rows START-OF-PART:PACKAGE,PACKAGE: the packages that parts of the tests (tests/run.sh) need beyond these.
PART_PACKAGES  = unit/:perl corpus/:perl lint/:perl,git,python3 tests/:perl,git,bats,jq,python3,procps,util-linux,strace \
                 lint/tools:$(subst $(space),$(comma),bats jq shellcheck clang clang-format-14 mandoc python3-jsonschema python3-yaml zsh fish strace procps locales) \
                 lint/format:clang-format-14 lint/shell:shellcheck lint/clang:clang lint/man_page:mandoc \
                 tests/cli/batch:locales tests/cli/docs:mandoc,zsh,fish,python3-jsonschema tests/cli/examples:mandoc,fish \
                 tests/cli/yolo:python3-yaml tests/cli/faults:e2fsprogs tests/cli/build:clang,zsh,fish,mandoc,python3-yaml \
                 tests/cli/outdir:e2fsprogs,exfatprogs,exfat-fuse,python3-fusepy tests/cli/harness:$(subst $(space),$(comma),clang clang-format-14 shellcheck)
comma         := ,
space         := $(subst ,, )
# packages_of PARTS: the build's and theirs.
packages_of    = $(BUILD_PACKAGES) $(sort $(foreach row,$(PART_PACKAGES),$(if $(filter $(firstword $(subst :, ,$(row)))%,$(patsubst release/%,tests/%,$1)),\
                 $(subst $(comma), ,$(lastword $(subst :, ,$(row)))))))
CHECK_PACKAGES = $(call packages_of,$(foreach row,$(PART_PACKAGES),$(firstword $(subst :, ,$(row)))))
TORTURE_PACKAGES = $(BUILD_PACKAGES) python3 strace procps util-linux e2fsprogs
FUZZ_PACKAGES  = $(BUILD_PACKAGES) clang libclang-rt-dev llvm
# Node's own packages bring an npm that Debian's is in conflict with.
ENGINE_PACKAGES = $(BUILD_PACKAGES) slurmctld slurmd slurm-client munge parallel snakemake make procps python3-yaml \
                  $(if $(shell command -v npm),,npm)
PEER_PACKAGES  = $(BUILD_PACKAGES) python3-opencv python3-pil python3-torchvision imagemagick \
                 graphicsmagick libvips-tools

# Functions of libraries are looked up once, not in each process that a run forks.
LINK    = -Wl,-z,now

# With the arena's pieces in blocks of their own, the address sanitizer sees steps beyond each.
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -DARENA_ALONE
FUZZ_CC ?= clang

# Compiler lines are shown with V=1.
Q       = $(if $(V),,@)
say     = $(if $(V),,@echo "  $(1) $@")

# Runs make from a recipe: one compiler per processor unless -j is given, and no output if there is nothing to do.
BUILDING = $(MAKE) $(if $(V),,-s) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

.DEFAULT_GOAL := all

all: $(BUILD)/lockstep ## build build/lockstep

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F '|' '{ printf "  make %-16s %s\n", $$1, $$2 }'

# --- building ---

$(BUILD)/lockstep: $(CLI_OBJ) $(BUILD)/liblockstep.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LINK) $(PKGLIBS) -lm

$(BUILD)/liblockstep.a: $(LIB_OBJ)
	@rm -f $@
	$(call say,AR)
	$(Q)ar rcs $@ $^

$(BUILD)/%.o: %.c | $(BUILD)/registry.inc
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL) -MMD -MP -c -o $@ $<

# Headers are named by their paths from src/, and those of the command line by their paths from cli/.
$(CLI_OBJ): ALL += -Icli

# listed WORD,FOLDER: "WORD(name)" of each source in FOLDER.
listed = basename -as .c src/$2/*.c | sed 's/.*/$1(&)/'

# The registries are lists of file names; each is rewritten only when its list changes.
$(BUILD)/registry.inc: FORCE
	@mkdir -p $(@D)
	@{ $(call listed,OP,steps/ops); $(call listed,TRANSFORM,steps/transforms); $(call listed,FORMAT,labels/formats); } > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/src/steps/registry.o: $(BUILD)/registry.inc

$(BUILD)/check.inc: FORCE
	@mkdir -p $(@D)
	@{ $(call listed,RULES,check/rules); $(call listed,REPORTER,check/reporters); } > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/src/check/registry.o: $(BUILD)/check.inc

$(BUILD)/import.inc: FORCE
	@mkdir -p $(@D)
	@$(call listed,IMPORTER,migrate/libraries) > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/cli/open/other_pipeline.o: $(BUILD)/import.inc

$(BUILD)/layouts.inc: FORCE
	@mkdir -p $(@D)
	@$(call listed,LAYOUT,batch/layouts) > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/src/batch/dataset/layout_registry.o: $(BUILD)/layouts.inc

# Subcommands in the order of `lockstep help`; those without a place here come after them, by name.
COMMANDS := run convert concat replay back merge verify preview explain profile compile probe check stats diff split labels iou \
            status list describe init plugin_test import schema completion manual help version

# A file of cli/commands is a subcommand if it defines a struct command.
$(BUILD)/commands.inc: FORCE
	@mkdir -p $(@D)
	@defined=$$(sed -n 's/^const struct command \([a-z0-9_]*\)_command = {$$/\1/p' cli/commands/*.c); \
	    printf '%s\n' $(COMMANDS) $$defined | awk '!seen[$$1]++ { print "COMMAND(" $$1 ")" }' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/cli/main.o: $(BUILD)/commands.inc

# The pipelines that come with lockstep, as strings.
$(BUILD)/pipelines.inc: $(wildcard pipelines/*.json)
	@mkdir -p $(@D)
	@for f in $(sort $^); do echo "PIPELINE(\"$$(basename $$f .json)\","; \
	    sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/    "&\\n"/' $$f; echo ")"; done > $@
$(BUILD)/cli/open/starter_pipelines.o: $(BUILD)/pipelines.inc

# The topics of the manual, as lists of lines.
$(BUILD)/topics.inc: $(wildcard man/topics/*.txt)
	@mkdir -p $(@D)
	@for f in $(sort $^); do echo "TOPIC(\"$$(basename $$f .txt)\","; \
	    sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/    "&",/' $$f; echo "    NULL)"; done > $@
$(BUILD)/src/manual/topics.o: $(BUILD)/topics.inc

# The filter of system calls, as a library makes it that the command itself does not need.
$(BUILD)/make_filter: src/batch/process/filter/make_filter.c src/batch/process/filter/self.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL) $$(pkg-config --cflags libseccomp) -o $@ $< $$(pkg-config --libs libseccomp)
$(BUILD)/filter.inc: $(BUILD)/make_filter
	@$< > $@.new && mv $@.new $@
$(BUILD)/src/batch/process/syscall_filter.o: $(BUILD)/filter.inc

$(BUILD)/unit/%: tests/unit/%.c $(wildcard tests/unit/*.h) $(BUILD)/liblockstep.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL) -o $@ $< $(BUILD)/liblockstep.a $(PKGLIBS) -lm

$(REPLAYS): $(BUILD)/unit/%: tests/fuzz/%.c tests/fuzz/replay.c $(wildcard tests/fuzz/*.h) $(BUILD)/liblockstep.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL) -o $@ $(filter %.c,$^) $(BUILD)/liblockstep.a $(PKGLIBS) -lm

$(BUILD)/fuzz/%: tests/fuzz/%.c $(wildcard tests/fuzz/*.h) $(BUILD)/liblockstep.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL) -fsanitize=fuzzer -o $@ $< $(BUILD)/liblockstep.a $(PKGLIBS) -lm

$(BUILD)/tests/make_samples: $(wildcard tests/samples/*.c tests/samples/*.h)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL) -o $@ $(filter %.c,$^) $$(pkg-config --libs vips libjpeg) -lm

$(BUILD)/tests/make_families: tests/damage/make_families.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL) -o $@ $< $$(pkg-config --libs vips)

$(BUILD)/tests/make_inks: tests/tools/make_inks.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL) -o $@ $< $$(pkg-config --libs libjpeg)

$(BUILD)/tests/%.so: tests/fault/%.c tests/fault/environment.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARN) -O1 -include tests/fault/environment.h -shared -fPIC -o $@ $<

$(BUILD)/plugins/%.so: samples/plugins/%.c src/steps/plugin/lockstep_plugin.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=c11 $(WARN) $(WERROR) -O3 -ffp-contract=off -fno-trapping-math -fno-math-errno -Isrc/steps/plugin -shared -fPIC -o $@ $< -lm

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d)

# --- running ---

demo: deps ## install what is missing, build, and run the main job on samples/
	@+$(BUILDING) all
	@rm -rf $(BUILD)/demo && mkdir -p $(BUILD)/demo
	$(BUILD)/lockstep run -p pipelines/detection.json -i samples/images -a samples/annotations.json \
	    --masks samples/masks -o $(BUILD)/demo/out -n 4
	$(BUILD)/lockstep preview -p pipelines/detection.json -i samples/images \
	    -a samples/annotations.json -n 4 -o $(BUILD)/demo/sheet.png
	@echo "Look at $(BUILD)/demo/sheet.png: originals, and what became of them, with their labels."

gallery: deps all ## draw every transform on one sample with its labels: build/gallery/gallery.png
	@tests/tools/deps.sh jq libvips-tools
	@BUILD=$(BUILD) tests/tools/gallery.sh

deps:
	@tests/tools/deps.sh $(BUILD_PACKAGES)

check-deps:
	@tests/tools/deps.sh $(CHECK_PACKAGES)

# The tests have three tiers: quick, check (with the quick ones), and release (all others). RUN names the tier and the
# parts that `checked` runs.
quick: ## the tests of the quick tier: at most 2 minutes on 2 processors, once built
	@$(MAKE) --no-print-directory test RUN='--tier quick'

check: check-deps ## install what the tests need, and run those of the quick tier and of the full tier
	@+$(BUILDING) programs
	@$(MAKE) --no-print-directory checked

check-release: check-deps ## PARTS=REGEX FUZZ_SECONDS=60: everything else, for hours; one table at the end
	@+$(BUILDING) programs
	@MAKE='$(MAKE)' BUILD=$(BUILD) tests/release.sh '$(PARTS)'

RUN = --tier full

# Its own make, so that pkg-config is there when its flags are asked for.
programs: all $(UNITS) $(REPLAYS) test-tools bench-tools

test-tools: all $(TEST_TOOLS)
bench-tools: $(BENCH_TOOLS)
# The headers that the build writes.
generated: $(addprefix $(BUILD)/, registry.inc check.inc import.inc layouts.inc commands.inc pipelines.inc topics.inc filter.inc)

checked:
	@BUILD=$(BUILD) tests/run.sh $(RUN)

test: RUN = '$(T)'
test: ## T=PATTERN [ONLY=NAMES OP=NAME RULE=ID]: the parts of the tests that match: a bats file, a unit program, a lint check, a corpus
	@[ -n "$(filter-out '',$(RUN))" ] || { echo 'usage: make test T=PATTERN (tests/run.sh --list names all parts)' >&2; exit 2; }
	@tests/tools/deps.sh $(call packages_of,$(shell tests/run.sh --list $(RUN) 2> /dev/null))
	@+programs=$$(BUILD=$(BUILD) tests/run.sh --programs $(RUN)) && { [ -z "$$programs" ] || $(BUILDING) $$programs; }
	@BUILD=$(BUILD) tests/run.sh $(RUN)

tests-of: ## FILE=src/...: the shortest commands that test a file
	@tests/tools/tests_of.py $(FILE)

ASAN = BUILD=build-asan CFLAGS='-O1 -g $(SANITIZE)'

check-asan: check-deps ## the same with the address and undefined-behavior sanitizers, without the checks of sources
	@+$(BUILDING) programs $(ASAN)
	@LSAN_OPTIONS=suppressions=$(CURDIR)/tests/harness/leaks.txt \
	    $(MAKE) --no-print-directory checked RUN="--tier full '^(unit|corpus|tests)/'" $(ASAN)

check-clang: check-deps ## build everything with clang, without a warning, and run the unit tests and corpora
	@+$(BUILDING) programs BUILD=build-clang CC=clang WERROR=-Werror
	@BUILD=build-clang tests/run.sh '^(unit|corpus)/'

FUZZ_SECONDS ?= 60

fuzz: ## FUZZ_SECONDS=60: feed the readers and the geometry made-up inputs, so long each
	@tests/tools/deps.sh $(FUZZ_PACKAGES)
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory fuzzers BUILD=$(BUILD)/fuzzing CC=$(FUZZ_CC) \
	    CFLAGS='-O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link,float-cast-overflow -fprofile-instr-generate -fcoverage-mapping'
	@BUILD=$(BUILD) tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ)

fuzzers: $(FUZZ:%=$(BUILD)/fuzz/%)

check-coco-api: all ## 100 000 random polygons through the command and through pycocotools
	@tests/tools/deps.sh python3-venv
	@$(BUILD)/coco-api/bin/python3 -c 'import pycocotools' 2> /dev/null || \
	    { /usr/bin/python3 -m venv $(BUILD)/coco-api && $(BUILD)/coco-api/bin/pip install -q pycocotools; }
	@$(BUILD)/coco-api/bin/python3 tests/tools/differential_rle.py $(BUILD)/lockstep

CONSUMERS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/lockstep-consumers

check-consumers: all ## CONSUMERS=FOLDER: readers of Ultralytics, torchvision and six other consumers (7 GB in FOLDER)
	@tests/tools/deps.sh python3-venv
	@tests/consumers/install.sh $(CONSUMERS)
	@$(CONSUMERS)/bin/python3 tests/consumers/gate.py --self-test
	@$(CONSUMERS)/bin/python3 tests/consumers/gate.py --outputs $(BUILD)/lockstep

TRIALS ?= 10000
SEED   ?= 1
PHOTOS ?= /usr/share/backgrounds/mate/nature

search-fast: deps ## TRIALS=10000 SEED=1 PHOTOS='FOLDER...': pipelines by which mode fast breaks its bounds
	@tests/tools/deps.sh mate-backgrounds
	@$(MAKE) --no-print-directory $(BUILD)/tests/search_fast
	@$(BUILD)/tests/search_fast $(TRIALS) $(SEED) $$(find -L $(PHOTOS) tests/golden/img/in_photo_*.png \
	    -name '*.jpg' -o -name '*.png' | LC_ALL=C sort)

search-exact: all $(BUILD)/unit/test_exact ## TRIALS=10000 SEED=1: pipelines of which compiled passes give other bits than their steps
	@TRIALS=$(TRIALS) SEED=$(SEED) $(BUILD)/unit/test_exact

check-planted: check-deps ## T=PATTERN: plant faults (tests/planted/*.txt and in every op), and see a test turn red for each
	@+$(BUILDING) test-tools
	@BUILD=$(BUILD) tests/tools/planted.py run '$(T)'

DAMAGES ?= 340
SEED    ?= 1

search-damage: all $(BUILD)/tests/make_families ## DAMAGES=340 SEED=1: damage images and archives of every kind, decode them
	@PYTHONDONTWRITEBYTECODE=1 python3 tests/damage/damage.py $(BUILD)/lockstep $(BUILD)/tests/make_families \
	    $(DAMAGES) $(SEED)
	@PYTHONDONTWRITEBYTECODE=1 python3 tests/damage/archives.py $(BUILD)/lockstep $(DAMAGES) $(SEED)

search-oom: all $(BUILD)/tests/make_families $(BUILD)/tests/oom.so ## let each allocation of a run fail in turn, some 27 000
	@PYTHONDONTWRITEBYTECODE=1 python3 tests/fault/oom.py $(BUILD)/lockstep $(BUILD)/tests supervisor threads worker

search-donors: all $(BUILD)/unit/test_donors ## 1 000 000 draws of each number of images, and 100 images added to 5 000
	@DRAWS=1000000 $(BUILD)/unit/test_donors
	@PYTHONDONTWRITEBYTECODE=1 python3 tests/tools/donors_changed.py $(abspath $(BUILD))/lockstep 5000 100

MUTATIONS ?= 1000

search-check: all ## MUTATIONS=1000 SEED=1: mutate annotation files and folders, and see that check and run agree about them
	@mkdir -p $(BUILD)/search-check
	@cd $(BUILD)/search-check && PYTHONDONTWRITEBYTECODE=1 python3 $(CURDIR)/tests/search/check_mutations.py \
	    $(abspath $(BUILD))/lockstep $(CURDIR)/samples $(MUTATIONS) $(SEED)
	@cd $(BUILD)/search-check && PYTHONDONTWRITEBYTECODE=1 python3 $(CURDIR)/tests/search/check_folder_mutations.py \
	    $(abspath $(BUILD))/lockstep $(CURDIR)/samples $(MUTATIONS) $(SEED)

PIPELINES ?= 200

search-back: all ## PIPELINES=200 SEED=1: map labels through random pipelines and back, and see that they are where they were; mutate both files that back reads
	@mkdir -p $(BUILD)/search-back
	@cd $(BUILD)/search-back && PYTHONDONTWRITEBYTECODE=1 python3 $(CURDIR)/tests/search/back_pipelines.py \
	    $(abspath $(BUILD))/lockstep $(PIPELINES) $(SEED)
	@cd $(BUILD)/search-back && PYTHONDONTWRITEBYTECODE=1 python3 $(CURDIR)/tests/search/back_mutations.py \
	    $(abspath $(BUILD))/lockstep $(CURDIR)/samples $(MUTATIONS) $(SEED)

FUZZING = BUILD=$(BUILD)/fuzzed CFLAGS='-O1 -g $(SANITIZE)'

search-fuzz: deps ## FUZZ_SECONDS=60 SEED=1 JOBS=2: mutate files of every kind that is read, and run whole commands on them, with sanitizers
	@$(BUILDING) all $(BUILD)/fuzzed/tests/make_families $(FUZZING)
	@PYTHONDONTWRITEBYTECODE=1 python3 tests/search/fuzz_commands.py $(BUILD)/fuzzed/lockstep $(BUILD)/fuzzed/tests \
	    --seconds $(FUZZ_SECONDS) --seed $(SEED) $(if $(JOBS),-j $(JOBS))

coverage: ## T=PATTERN ONE_IN=20: the share of lines of src/batch that tests and torture run
	@tests/tools/deps.sh $(CHECK_PACKAGES) $(TORTURE_PACKAGES) llvm libclang-rt-dev
	@$(MAKE) --no-print-directory all $(TEST_TOOLS:$(BUILD)/%=build-coverage/%) BUILD=build-coverage CC=clang \
	    CFLAGS='-O1 -g -fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation -Wno-unused-command-line-argument'
	@BUILD=build-coverage tests/tools/coverage.sh '$(or $(T),^tests/)' $(if $(filter command line,$(origin ONE_IN)),$(ONE_IN),20)

ONE_IN ?= 1

torture: ## ONE_IN=1 SEED=1 JOBS=2: stop runs at each, or one in so many, of their system calls, and go on; 5 000 kills and 20 000 faults
	@tests/tools/deps.sh $(TORTURE_PACKAGES)
	@$(MAKE) --no-print-directory all $(BUILD)/tests/short.so $(BUILD)/tests/oom.so
	@PYTHONDONTWRITEBYTECODE=1 python3 tests/torture/torture.py $(BUILD)/lockstep $(BUILD)/tests \
	    --share $(ONE_IN) --seed $(SEED) $(if $(JOBS),-j $(JOBS))

bench: deps all $(BUILD)/tests/no_journal ## images/s beside plain decode + encode; the journal's price; memory of a worker
	@BUILD=$(BUILD) tests/bench/bench.sh

bench-peers: ## each op, and the same jobs, in OpenCV, Pillow, torchvision; jobs in three command lines
	@tests/tools/deps.sh $(PEER_PACKAGES)
	@$(MAKE) --no-print-directory all $(BUILD)/tests/bench_ops
	@PYTHONDONTWRITEBYTECODE=1 $${PYTHON:-/usr/bin/python3} tests/bench/peers/ops.py $(BUILD)/tests/bench_ops
	@BITS=16 PYTHONDONTWRITEBYTECODE=1 $${PYTHON:-/usr/bin/python3} tests/bench/peers/ops.py $(BUILD)/tests/bench_ops
	@! grep -qw avx512f /proc/cpuinfo || { \
	    $(BUILDING) BUILD=$(BUILD)/without-avx512 CFLAGS='$(CFLAGS) -DWITHOUT_AVX512' \
	        $(BUILD)/without-avx512/tests/bench_ops && \
	    for bits in 8 16; do \
	        BITS=$$bits AVX512=off PYTHONDONTWRITEBYTECODE=1 $${PYTHON:-/usr/bin/python3} \
	            tests/bench/peers/ops.py $(BUILD)/without-avx512/tests/bench_ops || exit; done; }
	@tests/bench/peers.sh

bench-plugin: deps all $(PLUGINS) ## a plugin's op beside the same C built in: ns per pixel of both, in turns
	@$(MAKE) --no-print-directory $(BUILD)/tests/bench_plugin
	@$(BUILD)/tests/bench_plugin $(BUILD)/plugins/vignette.so

bench-ops bench-loops: bench-%: deps
	@$(MAKE) --no-print-directory $(BUILD)/tests/bench_$*
	@$(BUILD)/tests/bench_$*
bench-ops: ## ns per pixel of each op, at two sizes, and how many copies of its output it costs
bench-loops: ## the same of each pixel loop

bench-coco: deps ## a file like COCO's train2017: index, load and rewrite, beside cJSON and Python
	@$(MAKE) --no-print-directory $(BUILD)/tests/bench_coco $(BUILD)/tests/bench_cjson
	@BUILD=$(BUILD) tests/bench/coco.sh

bench-start: deps all ## wall time of one command on one small image, of each format
	@tests/tools/deps.sh hyperfine jq
	@tests/bench/start.sh

bench-records: deps all ## very many tiny images: time and memory of each record before, in and after the run
	@$(MAKE) --no-print-directory $(BUILD)/tests/bench_records
	@BUILD=$(BUILD) tests/bench/records.sh

bench-resume: deps all ## KILLS=10: 2000 images, killed so often and resumed: the files of one run, and what all took beside it
	@BUILD=$(BUILD) tests/bench/resumed.sh

bench-merge: deps all ## SHARDS=16 SIZES="100000 300000 1000000": merges of made-up shards: time, and memory, at most 300 MB
	@$(MAKE) --no-print-directory $(BUILD)/tests/bench_merge
	@BUILD=$(BUILD) tests/bench/merge.sh

check-engines: deps all ## shards on Slurm, GNU parallel, Snakemake, make and xargs, killed and merged (as root, for Slurm)
	@tests/tools/deps.sh $(ENGINE_PACKAGES)
	@LOCKSTEP=$(BUILD)/lockstep tests/engines/run.sh
	@tests/engines/kubernetes.sh

check-sarif: all ## SARIF reports against the schema of 2.1.0, which npm has
	@tests/tools/sarif_schema.sh $(BUILD)/lockstep

bench-nms: ## the kernel of nms beside torchvision's, on one thread, in turns
	@tests/tools/deps.sh $(BUILD_PACKAGES) python3-torchvision
	@$(MAKE) --no-print-directory $(BUILD)/tests/bench_nms
	@PYTHONDONTWRITEBYTECODE=1 $${PYTHON:-/usr/bin/python3} tests/bench/nms.py $(BUILD)/tests/bench_nms

bench-codecs: deps all ## PNG, WebP and TIFF in and out, beside OpenCV and Pillow at equal size
	@tests/tools/deps.sh $(PEER_PACKAGES)
	@tests/bench/codecs.sh

bench-large: deps all ## images of 12 and 50 megapixels: time and memory, beside libvips and OpenCV
	@tests/tools/deps.sh $(PEER_PACKAGES)
	@tests/bench/large.sh

bench-check: deps all ## 860 000 annotations, and 5 000 images, checked: beside a Python script with a tenth of the rules
	@tests/tools/deps.sh python3-pil
	@tests/bench/check.sh

$(BUILD)/tests/search_%: tests/search/search_%.c $(wildcard tests/unit/*.h) $(BUILD)/liblockstep.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL) -o $@ $< $(BUILD)/liblockstep.a $(PKGLIBS) -lm

# Its functions stand before the library's, whose journal is left out.
$(BUILD)/tests/no_journal: tests/bench/no_journal.c $(CLI_OBJ) $(BUILD)/liblockstep.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL) -o $@ $^ $(PKGLIBS) -lm

$(BUILD)/tests/bench_%: tests/bench/bench_%.c $(wildcard tests/bench/*.h) $(BUILD)/liblockstep.a
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL) -o $@ $< $(BUILD)/liblockstep.a $(PKGLIBS) -lm

$(BUILD)/tests/bench_plugin: ALL += -Isrc/steps/plugin
$(BUILD)/tests/bench_plugin: samples/plugins/vignette.c

lint: ## format, layers, shell scripts, warnings of clang, man pages: of the quick tier and of the full tier
	@$(MAKE) --no-print-directory test RUN="--tier full '^lint/'"

format: ## put all C in form
	git ls-files -z src/**.[ch] cli/**.[ch] tests/**.[ch] | xargs -0 clang-format-14 -i

docs: all ## refresh the generated man pages
	set -e; for page in $(MAN_PAGES); do \
	  man/make.sh $(BUILD)/lockstep < $$page.in > $$page.new; mv $$page.new $$page; done

explain-texts: all ## write the golden texts of explain anew
	rm -f tests/golden/explain/*.txt
	LOCKSTEP=$(BUILD)/lockstep tests/tools/explain.sh tests/golden/explain
import-texts: all ## write the golden texts of import anew
	tests/tools/imported.sh $(BUILD)/lockstep tests/golden/import/*-* > tests/golden/import/expected.txt

samples: $(BUILD)/tests/make_samples ## draw samples/ anew
	$(BUILD)/tests/make_samples samples

new-op: ## NAME=my_op: begin a new op (one file)
	@tests/tools/new.sh op '$(NAME)'

new-transform: ## NAME=MyTransform: begin a new transform (one file)
	@tests/tools/new.sh transform '$(NAME)'

new-format: ## NAME=my_format: begin a new annotation format (one file)
	@tests/tools/new.sh format '$(NAME)'

new-rule: ## NAME=my_rules: begin a new family of rules of check (one file)
	@tests/tools/new.sh rule '$(NAME)'

new-command: ## NAME=my_command: begin a new subcommand (one file)
	@tests/tools/new.sh command '$(NAME)'

new-plugin: ## NAME=my_plugin [DIR=FOLDER]: begin a plugin, in a folder anywhere
	@tests/tools/new.sh plugin '$(NAME)' $(if $(DIR),'$(DIR)')

# --- installing ---

SHARE = $(DESTDIR)$(PREFIX)/share

install: all ## put the command, man pages, completions and pipelines under PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/lockstep/pipelines \
	    $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions \
	    $(SHARE)/fish/vendor_completions.d
	install $(BUILD)/lockstep $(DESTDIR)$(PREFIX)/bin/lockstep
	install -Dm 644 src/steps/plugin/lockstep_plugin.h $(DESTDIR)$(PREFIX)/include/lockstep_plugin.h
	for page in $(MAN_PAGES); do install -Dm 644 $$page $(SHARE)/man/man$${page##*.}/$${page#man/} || exit; done
	install -m 644 pipelines/*.json $(SHARE)/lockstep/pipelines
	cp -r samples/recipes $(SHARE)/lockstep/recipes.new
	rm -rf $(SHARE)/lockstep/recipes && mv $(SHARE)/lockstep/recipes.new $(SHARE)/lockstep/recipes
	$(BUILD)/lockstep completion bash > $(SHARE)/bash-completion/completions/lockstep
	$(BUILD)/lockstep completion zsh > $(SHARE)/zsh/site-functions/_lockstep
	$(BUILD)/lockstep completion fish > $(SHARE)/fish/vendor_completions.d/lockstep.fish

uninstall: ## take it away again
	for page in $(MAN_PAGES); do rm -f $(SHARE)/man/man$${page##*.}/$${page#man/}; done
	rm -f $(DESTDIR)$(PREFIX)/bin/lockstep $(DESTDIR)$(PREFIX)/include/lockstep_plugin.h \
	    $(SHARE)/bash-completion/completions/lockstep $(SHARE)/zsh/site-functions/_lockstep \
	    $(SHARE)/fish/vendor_completions.d/lockstep.fish
	rm -rf $(SHARE)/lockstep

clean: ## remove all that was built
	rm -rf build build-asan build-clang build-coverage

FORCE:
.PHONY: all bench-tools check-release coverage generated quick test-tools tests-of search-back search-fuzz search-check search-damage search-donors search-oom torture help demo gallery deps check check-deps checked programs test check-asan \
        check-planted check-clang check-coco-api check-consumers check-engines check-sarif fuzz fuzzers bench bench-peers search-fast search-exact bench-ops bench-loops \
        bench-coco bench-plugin bench-records bench-merge bench-resume bench-start bench-check bench-codecs bench-large bench-nms lint format docs explain-texts import-texts \
        samples new-op new-transform new-format new-rule new-command new-plugin install uninstall clean FORCE
