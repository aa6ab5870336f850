import type { IncomingMessage } from 'node:http';
import { AppError } from '@holdfast/kernel/errors';
import type { Middleware } from './express-app.js';

export type BodyLimits = {
  readonly bytesMax: number;
  /** A body that is too large is read and discarded up to this size, so that the client can read the response. */
  readonly drainBytesMax: number;
  readonly timeoutMs: number;
};

export const bodyLimits: BodyLimits = { bytesMax: 256 * 1024, drainBytesMax: 1024 * 1024, timeoutMs: 10_000 };

/** The client disconnected before its request was complete, so there is no response. */
export class ClientDisconnectedError extends Error {
  constructor() {
    super('the client disconnected before its request was complete');
    this.name = 'ClientDisconnectedError';
  }
}

const emptyBody = Buffer.alloc(0);

/** Sets `res.locals.body` to the raw bytes. Compressed bodies are 415, too large ones 413. */
export function rawBody(limits: BodyLimits = bodyLimits): Middleware {
  return async (request, response, next) => {
    if (hasBody(request)) refuseEncoding(request);
    try {
      response.locals.body = hasBody(request) ? await readBody(request, limits) : emptyBody;
    } catch (error) {
      if (!request.complete) response.setHeader('Connection', 'close');
      throw error;
    }
    next();
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

function refuseEncoding({ headers }: IncomingMessage): void {
  const { 'content-encoding': contentEncoding = 'identity' } = headers;
  if (contentEncoding.toLowerCase() === 'identity') return;
  const message = 'Compressed bodies are not accepted: send the body without Content-Encoding.';
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', { contentEncoding }, { message });
}

function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (result: Buffer | Error): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onDisconnect).off('close', onDisconnect);
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= limits.bytesMax) chunks.push(chunk);
      if (bytes > limits.drainBytesMax) finish(tooLarge(limits));
    };
    const onEnd = (): void => finish(bytes > limits.bytesMax ? tooLarge(limits) : Buffer.concat(chunks));
    const onDisconnect = (): void => finish(new ClientDisconnectedError());
    const timer = setTimeout(() => finish(tooSlow(limits)), limits.timeoutMs);
    request.on('data', onData).on('end', onEnd).on('error', onDisconnect).on('close', onDisconnect);
  });
}

function tooLarge(limits: BodyLimits): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { bytesMax: limits.bytesMax });
}

function tooSlow(limits: BodyLimits): AppError {
  return new AppError('VALIDATION_ERROR', {
    validationErrors: [`the body did not arrive within ${limits.timeoutMs / 1_000} seconds`],
  });
}
