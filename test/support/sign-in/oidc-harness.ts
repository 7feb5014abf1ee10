import { type Harness, PUBLIC_URL, startHarness } from '../app/harness.js';
import { TestOpenIdProvider } from '../network/openid-provider.js';

/** An application, and the real provider that its users sign in with. */
export interface OidcHarness {
  readonly provider: TestOpenIdProvider;
  readonly harness: Harness;
  readonly close: () => Promise<void>;
}

export async function startOidcHarness(env: Readonly<Record<string, string>> = {}): Promise<OidcHarness> {
  const provider = await TestOpenIdProvider.start();
  provider.serve(PUBLIC_URL);
  const harness = await startHarness({
    env: { ...provider.env, SIGN_IN_ATTEMPTS_PER_MINUTE: '1000', SIGN_UPS_PER_MINUTE: '1000', ...env },
  });
  return {
    provider,
    harness,
    close: async () => {
      await harness.close();
      await provider.close();
    },
  };
}
