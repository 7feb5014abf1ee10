import { describe, expect, it } from 'vitest';
import { mailbox } from './mailbox.js';

const { read } = mailbox('SMTP_FROM', { text: '', defaultText: 'none' });

describe('mailbox', () => {
  it.each([
    ['mail@example.com', { name: '', address: 'mail@example.com' }],
    [' mail@localhost ', { name: '', address: 'mail@localhost' }],
    [
      'Image Enhancement <no-reply@mail.example>',
      { name: 'Image Enhancement', address: 'no-reply@mail.example' },
    ],
    ['"Images, Inc." <a@b.example>', { name: 'Images, Inc.', address: 'a@b.example' }],
    ['<a@b.example>', { name: '', address: 'a@b.example' }],
    [undefined, undefined],
    [' ', undefined],
  ])('reads %j', (raw, expected) => {
    expect(read(raw)).toEqual(expected);
  });

  it.each([
    'mail',
    'a@b@c',
    'Name a@b.example',
    'Name <a@b.example',
    'a\r\nBcc: x@y.example',
    'Ä <ä@b.example>',
  ])('refuses %j', (raw) => {
    expect(() => read(raw)).toThrow(/^must be mail@example.com or Name <mail@example.com>/);
  });
});
