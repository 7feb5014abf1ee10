import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { invocationOf } from './invocation.js';

describe('invocationOf', () => {
  it.each([
    ['scripts/admin.mjs', 'npm run admin --'],
    ['dist/main.admin.js', 'node dist/main.admin.js'],
    ['dist/main.models.js', 'npm run admin --'],
  ])('of %s is %s', (program, invocation) => {
    expect(invocationOf('admin', join(process.cwd(), program))).toBe(invocation);
  });

  it('names the whole path outside of the working directory', () => {
    expect(invocationOf('doctor', '/opt/service/dist/main.doctor.js')).toBe(
      'node /opt/service/dist/main.doctor.js',
    );
  });
});
