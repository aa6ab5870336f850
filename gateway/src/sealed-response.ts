import { z } from 'zod';
import { purposeKeys, sealing } from '@holdfast/kernel/secrets';

/** An answer of a service, in one piece. */
export type StoredResponse = {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
};

export type ResponseSealer = {
  /** `boundTo` names the record: a reply that was moved to another one does not open. */
  readonly seal: (reply: StoredResponse, boundTo: string) => Buffer;
  /** Undefined where it was sealed under another secret, or is not what was sealed. */
  readonly open: (sealed: Buffer, boundTo: string) => StoredResponse | undefined;
};

const purpose = 'idempotency replies';

const head = z.tuple([z.int(), z.array(z.string())]);

/**
 * Some replies carry secrets, new API keys for one. All of them are encrypted before they are stored, so that no route can be
 * forgotten. The key follows from the secret of the installation and is nowhere else.
 */
export function createResponseSealer(internalSecret: string): ResponseSealer {
  const { close, open } = sealing(purposeKeys(internalSecret)(purpose));
  return {
    seal: ({ status, headers, body }, boundTo) =>
      close(Buffer.concat([Buffer.from(`${JSON.stringify([status, headers])}\n`), body]), boundTo),
    open: (sealed, boundTo) => {
      try {
        return parsed(open(sealed, boundTo));
      } catch {
        return undefined;
      }
    },
  };
}

function parsed(text: Buffer): StoredResponse {
  const end = text.indexOf('\n');
  const [status, headers] = head.parse(JSON.parse(text.subarray(0, end).toString()));
  return { status, headers, body: text.subarray(end + 1) };
}
