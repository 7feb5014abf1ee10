import { describe, expect, it } from 'vitest';
import { cleanFileName } from './file-name.js';

describe('cleanFileName', () => {
  it.each([
    ['portrait.jpg', 'portrait.jpg'],
    ['Zoë  am\tStrand.jpeg', 'Zoë am Strand.jpeg'],
    ['C:\\Users\\me\\portrait.jpg', 'portrait.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['line\r\nbreak\u0000.png', 'line break.png'],
    // Displays as "photoexe.jpg" where the direction mark is honored.
    ['photo\u202Egpj.exe', 'photogpj.exe'],
    ['\uD800half.png', 'half.png'],
    ['👩‍👧.png', '👩‍👧.png'],
  ])('%j becomes %j', (sent, name) => {
    expect(cleanFileName(sent)).toBe(name);
  });

  it.each([undefined, '', '   ', '..', '/', 'blob', 'image', '\u0000\u200B'])('%j is not a name', (sent) => {
    expect(cleanFileName(sent)).toBeNull();
  });

  it('keeps the extension of a long name, and never splits a character', () => {
    const name = cleanFileName(`${'a'.repeat(250)}😀${'b'.repeat(50)}.jpeg`)!;
    expect(name).toBe(`${'a'.repeat(250)}.jpeg`);
    expect(cleanFileName('é'.repeat(300))).toHaveLength(255);
  });
});
