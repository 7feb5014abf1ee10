import { describe, expect, it } from 'vitest';
import { fileSystemName } from './file-system-name.js';

describe('fileSystemName', () => {
  it('replaces characters that have a meaning in file systems', () => {
    expect(fileSystemName('a/b\\c:d*e?f"g<h>i|j\u0000.png')).toBe('a_b_c_d_e_f_g_h_i_j_.png');
  });

  it.each(['CON.final-enhanced.png', 'aux.1-upscaled.jpg', 'Nul .x.png', 'com1.a.png', 'lpt³.b.png'])(
    'does not name a device of Windows: %s',
    (name) => {
      expect(fileSystemName(name)).toBe(`_${name}`);
    },
  );

  it.each(['con-enhanced.png', 'console.a.png', 'com.a.png', '0003-CON.x.png', 'x.con.png'])(
    'keeps %s',
    (name) => {
      expect(fileSystemName(name)).toBe(name);
    },
  );
});
