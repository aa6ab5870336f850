import { toEpochMs, toInstant, type Context } from '@holdfast/kernel/context';
import type { Login } from '../domain/login.js';
import type { Deps } from './ports.js';

export function issueLoginToken(deps: Pick<Deps, 'loginTokens' | 'loginTokenSeconds'>, { userId }: Login, ctx: Context): string {
  const expiresAt = toInstant(toEpochMs(ctx.at) + deps.loginTokenSeconds * 1_000);
  return deps.loginTokens.sign({ userId, expiresAt }, ctx.at);
}
