/**
 * The process that tries a model version: it may run out of memory, hang, or crash without affecting anything else.
 * Started by check-version.ts, which limits it. Communicates only by messages.
 */
import { InvalidVersion } from '../repository/read-version.js';
import { checkFolder } from './check-folder.js';
import { exitWithParent } from './exit-with-parent.js';
import { InsufficientResources, RemoteNotReady } from './runtime-text.js';
import type { CheckerMessage, CheckerRequest } from './verdict.js';

function send(message: CheckerMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send!(message, undefined, undefined, () => resolve());
  });
}

exitWithParent();
process.once('message', (request: CheckerRequest) => {
  void checkFolder(request, (doing) => void send({ kind: 'step', doing }))
    .then((verdict): CheckerMessage => ({ kind: 'sound', verdict }))
    .catch((error: unknown): CheckerMessage => {
      if (error instanceof InvalidVersion)
        return {
          kind: 'unsound',
          reason: error.message,
          isTransient: error instanceof InsufficientResources || error instanceof RemoteNotReady,
          remote: error instanceof RemoteNotReady ? error.fault : undefined,
        };
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return {
        kind: 'unsound',
        reason: `the check itself failed (${text.split('\n')[0]}); see the log`,
        isTransient: true,
      };
    })
    .then(send)
    .finally(() => process.disconnect());
});
