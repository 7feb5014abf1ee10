/**
 * The value of a promise in a page. Playwright's own waiting runs scripts in the page again and again, which costs a
 * page that is slowed down a tenth of a second: what is measured would take longer because it is measured.
 * @param {import('playwright-core').CDPSession} devtools
 * @param {string} promise an expression
 */
export async function awaitInPage(devtools, promise) {
  const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', {
    expression: promise,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  return result.value;
}
