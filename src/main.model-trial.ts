import { exitAfterRuns } from './inference/device/threads/exit-after-runs.js';
import { exitWithParent } from './models/check/exit-with-parent.js';
import { type TrialRequest, runTrial } from './models/swap/trial.js';

/** Tries one model version and says how it went: a process of its own, since what it tries may crash it. */
exitWithParent();
process.once('message', (order: TrialRequest) => {
  void runTrial(order).then(
    (fault) => process.send?.({ fault }, () => void exitAfterRuns(0)),
    (error: unknown) =>
      process.send?.({ fault: { reason: String(error), isTransient: true } }, () => void exitAfterRuns(0)),
  );
});
// Nobody waits for the verdict any more.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
