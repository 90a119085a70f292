/**
 * The two scripts between this process and a command, in plain POSIX sh. The leader runs the command in a process group
 * of its own, and only after it receives a line. The watcher is outside of that group and waits until the pipe from us
 * closes, for any reason: then it ends everything that the command started. Neither needs this process to be alive.
 */

/**
 * `$1` is the shell, `$2` the command. Descriptor 3 is a socket to us: one line in, the exit code out. The output goes
 * through `cat`, because a command may open /dev/stdout again, which a socket refuses; `cat` survives a SIGTERM so that
 * earlier output still arrives.
 */
export const leaderScript = `
IFS= read -r go <&3 || exit 125
{ "$1" -c "$2" 2>&1 3>&-; echo "$?" >&3; } | (trap '' HUP INT TERM; exec cat 3>&-)
`;

/**
 * `$1` is the process group, `$2` a mark in the environment of all descendants. It finds: the group, every process with
 * the mark (also in a session of its own), the children of all these, and the processes of an earlier scan (by id and
 * start time, since ids are reused). Without /proc the mark cannot be read, and the rest is found with ps. The exit code
 * reports whether all have ended.
 */
export const watcherScript = `
trap '' HUP INT TERM
exec 2>/dev/null
while IFS= read -r line; do :; done
group=$1
mark=$2
found=
rows() {
  if [ -r /proc/self/stat ]; then
    grep -lsF -e "$mark" /proc/[0-9]*/environ
    cat /proc/[0-9]*/stat
  else
    ps -A -o pid= -o ppid= -o pgid= -o stat=
  fi
}
look() {
  living=$(rows | awk -v group="$group" -v found="$found" '
    /^\\/proc\\// { split($0, part, "/"); ours[part[3]] = 1; next }
    {
      pid = $1
      rest = $0
      if (sub(/.*[)] /, "", rest)) {
        split(rest, field, " ")
        state = field[1]; parent[pid] = field[2]; leader = field[3]; born[pid] = field[20]
      } else {
        parent[pid] = $2; leader = $3; state = $4; born[pid] = ""
      }
      if (leader == group) ours[pid] = 1
      if (state !~ /^Z/) alive[pid] = 1
    }
    END {
      count = split(found, tokens, " ")
      for (i = 1; i <= count; i++) {
        split(tokens[i], token, ":")
        if (token[1] in born && born[token[1]] == token[2]) ours[token[1]] = 1
      }
      do {
        grew = 0
        for (pid in parent) if (!(pid in ours) && (parent[pid] in ours)) { ours[pid] = 1; grew = 1 }
      } while (grew)
      for (pid in alive) if (pid in ours) printf "%s:%s ", pid, born[pid]
    }')
  found="$found $living"
}
strike() {
  kill -s "$1" -- "-$group"
  for token in $living; do kill -s "$1" "\${token%%:*}"; done
}
look
if [ -n "$living" ]; then
  strike TERM
  for pause in 1 2 3 4 5 6 7; do
    sleep 0.025 || sleep 1
    look
    [ -n "$living" ] || break
  done
  round=0
  while [ -n "$living" ] && [ "$round" -lt 100 ]; do
    strike KILL
    sleep 0.01 || sleep 1
    look
    round=$((round + 1))
  done
fi
[ -z "$living" ]
`;
