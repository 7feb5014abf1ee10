import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAILS_PER_HOUR } from '../../../src/mail/mail-limits.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailsTo } from '../../support/mail/outbox.js';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

let people = 0;

/** Signs up and signs in with Chrome. */
async function newPerson(
  language = 'en',
): Promise<{ email: string; device: string; browser: DashboardClient }> {
  const browser = new DashboardClient(harness);
  const json = { email: `device-${(people += 1)}@example.org`, password: PASSWORD };
  const headers = { 'user-agent': CHROME, 'accept-language': language };
  expect((await browser.call('POST', '/sign-up', { json, headers })).status).toBe(202);
  const { device } = await signIn(json.email, headers, browser);
  return { email: json.email, device, browser };
}

/** @returns the device cookie that the browser keeps */
async function signIn(
  email: string,
  headers: Record<string, string>,
  browser = new DashboardClient(harness),
): Promise<{ device: string }> {
  const answer = await browser.call('POST', '/sign-in', { json: { email, password: PASSWORD }, headers });
  expect(answer.status, answer.text).toBe(200);
  const cookies = answer.headers['set-cookie'] as unknown as string[];
  const device = cookies.find((one) => one.startsWith('__Host-ies_device='))!;
  expect(device).toMatch(
    /^__Host-ies_device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  return { device: device.split(';', 1)[0]! };
}

const noticesTo = async (email: string) =>
  (await mailsTo(harness, email)).filter(({ kind }) => kind === 'new_sign_in');

describe('a sign-in', () => {
  it('from the browser that signed up is not reported, and neither is the next one', async () => {
    const { email } = await newPerson();
    await signIn(email, { 'user-agent': CHROME });
    expect(await noticesTo(email)).toEqual([]);
  });

  it('from another browser is reported once, with browser, system, time and address', async () => {
    const { email } = await newPerson();
    await signIn(email, { 'user-agent': FIREFOX });
    await signIn(email, { 'user-agent': FIREFOX });
    const [mail, ...others] = await noticesTo(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: 'New sign-in to your account' });
    expect(mail!.text).toMatch(
      /Time: \w+ \d+, \d{4} at .* UTC\nDevice: Firefox \(Windows\)\nIP address: 127\.0\.0\.1\n/,
    );
    expect(mail!.text).toContain('https://images.example/base/forgot-password');
  });

  it('from a known browser is recognized by its cookie, whatever its user agent', async () => {
    const { email, device } = await newPerson();
    await signIn(email, { 'user-agent': 'Renamed/1.0', cookie: device });
    expect(await noticesTo(email)).toEqual([]);
    // The cookie of one user says nothing about another.
    const other = await newPerson();
    await signIn(other.email, { 'user-agent': 'Renamed/2.0', cookie: device });
    expect(await noticesTo(other.email)).toHaveLength(1);
  });

  it('is reported in the language of the user, whatever the client asks for', async () => {
    const { email } = await newPerson('de');
    await signIn(email, { 'user-agent': FIREFOX, 'accept-language': 'en' });
    expect(await noticesTo(email)).toMatchObject([{ subject: 'Neue Anmeldung bei Ihrem Konto' }]);
  });

  it('with a wrong password is not reported', async () => {
    const { email } = await newPerson();
    const json = { email, password: 'a wrong password for this' };
    const answer = await new DashboardClient(harness).call('POST', '/sign-in', {
      json,
      headers: { 'user-agent': FIREFOX },
    });
    expect(answer.status).toBe(401);
    expect(await noticesTo(email)).toEqual([]);
  });

  it('from one new device is reported once, even for ten concurrent sign-ins', async () => {
    const { email } = await newPerson();
    await Promise.all(Array.from({ length: 10 }, () => signIn(email, { 'user-agent': FIREFOX })));
    expect(await noticesTo(email)).toHaveLength(1);
  });

  it('from many new devices is reported up to a limit, so that nobody is flooded', async () => {
    const { email } = await newPerson();
    for (let index = 0; index < MAILS_PER_HOUR.new_sign_in + 3; index += 1)
      await signIn(email, { 'user-agent': `Robot${String.fromCodePoint(97 + index)}/1.0` });
    expect(await noticesTo(email)).toHaveLength(MAILS_PER_HOUR.new_sign_in);
  });
});

describe('the notification settings', () => {
  it('have every notice enabled, in the language of the sign-in', async () => {
    const { browser } = await newPerson('de');
    const { status, body } = await browser.call('GET', '/notifications');
    expect({ status, body: body as unknown }).toEqual({
      status: 200,
      body: { language: 'de', quota: true, webhooks: true },
    });
  });

  it('keep the values that a change does not include', async () => {
    const { browser } = await newPerson();
    await browser.call('PATCH', '/notifications', { json: { quota: false } });
    const { status, body } = await browser.call('PATCH', '/notifications', { json: { language: 'de' } });
    expect({ status, body: body as unknown }).toEqual({
      status: 200,
      body: { language: 'de', quota: false, webhooks: true },
    });
    expect((await browser.call('GET', '/notifications')).body).toEqual(body);
  });

  it.each([{ quota: 'no' }, { language: 'fr' }, { security: false }])('refuse %j', async (json) => {
    const { browser } = await newPerson();
    expect((await browser.call('PATCH', '/notifications', { json })).status).toBe(400);
  });

  it('are deleted with the account, as are its known devices', async () => {
    const { browser, email } = await newPerson();
    await browser.call('PATCH', '/notifications', { json: { quota: false } });
    const gone = await browser.call('POST', '/account/delete', {
      json: { password: PASSWORD, confirmation: email },
    });
    expect(gone.status, gone.text).toBe(204);
    for (const table of ['notification_settings', 'known_devices'])
      expect(
        await harness.rows(`SELECT FROM ${table} WHERE user_id NOT IN (SELECT id FROM accounts)`),
        table,
      ).toEqual([]);
  });
});
