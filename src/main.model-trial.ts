import { exitAfterRuns } from './inference/device/threads/exit-after-runs.js';
import { exitWithParent } from './models/check/exit-with-parent.js';
import { type TrialRequest, runTrial } from './models/swap/trial.js';

/** Tries one model version and reports the verdict. A separate process, because the version may crash it. */
exitWithParent();
process.once('message', (order: TrialRequest) => {
  void runTrial(order).then(
    (fault) => process.send?.({ fault }, () => void exitAfterRuns(0)),
    (error: unknown) =>
      process.send?.({ fault: { reason: String(error), isTransient: true } }, () => void exitAfterRuns(0)),
  );
});
// After a disconnect, nothing waits for the verdict.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
