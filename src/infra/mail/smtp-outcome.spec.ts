import { describe, expect, it } from 'vitest';
import { smtpFailure } from './smtp-outcome.js';

const answered = (responseCode: number, command: string, code = 'EENVELOPE') =>
  Object.assign(new Error('failed'), { responseCode, response: `${responseCode} no`, command, code });

describe('smtpFailure', () => {
  it.each([
    ['an unknown recipient', answered(550, 'RCPT TO'), 'refused'],
    ['a message that the server will not take', answered(554, 'DATA', 'EMESSAGE'), 'refused'],
    ['a full mailbox', answered(452, 'RCPT TO'), 'deferred'],
    ['a busy server', answered(421, 'CONN', 'ECONNECTION'), 'deferred'],
    ['a wrong password of ours', answered(535, 'AUTH PLAIN', 'EAUTH'), 'deferred'],
    ['a server that wants us to sign in', answered(530, 'RCPT TO'), 'deferred'],
    ['a sender that the server does not accept', answered(553, 'MAIL FROM'), 'deferred'],
    ['a server that is closed', answered(554, 'CONN', 'EPROTOCOL'), 'deferred'],
    ['no connection', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET' }), 'unanswered'],
    [
      'an address that cannot be sent',
      Object.assign(new Error('Invalid recipient'), { code: 'EENVELOPE', command: 'API' }),
      'refused',
    ],
  ])('of %s', (_, error, end) => {
    expect(smtpFailure(error, 'ada@example.org').end).toBe(end);
  });

  it.each([
    ['550 <ada@example.org>\r\nunknown', '550 <…> unknown'],
    ['550 <Ada@Example.ORG> unknown', '550 <…> unknown'],
    ['550 ada@xn--bcher-kva.example: unknown', '550 … unknown'],
    ['550 (rcpt=ada@example.org) unknown', '550 … unknown'],
    ['553 <mail@images.example> may not send', '553 <mail@images.example> may not send'],
  ])('does not reveal the recipient: %j', (response, text) => {
    const error = Object.assign(answered(550, 'RCPT TO'), { response });
    expect(smtpFailure(error, 'ADA@bücher.example').text).toBe(text);
  });
});
