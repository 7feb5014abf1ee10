/**
 * Puts text on the clipboard. Over plain HTTP (other than localhost) browsers offer no clipboard API; the old
 * command still works there.
 * @returns whether it is there now
 */
export async function copyText(text: string): Promise<boolean> {
  if ('clipboard' in navigator) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The person or the browser said no; the command below may still be allowed.
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('aria-hidden', 'true');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog, which holds the focus, the text must be a part of it.
  (document.querySelector('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
