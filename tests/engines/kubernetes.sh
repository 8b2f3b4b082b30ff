#!/usr/bin/env bash
# kubernetes.sh: the manifest of samples/recipes/shards against the schemas of Kubernetes' interface, as npm has
# them, and that a wrong one fails. Needs npm and the network. Nothing is run on a cluster.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund kubernetes-models@4.5.1 >npm.log 2>&1 || { cat npm.log >&2; exit 1; }
python3 - "$root/samples/recipes/shards/kubernetes.yaml" >jobs.json <<'PY'
import json, sys, yaml
json.dump(list(yaml.safe_load_all(open(sys.argv[1]))), sys.stdout)
PY
cat >validate.js <<'JS'
const { validate } = require("./node_modules/kubernetes-models/_schemas/IoK8sApiBatchV1Job.js");
const jobs = require("./jobs.json");
const faults = (job) => (validate(job) ? [] : validate.errors);
for (const job of jobs)
    if (job.apiVersion !== "batch/v1" || job.kind !== "Job" || faults(job).length)
        throw new Error(job.metadata.name + ": " + JSON.stringify(faults(job)));
const wrong = [(j) => (j.spec.completions = "many"), (j) => delete j.spec.template,
    (j) => delete j.spec.podFailurePolicy.rules[1].action, (j) => (j.spec.backoffLimitPerIndex = "3"),
    (j) => delete j.spec.template.spec.containers[0].name];
for (const change of wrong) {
    const job = structuredClone(jobs[0]);
    change(job);
    if (!faults(job).length) throw new Error("a wrong manifest is valid: " + change);
}
console.log(`kubernetes: ${jobs.length} jobs are valid, ${wrong.length} wrong ones are not`);
JS
node validate.js
