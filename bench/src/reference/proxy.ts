import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'undici';

/**
 * A bare proxy to compare with: it forwards requests over keep-alive connections and returns the responses. It has no routes, no
 * callers, no limits and no log.
 */
const [origin = ''] = process.argv.slice(2);
const connectionsMax = 128;
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length']);
const pool = new Pool(origin, { connections: connectionsMax });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => forward(request, response, Buffer.concat(chunks)));
});

function forward(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const headers = request.rawHeaders.filter((_, index, all) => !ofConnection.has((all[index - (index % 2)] ?? '').toLowerCase()));
  pool.dispatch(
    { method: request.method ?? 'GET', path: request.url ?? '/', headers, body },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, received) => void response.writeHead(status, received),
      onResponseData: (_controller, chunk) => void response.write(chunk),
      onResponseEnd: () => void response.end(),
      onResponseError: () => void response.destroy(),
    },
  );
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : undefined);
});
process.once('disconnect', () => process.exit());
