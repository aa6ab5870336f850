import type { ApiKeyId } from '@holdfast/kernel/ids';

const prefix = 'hk_live_';
/** The id is a ULID; the secret is 32 bytes in base64url, whose last character carries only four bits. */
const pattern = /^hk_live_([0-9A-HJKMNP-TV-Z]{26})_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** The text that a client sends as its API key. The id finds the row, the secret authenticates. */
export function keyText(id: ApiKeyId, secret: string): string {
  return `${prefix}${id.slice('key_'.length)}_${secret}`;
}

/** The id in a text that has the form of a key. The secret is not checked here. */
export function keyIdIn(text: string): ApiKeyId | undefined {
  const id = pattern.exec(text)?.[1];
  return id === undefined ? undefined : `key_${id}`;
}
