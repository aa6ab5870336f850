import { createServiceClient } from '@holdfast/http/service-client';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { knownUsers, type KnownUsers } from '@holdfast/service-kit/known-users';
import type { Settings } from '../config.js';

/** The copy of identity's users. A user that is not in it is looked up at identity. */
export function connectUsers({ config, database, clock, lifecycle, signer }: ServiceRuntime<Settings>): KnownUsers {
  const identity = createServiceClient({ from: 'escrow-adapter', to: 'identity', baseUrl: config.IDENTITY_URL, signer });
  lifecycle.onStop('identity client', identity.close);
  return knownUsers({ service: 'escrow-adapter', database, identity, clock });
}
