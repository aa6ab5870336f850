import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/index.js';
import type { ServedRequest } from './served.js';

export type BodyLimits = {
  readonly bytesMax: number;
  /** What is too large is read to its end up to here, so that the sender gets to see the answer. */
  readonly drainBytesMax: number;
  readonly timeoutMs: number;
};

export const bodyLimits: BodyLimits = { bytesMax: 256 * 1024, drainBytesMax: 1024 * 1024, timeoutMs: 10_000 };

/** The sender went away before its request was complete: there is nobody to answer. */
export class SenderLeftError extends Error {
  constructor() {
    super('the sender left before its request was complete');
    this.name = 'SenderLeftError';
  }
}

const nothing = Buffer.alloc(0);

/** Whether bytes follow the headers at all. Saves the listeners where none do. */
function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** The raw bytes of a request within the limits. */
export function readBody(request: ServedRequest, limits: BodyLimits = bodyLimits): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(nothing);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (result: Buffer | Error): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= limits.bytesMax) chunks.push(chunk);
      if (bytes > limits.drainBytesMax) finish(tooLarge(limits));
    };
    const onEnd = (): void => finish(bytes > limits.bytesMax ? tooLarge(limits) : joined(chunks));
    const onGone = (): void => finish(new SenderLeftError());
    const timer = setTimeout(() => finish(tooSlow(limits)), limits.timeoutMs);
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

function tooLarge(limits: BodyLimits): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { bytesMax: limits.bytesMax });
}

function tooSlow(limits: BodyLimits): AppError {
  return new AppError('VALIDATION_ERROR', {
    validationErrors: [`the body did not arrive within ${limits.timeoutMs / 1_000} seconds`],
  });
}
