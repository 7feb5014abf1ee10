/** Maximum time for a role to exit after it was told to. A role must never exit by itself. */
const DRAIN_LIMIT_MS = 45_000;

export function scratchIsEmpty({ final }) {
  return final.scratch.map((name) => `${name} was left in a scratch folder`);
}

export function noProcessIsLeft({ final }) {
  return final.processes.map(
    ({ pid, command }) => `process ${pid} outlived its role: ${command.slice(0, 200)}`,
  );
}

export function logsAreClean({ final }) {
  return final.log.map(({ file, line }) => `${file}: ${line}`);
}

/** Checks that only the nemesis ends processes. */
export function rolesStayUp({ processes }) {
  return processes
    .filter(({ event }) => event === 'ended-by-itself')
    .map(({ name, code, signal }) => `${name} ended by itself (${signal ?? `exit code ${code}`})`);
}

export function drainsEnd({ processes }) {
  return processes
    .filter(({ event, code, tookMs }) => event === 'drained' && (code !== 0 || tookMs > DRAIN_LIMIT_MS))
    .filter(({ code, signal }) => code !== null || signal !== null)
    .map(
      ({ name, code, signal, tookMs }) =>
        `${name} took ${tookMs} ms to drain and ended with ${signal ?? `code ${code}`}`,
    );
}
