import { describe, expect, it } from 'vitest';
import { deviceThreadUrl } from './device-thread-url.js';

describe('deviceThreadUrl', () => {
  it('is the compiled entry, even from the source', () => {
    const fromSource = deviceThreadUrl();
    expect(fromSource.pathname).toMatch(/\/dist\/inference\/device\/threads\/device-thread\.js$/);
    expect(deviceThreadUrl(new URL('./device-thread-url.js', fromSource).href)).toEqual(fromSource);
  });

  it('says that a build is missing', () => {
    expect(() => deviceThreadUrl('file:///nowhere/dist/x.js')).toThrow('run "npm run build" first');
  });
});
