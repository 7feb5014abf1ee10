import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, startHarness } from '../../support/app/harness.js';
import { CuttableProxy } from '../../support/network/cuttable-proxy.js';
import { TestOpenIdProvider } from '../../support/network/openid-provider.js';
import { newProviderUser, OidcBrowser } from '../../support/sign-in/oidc-browser.js';

let provider: TestOpenIdProvider;
let proxy: CuttableProxy;
let harness: Harness;
beforeAll(async () => {
  provider = await TestOpenIdProvider.start();
  provider.serve(PUBLIC_URL);
  harness = await startHarness({
    env: provider.env,
    databaseUrl: async (real) => {
      proxy = await CuttableProxy.start(real);
      return proxy.urlOf(real);
    },
  });
});
afterAll(async () => {
  await harness?.close();
  await proxy?.close();
  await provider?.close();
});

describe('while the database is unreachable', () => {
  it('a sign-in with the provider leads to an error page, and continues afterward', async () => {
    const browser = new OidcBrowser(harness);
    const address = await browser.signInAtProvider(await browser.begin(), newProviderUser(provider));
    await proxy.cut();
    expect(await browser.begin()).toBe(`${PUBLIC_URL}/sign-in?fault=service_unavailable&next=%2Fkeys`);
    expect(await browser.comeBack(address)).toBe('/sign-in?fault=service_unavailable');
    await proxy.mend();
    expect(await browser.comeBack(address)).toBe('/keys');
    expect(await browser.account()).not.toBeNull();
  });
});
