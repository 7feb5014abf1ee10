import { type TrialOrder, tryVersion } from './app/worker/models/trial.js';

/** Tries one model version and says how it went: a process of its own, since what it tries may crash it. */
process.once('message', (order: TrialOrder) => {
  void tryVersion(order).then(
    (reason) => process.send?.({ reason }, () => process.exit(0)),
    (error: unknown) => process.send?.({ reason: String(error) }, () => process.exit(0)),
  );
});
process.once('disconnect', () => process.exit(0));
