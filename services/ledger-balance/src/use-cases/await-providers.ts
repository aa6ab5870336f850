import type { Context } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import type { UserId } from '@holdfast/shared/ids';
import { askedBy, demandUser } from './meet-user.js';
import type { Deps } from './ports.js';

/** Sync and verify compare with wallets and providers, which this installation does not have yet. */
export async function awaitProviders(deps: Deps, { userId }: { readonly userId: UserId }, ctx: Context): Promise<never> {
  await demandUser(deps, askedBy(ctx, userId));
  throw new AppError('SERVICE_UNAVAILABLE', { reason: 'No wallet or payment provider is connected to this installation.' });
}
