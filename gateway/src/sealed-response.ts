import { z } from 'zod';
import { purposeKeys, sealing } from '@holdfast/kernel/secrets';

/** The whole response of a service. */
export type StoredResponse = {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: Buffer;
};

export type ResponseSealer = {
  /** `boundTo` names the record: a response that was copied to another record does not decrypt. */
  readonly seal: (response: StoredResponse, boundTo: string) => Buffer;
  /** Undefined if it was altered, or encrypted with another secret. */
  readonly open: (sealed: Buffer, boundTo: string) => StoredResponse | undefined;
};

const purpose = 'idempotency replies';

const head = z.tuple([z.int(), z.array(z.string())]);

/**
 * Some responses contain secrets, such as new API keys. All responses are encrypted before they are stored, so that no route can
 * be missed. The key is derived from INTERNAL_SECRET and stored nowhere.
 */
export function createResponseSealer(internalSecret: string): ResponseSealer {
  const { seal, open } = sealing(purposeKeys(internalSecret)(purpose));
  return {
    seal: ({ status, headers, body }, boundTo) =>
      seal(Buffer.concat([Buffer.from(`${JSON.stringify([status, headers])}\n`), body]), boundTo),
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
