import type { Clock } from '@holdfast/shared/context';
import { findUser } from '@holdfast/shared/contracts/http';
import { isAppError } from '@holdfast/shared/errors';
import type { ServiceClient } from '@holdfast/shared/service-client';
import type { Deps } from '../use-cases/ports.js';

/** Who a user is, from the service that owns users. */
export function askIdentity(identity: ServiceClient, clock: Clock): Deps['users']['ask'] {
  return async ({ marketplaceId, userId, requestId }) => {
    const found = await identity
      .ask(findUser, { params: { id: userId } }, { marketplaceId, requestId })
      .catch((error: unknown) => {
        if (isAppError(error, 'USER_NOT_FOUND')) return undefined;
        throw error;
      });
    if (found === undefined) return undefined;
    const { id, status, version } = found;
    return { id, marketplaceId: found.marketplaceId, status, version, heardAt: clock.now() };
  };
}
