/** The guarantee on a machine with a core for each runnable thread. */
const LIMIT_MS = 5_000;
/** Upper limit, regardless of the load of the machine. */
const MAX_MS = 15_000;

/**
 * Maximum wait of a job after a kill. Where several threads compete for each core, everything takes that many times as
 * long: the supervisor's reaction, the current job of the other worker, and its next claim.
 * @param threadsPerCore mean number of runnable threads per core in the meantime
 */
function resumeLimitMs(threadsPerCore) {
  return Math.round(Math.min(LIMIT_MS * Math.max(1, threadsPerCore), MAX_MS));
}

/** Checks that the jobs of a killed supervised worker are claimed again in time. */
export function workResumes({ recoveries }) {
  return recoveries
    .filter(({ jobs }) => jobs !== undefined)
    .flatMap(({ number, jobs, threadsPerCore }) => {
      const limitMs = resumeLimitMs(threadsPerCore);
      return Object.entries(jobs)
        .filter(([, waitedMs]) => waitedMs === null || waitedMs > limitMs)
        .map(
          ([id, waitedMs]) =>
            `${id} was claimed ${waitedMs === null ? 'by nobody' : `${waitedMs} ms`} after kill ${number}; the limit is ${limitMs} ms (${threadsPerCore} threads for each core)`,
        );
    });
}

/** Figures for the report; empty if no recovery was measured. */
export function recoveryFigures({ recoveries }) {
  if (recoveries.length === 0) return {};
  const measured = recoveries.filter(({ jobs }) => jobs !== undefined);
  const times = measured
    .flatMap(({ jobs }) => Object.values(jobs))
    .filter((ms) => ms !== null)
    .toSorted((left, right) => left - right);
  return {
    timedKills: measured.length,
    resumedJobs: times.length,
    resumeP50Ms: times[Math.ceil(times.length / 2) - 1] ?? 'none',
    resumeMaxMs: times.at(-1) ?? 'none',
    resumeThreadsPerCore: Math.max(0, ...measured.map(({ threadsPerCore }) => threadsPerCore)),
  };
}
