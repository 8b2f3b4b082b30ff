#!/usr/bin/env bash
# slurmd.sh: a Slurm of one node, on the loopback interface, all of it in one folder; as root.
#
#   slurmd.sh start FOLDER    and export SLURM_CONF=FOLDER/slurm.conf
#   slurmd.sh stop FOLDER     its jobs, and then itself
set -euo pipefail
folder=$(realpath -m "$2")

start() {
    local host
    host=$(hostname -s)
    mkdir -p "$folder"/{munge,state,spool}
    chmod 755 "$folder" "$folder/munge"
    (umask 377 && head -c 128 /dev/urandom >"$folder/munge/key")
    # A job that is queued again waits for as long as a credential lives.
    cat >"$folder/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort=36817
SlurmdPort=36818
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MailProg=/bin/true
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
    munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
        --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" \
        --seed-file="$folder/munge/seed"
    export SLURM_CONF=$folder/slurm.conf
    slurmctld -f "$SLURM_CONF"
    slurmd -f "$SLURM_CONF" -N "$host"
    for _ in {1..120}; do
        if sinfo -h -o %T 2>/dev/null | grep -q idle; then return; fi
        sleep 0.5
    done
    echo "slurmd.sh: the node does not become idle; see $folder/*.log" >&2
    return 1
}

# end PID: and see that it has ended.
end() {
    kill "$1" || true
    for _ in {1..100}; do
        if ! kill -0 "$1" 2>/dev/null; then return; fi
        sleep 0.1
    done
    kill -KILL "$1"
}

stop() {
    local name
    SLURM_CONF=$folder/slurm.conf scancel --user=root || true
    for name in slurmd slurmctld munged; do
        if [[ -s $folder/$name.pid ]]; then end "$(<"$folder/$name.pid")"; fi
    done
}

"$1"
