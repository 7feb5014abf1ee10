/** The promise, on a machine that has a core for each thread that wants to run. */
const LIMIT_MS = 5_000;
/** However busy the machine is, this is too long. */
const MOST_MS = 15_000;

/**
 * How long a job may wait after a kill. Where several threads want each core, everything takes that many times as long:
 * the supervisor's answer, the job that the other worker has in hand, and its next claim.
 * @param threadsPerCore mean number of threads that wanted each core meanwhile
 */
function resumeLimitMs(threadsPerCore) {
  return Math.round(Math.min(LIMIT_MS * Math.max(1, threadsPerCore), MOST_MS));
}

/** Jobs of a supervised worker that was killed are claimed again in time. */
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

/** For the report; empty where no recovery was measured. */
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
