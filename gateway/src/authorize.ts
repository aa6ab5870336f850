import type { Caller } from '@holdfast/shared/context';
import type { RouteDeclaration } from '@holdfast/shared/contracts/http';
import { AppError } from '@holdfast/shared/errors';

/** INSUFFICIENT_SCOPE unless the caller holds what the route declares. */
export function demandScope({ type, scopes }: Caller, { auth }: RouteDeclaration): void {
  if (auth === 'public' || auth === 'any') return;
  const isAllowed = auth === 'master' ? type === 'master' : scopes.includes(auth);
  if (!isAllowed) throw new AppError('INSUFFICIENT_SCOPE', { requiredScope: auth });
}
