import { setPriority } from 'node:os';
import { exitAfterRuns } from './inference/device/threads/exit-after-runs.js';
import { exitWithParent } from './models/check/exit-with-parent.js';
import { renderVersion, type VersionRenderRequest } from './worker/comparison/render-version.js';

/** Process priority (nice value), because jobs take precedence. */
const NICE = 10;

/** Runs one model version on a photo. A separate process, because the version may crash it or not fit beside others. */
exitWithParent();
setPriority(NICE);
process.once('message', (request: VersionRenderRequest) => {
  void renderVersion(request).then((answer) => process.send?.(answer, () => void exitAfterRuns(0)));
});
// After a disconnect, nothing waits for the result.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
