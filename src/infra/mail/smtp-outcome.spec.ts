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
    ['554 5.7.1 <ada@example.org>: Relay access denied', 'deferred'],
    ['553 5.7.1 <mail@images.example>: Sender address rejected: not owned by user', 'deferred'],
    ['554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied', 'deferred'],
    ['550-5.7.26 This mail has been blocked because the sender is unauthenticated.', 'deferred'],
    ['550 5.1.7 <mail@images>: Sender address rejected', 'deferred'],
    ['550 5.1.8 <mail@images.example>: Sender address rejected: Domain not found', 'deferred'],
    ['550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown', 'refused'],
    ['552 5.3.4 Message size exceeds fixed limit', 'refused'],
    ['550 mailbox of 5.7.1 is unavailable', 'refused'],
  ])('of %j in response to RCPT TO: %s', (response, end) => {
    const error = Object.assign(answered(Number(response.slice(0, 3)), 'RCPT TO'), { response });
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
