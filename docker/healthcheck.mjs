// `node healthcheck.mjs <variable of its port> <default port>`: exits 0 when the role in this container is ready.
const [variable, standard] = process.argv.slice(2);
const port = process.env[variable] || standard;

try {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
    signal: AbortSignal.timeout(4_000),
  });
  await response.body?.cancel();
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
