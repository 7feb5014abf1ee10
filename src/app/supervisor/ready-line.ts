/** The one line on standard output that says where the service is. The key is shown at first start only. */
export function readyLine(publicUrl: string, demoKey: string | undefined): string {
  const parts = [`Ready: ${publicUrl}`, `docs ${publicUrl}/docs`];
  if (demoKey !== undefined) parts.push(`demo key ${demoKey}`);
  return parts.join(' — ');
}
