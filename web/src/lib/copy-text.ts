/**
 * Copies text to the clipboard. Over plain HTTP (other than localhost), browsers offer no clipboard API, but the old
 * command still works.
 * @returns whether the text was copied
 */
export async function copyText(text: string): Promise<boolean> {
  if ('clipboard' in navigator) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The user or the browser denied access. The command below may still be allowed.
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('aria-hidden', 'true');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog, which traps the focus, the element must be part of the dialog.
  (document.querySelector('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
