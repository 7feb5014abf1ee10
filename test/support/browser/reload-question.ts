import type { Page } from 'playwright-core';

/** Reloads the page, and stays on it. @returns the kind of the browser's question, or null if the page was reloaded */
export async function reloadQuestion(page: Page): Promise<string | null> {
  const question = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      void dialog.dismiss().then(() => resolve(dialog.type()));
    });
  });
  const reloaded = page.waitForEvent('load', { timeout: 0 }).then(
    () => null,
    () => null,
  );
  await page.evaluate(() => void setTimeout(() => location.reload()));
  return Promise.race([question, reloaded]);
}
