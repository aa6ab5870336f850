import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { PreparedResponse } from './envelopes.js';
import { ClientDisconnectedError } from './read-body.js';
import { send } from './send.js';

/** A client that reads slower than this loses its connection, so that it holds no place for ever. */
const downloadMsMax = 600_000;

/**
 * Sends the chunks as fast as the client reads them. A fault before the first chunk is an ordinary error response; after it, the connection
 * is broken, so that the client sees that the file is not whole. The source is ended in every case.
 */
export async function sendDownload(
  response: Response,
  prepared: Omit<PreparedResponse, 'chunks'>,
  chunks: AsyncIterable<string>,
): Promise<void> {
  if (response.req.method === 'HEAD') {
    send(response, prepared);
    return;
  }
  const source = Readable.from(chunks);
  await once(source, 'readable');
  response.status(prepared.status).set({ ...prepared.headers, 'Content-Type': prepared.contentType });
  try {
    await pipeline(source, response, { signal: AbortSignal.timeout(downloadMsMax) });
  } catch (error) {
    throw isOfClient(error) ? new ClientDisconnectedError() : error;
  }
}

/** The client has disconnected, or is too slow. */
const codesOfClient = [
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  'ABORT_ERR',
];

function isOfClient(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codesOfClient.includes(String(error.code));
}
