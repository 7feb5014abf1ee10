import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { systemUser } from './system-user.js';

describe('systemUser', () => {
  it('is the name of the user', () => {
    expect(systemUser()).toBe(userInfo().username);
  });

  it('is the id of a user without a name', () => {
    const info = (): never => {
      throw new Error(
        'A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)',
      );
    };
    expect(systemUser(info)).toBe(`uid:${process.getuid!()}`);
  });
});
