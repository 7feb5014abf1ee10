// Runs before the first paint, so that a dark page never flashes white. A file of its own, since the
// Content-Security-Policy allows no inline scripts.
(function () {
  var scheme = 'auto';
  try {
    scheme = window.localStorage.getItem('mantine-color-scheme-value') || 'auto';
  } catch {
    // Storage may be forbidden; the system's choice serves then.
  }
  if (scheme !== 'light' && scheme !== 'dark') {
    scheme = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();
