/**
 * The value of a promise in a page. Playwright's own waiting repeatedly runs scripts in the page, which costs a
 * throttled page a tenth of a second and would distort the measurement.
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
