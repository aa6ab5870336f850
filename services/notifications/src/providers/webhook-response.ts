import type { Readable } from 'node:stream';

/**
 * Reads at most so many bytes; when there are more, the rest is not read and the connection is closed. A body that breaks off is
 * returned as far as it came: the status has decided already, and the body is for the log.
 */
export function readBeginning(body: Readable, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax) body.destroy();
    });
    body.on('error', () => undefined); // followed by `close`
    body.on('close', () => resolve(storableText(Buffer.concat(chunks).subarray(0, bytesMax))));
  });
}

/** A character that the cut divides is left out. Postgres has no text with U+0000. */
function storableText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
}

const digits = /^\d{1,9}$/;
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The header `Retry-After`, which has seconds or a date. Null if it is neither. */
export function retryAfterSeconds(header: string | readonly string[] | undefined, epochMs: number): number | null {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  if (digits.test(text)) return Number(text);
  if (!httpDate.test(text)) return null;
  const until = Date.parse(text);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - epochMs) / 1_000));
}
