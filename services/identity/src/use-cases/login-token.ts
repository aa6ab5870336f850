import { toEpochMs, toInstant, type Context } from '@holdfast/kernel/context';
import type { Account } from '../domain/account.js';
import type { Deps } from './ports.js';

export function issueAccountToken(
  deps: Pick<Deps, 'accountTokens' | 'accountTokenSeconds'>,
  { userId }: Account,
  ctx: Context,
): string {
  const expiresAt = toInstant(toEpochMs(ctx.at) + deps.accountTokenSeconds * 1_000);
  return deps.accountTokens.sign({ userId, expiresAt }, ctx.at);
}
