import { setTimeout as pause } from 'node:timers/promises';
import type { Broker } from '@holdfast/shared/broker';
import { callerHeader, callerSigner } from '@holdfast/shared/caller';
import type { Caller, Clock } from '@holdfast/shared/context';
import { userCreated, type Envelope, type Payload } from '@holdfast/shared/contracts/messages';
import { apiPrefix } from '@holdfast/shared/http-server';
import { defaultMarketplaceId, idFromParts, type UserId } from '@holdfast/shared/ids';
import { CannotStart } from './data-folder/index.js';

type DemoUser = Payload<typeof userCreated> & { readonly userId: UserId };

export const demoBuyer = demoUser('buyer', 'BUYER');
export const demoSeller = demoUser('seller', 'SELLER');

const knownTimeoutMs = 15_000;
const askTimeoutMs = 5_000;
const pollMs = 50;
const asker: Caller = { type: 'system', id: 'all-in-one', marketplaceId: defaultMarketplaceId, scopes: ['read'] };

/**
 * Tells everybody of the two demo users, as the identity service will. Users and messages always have the same ids, so that
 * a second start changes nothing.
 */
export async function tellDemoUsers(broker: Broker, clock: Clock): Promise<void> {
  await broker.publish([demoBuyer, demoSeller].map((user) => envelopeOf(user, clock)));
}

export type LedgerToAsk = { readonly url: string | undefined; readonly internalSecret: string; readonly clock: Clock };

/** Resolves once both can be used. The ledger is asked directly, so that nothing counts against anybody's limit. */
export async function waitForDemoUsers(ledger: LedgerToAsk): Promise<void> {
  const deadline = performance.now() + knownTimeoutMs;
  const signer = callerSigner({ secret: ledger.internalSecret, clock: ledger.clock });
  for (const { userId } of [demoBuyer, demoSeller]) {
    for (;;) {
      const headers = { [callerHeader]: signer.sign({ caller: asker }, 'ledger-balance') };
      const signal = AbortSignal.timeout(askTimeoutMs);
      const { status } = await fetch(`${ledger.url}${apiPrefix}/users/${userId}/balance`, { headers, signal });
      if (status === 200) break;
      if (performance.now() > deadline) {
        throw new CannotStart(
          `The ledger did not get to know the demo users within ${knownTimeoutMs / 1_000} s (it answers ${status}).`,
        );
      }
      await pause(pollMs);
    }
  }
}

function demoUser(role: 'buyer' | 'seller', type: DemoUser['type']): DemoUser {
  return { userId: idFromParts('usr', 'demo', role), externalUserId: `demo-${role}`, type, status: 'ACTIVE' };
}

function envelopeOf(user: DemoUser, clock: Clock): Envelope {
  return {
    id: idFromParts('evt', 'demo', userCreated.type, user.userId),
    type: userCreated.type,
    version: userCreated.version,
    occurredAt: clock.now(),
    aggregateType: userCreated.aggregateType,
    aggregateId: user.userId,
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: 'demo',
    payload: user,
  };
}
