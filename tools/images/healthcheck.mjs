// The health check of an image, without curl: `node healthcheck.mjs [/livez|/readyz]` exits with 0 when the process responds with 200.
const timeoutMs = 4_000;
const [path = '/livez'] = process.argv.slice(2);
const url = `http://127.0.0.1:${process.env.METRICS_PORT}${path}`;

try {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (response.ok) process.exit(0);
  console.error(`${url} responded with ${response.status}: ${await response.text()}`);
} catch (error) {
  console.error(`${url}: ${String(error)}`);
}
process.exit(1);
