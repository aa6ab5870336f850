import { existsSync, readFileSync } from 'node:fs';
import type { ConsoleSession, ConsoleSignIn } from '@holdfast/gateway';
import type { Clock } from '@holdfast/kernel/context';
import { Holdfast, HoldfastError } from '@holdfast/sdk';
import { createConsoleCodes, type CodeKind } from './console-codes.js';
import { writeDurably } from './data-folder/index.js';

export type ConsoleAccess = {
  /** The address that signs a browser in, once. */
  readonly address: string;
  /** Exchanges a code for a token. */
  readonly signIn: ConsoleSignIn;
};

type Options = {
  /** Of the gateway, which is called when a code is exchanged. */
  readonly url: string;
  readonly masterKey: string;
  /** Names the file with the id of the console's API key. */
  readonly keyFile: string;
  readonly clock: Pick<Clock, 'epochMs'>;
};

const tokenSeconds = 900;

/**
 * Signs browsers in to the console with tokens of an API key that is made for it at the first exchange. Its text is kept nowhere. See
 * ADR 0113.
 */
export function createConsoleAccess({ url, masterKey, keyFile, clock }: Options): ConsoleAccess {
  const codes = createConsoleCodes(clock);
  const holdfast = new Holdfast({ apiKey: masterKey, baseUrl: url });
  return {
    address: `${url}/console#code=${codes.issue('first')}`,
    signIn: async (code) => {
      const kind = codes.use(code);
      if (kind === undefined) return undefined;
      const token = await newToken({ holdfast, keyFile, kind }).catch((error: unknown) => {
        codes.restore(code);
        throw error;
      });
      return token === undefined ? undefined : { ...token, nextCode: codes.issue('next') };
    },
  };
}

type Token = Pick<ConsoleSession, 'token' | 'expiresAt'>;
type Exchange = { readonly holdfast: Holdfast; readonly keyFile: string; readonly kind: CodeKind };

/** Undefined if the key of a renewal is gone: who revokes it ends the sessions of the console. */
async function newToken({ holdfast, keyFile, kind }: Exchange): Promise<Token | undefined> {
  const known = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : '';
  const token = known === '' ? undefined : await tokenOf(holdfast, known);
  if (token !== undefined || kind === 'next') return token;
  const { id } = await holdfast.apiKeys.create({ name: 'console of npm start', scopes: ['*'] });
  writeDurably(keyFile, `${id}\n`);
  return tokenOf(holdfast, id);
}

/** Undefined for a key that was revoked, or that is in another database. */
async function tokenOf(holdfast: Holdfast, id: string): Promise<Token | undefined> {
  try {
    const { token, expiresAt } = await holdfast.apiKeys.createToken(id, { ttlSeconds: tokenSeconds });
    return { token, expiresAt };
  } catch (error) {
    const isGone = error instanceof HoldfastError && ['API_KEY_NOT_FOUND', 'INVALID_STATE'].includes(error.code);
    if (isGone) return undefined;
    throw error;
  }
}
