import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** An answer of a service, in one piece. */
export type Reply = {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
};

export type ReplySealer = {
  /** `boundTo` names the record: a reply that was moved to another one does not open. */
  readonly seal: (reply: Reply, boundTo: string) => Buffer;
  /** Undefined where it was sealed under another secret, or is not what was sealed. */
  readonly open: (sealed: Buffer, boundTo: string) => Reply | undefined;
};

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const purpose = 'idempotency replies';

const head = z.tuple([z.int(), z.array(z.string())]);

/**
 * Some replies carry secrets, new API keys for one. All of them are encrypted before they are stored, so that no route can be
 * forgotten. The key follows from the secret of the installation and is nowhere else.
 */
export function createReplySealer(internalSecret: string): ReplySealer {
  const key = Buffer.from(hkdfSync('sha256', internalSecret, 'holdfast', purpose, keyBytes));
  return {
    seal: ({ status, headers, body }, boundTo) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(boundTo));
      const text = Buffer.concat([Buffer.from(`${JSON.stringify([status, headers])}\n`), body]);
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open: (sealed, boundTo) => {
      try {
        const nonce = sealed.subarray(0, nonceBytes);
        const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(boundTo));
        decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
        return parsed(Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]));
      } catch {
        return undefined;
      }
    },
  };
}

function parsed(text: Buffer): Reply {
  const end = text.indexOf('\n');
  const [status, headers] = head.parse(JSON.parse(text.subarray(0, end).toString()));
  return { status, headers, body: text.subarray(end + 1) };
}
