import { createServer } from 'node:http';

/** The service behind the gateway: it reads the request and always sends the same response, as large as the response to a credit. */
const responseBody = JSON.stringify({
  data: {
    transactionId: 'tr_01JCQ8Y3T5V7X9Z1B3D5F7H9K1',
    userId: 'usr_01JCQ8Y3T5V7X9Z1B3D5F7H9K1',
    currency: 'USD',
    available: '1250.00',
    reserved: '0.00',
    createdAt: '2026-01-31T12:00:00.123456Z',
  },
  meta: { requestId: '0b6f1f9c-3a35-4f0e-8a52-0f6d2a3c9b11', timestamp: '2026-01-31T12:00:00.123456Z' },
});
const headers = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', Buffer.byteLength(responseBody).toString()];
/** Longer than the keep-alive of every client, so that no request is sent on a connection that is being closed. */
const keepAliveTimeout = 75_000;

const server = createServer({ keepAliveTimeout }, (request, response) => {
  request.on('data', () => undefined);
  request.on('end', () => void response.writeHead(200, headers).end(responseBody));
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : undefined);
});
process.once('disconnect', () => process.exit());
