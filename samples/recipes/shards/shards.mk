# shards.mk: a run as targets of make.
#
#   make -f shards.mk -j 4 SHARDS=16 OUT=out RUN='-p detection -i images -a annotations.json'
#
# RUN is a list of options of `lockstep run`, quoted as for a shell. Finished shards are noted in
# OUT.shards/, so that another call of make runs only the others. A shard that was killed resumes.
# A shard that skipped images (code 1) is finished: the merge prints how many images were skipped in
# total, and ends with 1.
SHARDS ?= 8
RUN    ?= $(error RUN: options of lockstep run)
OUT    ?= $(error OUT: the output folder)

DONE := $(patsubst %,$(OUT).shards/%.done,$(shell seq 0 $$(($(SHARDS) - 1))))

$(OUT).shards/merged: $(DONE)
	lockstep merge '$(OUT)'
	touch $@

$(DONE): $(OUT).shards/%.done: | $(OUT).shards
	lockstep run --resume --shard $*/$(SHARDS) --jobs 1 --progress none -o '$(OUT)' $(RUN) || [ $$? -eq 1 ]
	touch $@

$(OUT).shards:
	mkdir -p $@

.DELETE_ON_ERROR:
