import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureFlowBuild } from '../../support/roles/flow-build.js';
import { checkVersion } from '../../../src/models/check/check-version.js';

describe('checkVersion', () => {
  const { platform, execPath } = process;
  beforeEach(async () => {
    await ensureFlowBuild();
    // Without a shell in between, as on macOS: Node.js was upgraded, so its old path is gone while the service runs.
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    process.execPath = '/nowhere/node';
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    Object.defineProperty(process, 'platform', { value: platform });
    process.execPath = execPath;
  });

  it('leaves no timer behind when its process cannot be started', async () => {
    await expect(checkVersion('models/upscale/1')).rejects.toThrow('spawn /nowhere/node ENOENT');
    expect(vi.getTimerCount()).toBe(0);
  });
});
