import type { DemoAccount } from './demo-account.js';

/** The line on standard output with the service's URL. It contains the key and password only at the first start. */
export function readyLine(publicUrl: string, demo: DemoAccount | undefined): string {
  const parts = [`Ready: ${publicUrl}`, `docs ${publicUrl}/docs`];
  if (demo !== undefined) {
    parts.push(`demo key ${demo.key}`, `sign in as ${demo.email} with password ${demo.password}`);
  }
  return parts.join(' — ');
}
