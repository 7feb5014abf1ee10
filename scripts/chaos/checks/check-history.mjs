import { deletionsStay, keysNameOneJob, keysNameOneUpload, resultsStay } from './answers-stay.mjs';
import { arrivalsAreGenuine, eventsAreDelivered, eventsMatchSubjects } from './events-arrive.mjs';
import { factsOf } from './facts.mjs';
import { endsAreFinal, jobsEndOnce, noJobFromNothing } from './jobs-end-once.mjs';
import { drainsEnd, logsAreClean, noProcessIsLeft, rolesStayUp, scratchIsEmpty } from './nothing-left.mjs';
import {
  ledgerMatchesJobs,
  objectsMatchRows,
  storageMatchesRows,
  uploadsAreKept,
  usedMatchesLedger,
} from './quota-adds-up.mjs';
import { recoveryFigures, workResumes } from './work-resumes.mjs';

/** Every guarantee that is checked, by the name that reports use for it. */
export const CHECKS = {
  'every accepted job ends, and fails only for a reason of its own': jobsEndOnce,
  'an end that a client was told is final': endsAreFinal,
  'one idempotency key is one job': keysNameOneJob,
  'one idempotency key is one upload': keysNameOneUpload,
  'no job without a request': noJobFromNothing,
  'what was deleted stays deleted': deletionsStay,
  'a result that was read stays as it was': resultsStay,
  'every accepted upload is kept': uploadsAreKept,
  'the ledger says of each job how it ended, once': ledgerMatchesJobs,
  'used enhancements are what the ledger adds up to': usedMatchesLedger,
  'the storage counter is the sum of the rows': storageMatchesRows,
  'the disk holds the objects of the rows': objectsMatchRows,
  'each job and upload has its events, once': eventsMatchSubjects,
  'each event is delivered, and recorded once': eventsAreDelivered,
  'what arrives is signed, recorded and addressed rightly': arrivalsAreGenuine,
  'scratch folders are empty': scratchIsEmpty,
  'no process is left': noProcessIsLeft,
  'logs hold no uncaught error': logsAreClean,
  'no process ends by itself': rolesStayUp,
  'each process drains in time': drainsEnd,
  'jobs of a killed worker go on in time under the supervisor': workResumes,
};

/**
 * Checks a history.
 * @returns {{ violations: { promise: string, found: string[] }[], figures: object }}
 */
export function checkHistory(entries) {
  const facts = factsOf(entries);
  if (facts.final === undefined) {
    return {
      violations: [{ promise: 'the run came to its end', found: ['there is no final state'] }],
      figures: {},
    };
  }
  const violations = Object.entries(CHECKS)
    .map(([promise, check]) => ({ promise, found: check(facts) }))
    .filter(({ found }) => found.length > 0);
  return { violations, figures: figuresOf(facts) };
}

function figuresOf({ ops, acknowledged, received, recoveries, faults, final }) {
  const count = (list, isWanted) => list.filter(isWanted).length;
  return {
    faults: count(faults, ({ phase }) => phase === 'begin'),
    skippedFaults: count(faults, ({ phase }) => phase === 'skipped'),
    requests: count(ops, ({ phase }) => phase === 'begin'),
    acknowledged: acknowledged.length,
    repeatedRequests: repeatedRequests(ops),
    resultsReadAgain: count(acknowledged, ({ op }) => op === 'read-again'),
    uploads: final.sources.length,
    jobs: final.jobs.length,
    completed: count(final.jobs, ({ status }) => status === 'completed'),
    failed: count(final.jobs, ({ status }) => status === 'failed'),
    severalAttempts: count(final.jobs, ({ attempts }) => attempts > 1),
    returned: count(final.jobs, ({ machine_faults: returns }) => returns > 0),
    events: final.events.length,
    arrivals: received.length,
    ...recoveryFigures({ recoveries }),
  };
}

/** The number of requests that reused an earlier key. */
function repeatedRequests(ops) {
  const keyed = ops.filter(({ phase, key }) => phase === 'begin' && key !== undefined);
  return keyed.length - new Set(keyed.map(({ key }) => key)).size;
}
