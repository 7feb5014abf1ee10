import { spawnSync } from 'node:child_process';

/** Arguments of `unshare` that run a program as another container does: with process ids of its own. */
export const OTHER_CONTAINER = ['--pid', '--fork', '--mount-proc'];

/** False where process namespaces need root. */
export const canUnshare = spawnSync('unshare', [...OTHER_CONTAINER, 'true']).status === 0;
