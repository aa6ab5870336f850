import { toEpochMs, toInstant, type Context, type Instant, type Scope } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { ApiKeyId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { apiKeyMoves } from '../domain/api-key-states.js';
import { earliest, statusOf } from '../domain/api-key.js';
import { requireKeyOrMaster, requireSubset, expandScopes } from '../domain/rights.js';
import type { Deps } from './ports.js';

export type IssueToken = {
  readonly id: ApiKeyId;
  readonly scopes?: readonly (Scope | '*')[] | undefined;
  readonly ttlSeconds: number;
};

export type IssuedToken = {
  readonly token: string;
  readonly scopes: readonly Scope[];
  readonly expiresIn: number;
  readonly expiresAt: Instant;
};

/** A token has a subset of its key's scopes, and expires no later than the key and the credential of the request. */
export async function issueToken(deps: Deps, input: IssueToken, ctx: Context): Promise<IssuedToken> {
  const { id, ttlSeconds } = input;
  requireKeyOrMaster(ctx.caller, id);
  return deps.perform({ name: 'issueToken', input, ctx }, async (tx) => {
    const key = await tx.apiKeys.lock(id);
    if (key === undefined) throw new AppError('API_KEY_NOT_FOUND', { apiKeyId: id });
    const scopes = input.scopes === undefined ? key.scopes : expandScopes(input.scopes);
    requireSubset(scopes, key.scopes);
    moved(apiKeyMoves, 'issueToken', statusOf(key, ctx.at));
    const end = earliest(key.expiresAt, ctx.caller.expiresAt ?? null);
    const { expiresAt, expiresIn } = lifetimeOf(ttlSeconds, end, ctx.at);
    const token = deps.tokens.sign({ apiKeyId: id, scopes, secretNumber: key.secretNumber, expiresAt }, ctx.at);
    return { token, scopes, expiresIn, expiresAt };
  });
}

/** Times in a JWT are whole seconds. */
function lifetimeOf(ttlSeconds: number, end: Instant | null, at: Instant): Pick<IssuedToken, 'expiresIn' | 'expiresAt'> {
  const now = Math.floor(toEpochMs(at) / 1_000);
  const last = end === null ? now + ttlSeconds : Math.floor(toEpochMs(end) / 1_000);
  const expiresIn = Math.min(ttlSeconds, last - now);
  return { expiresIn, expiresAt: toInstant((now + expiresIn) * 1_000) };
}
