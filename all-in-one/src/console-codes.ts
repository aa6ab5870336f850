import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@holdfast/kernel/context';

/** The first code is in the address that the start prints. Each exchange gives the page the next one, to renew its token. */
const lifetimesMs = { first: 600_000, next: 43_200_000 } as const;
export type CodeKind = keyof typeof lifetimesMs;

/** One-time codes. Only their digests are kept, in the memory of this process. */
export type ConsoleCodes = {
  readonly issue: (kind: CodeKind) => string;
  /** Uses up a code. Undefined if it was not valid. */
  readonly use: (code: string) => CodeKind | undefined;
  /** Makes a used code valid again, until its time: what it was used for has failed. */
  readonly restore: (code: string) => void;
};

type Issued = { readonly digest: Buffer; readonly kind: CodeKind; readonly expiresAtMs: number; isUsed: boolean };

const codeBytes = 32;
/** One for each renewal of each tab; the oldest ones go. */
const codesMax = 500;

export function createConsoleCodes({ epochMs }: Pick<Clock, 'epochMs'>): ConsoleCodes {
  let issued: readonly Issued[] = [];
  const find = (code: string): Issued | undefined => {
    const digest = digestOf(code);
    return issued.filter((one) => timingSafeEqual(one.digest, digest)).find(({ expiresAtMs }) => expiresAtMs > epochMs());
  };
  return {
    issue: (kind) => {
      const code = randomBytes(codeBytes).toString('base64url');
      const now = epochMs();
      const living = issued.filter(({ expiresAtMs }) => expiresAtMs > now);
      issued = [...living, { digest: digestOf(code), kind, expiresAtMs: now + lifetimesMs[kind], isUsed: false }].slice(
        -codesMax,
      );
      return code;
    },
    use: (code) => {
      const found = find(code);
      if (found === undefined || found.isUsed) return undefined;
      found.isUsed = true;
      return found.kind;
    },
    restore: (code) => {
      const found = find(code);
      if (found !== undefined) found.isUsed = false;
    },
  };
}

function digestOf(code: string): Buffer {
  return hash('sha256', code, 'buffer');
}
