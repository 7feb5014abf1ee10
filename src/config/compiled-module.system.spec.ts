import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compiledModule } from './compiled-module.js';

const THREAD = 'inference/device/threads/device-thread.js';

describe('compiledModule', () => {
  it('is in dist, even from the source', () => {
    const fromSource = compiledModule(THREAD);
    expect(fromSource).toMatch(/\/dist\/inference\/device\/threads\/device-thread\.js$/);
    const own = pathToFileURL(compiledModule('config/compiled-module.js')).href;
    expect(compiledModule(THREAD, own)).toBe(fromSource);
  });

  it('says that a build is missing', () => {
    expect(() => compiledModule(THREAD, 'file:///nowhere/dist/config/x.js')).toThrow(
      '/nowhere/dist/inference/device/threads/device-thread.js is missing; run "npm run build" first.',
    );
  });
});
