import type { DemoAccount } from './demo-account.js';

/** The one line on standard output that says where the service is. Key and password are shown at first start only. */
export function readyLine(publicUrl: string, demo: DemoAccount | undefined): string {
  const parts = [`Ready: ${publicUrl}`, `docs ${publicUrl}/docs`];
  if (demo !== undefined) {
    parts.push(`demo key ${demo.key}`, `sign in as ${demo.email} with password ${demo.password}`);
  }
  return parts.join(' — ');
}
