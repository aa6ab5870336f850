import { randomUUID } from 'node:crypto';
import type { CallerSigner } from '@holdfast/shared/caller';
import type { Caller, Clock } from '@holdfast/shared/context';
import {
  findMarketplace,
  noteRefusedCredentials,
  verifyCredential,
  type Refusal,
  type VerifiedCredential,
} from '@holdfast/shared/contracts/http';
import { AppError } from '@holdfast/shared/errors';
import { defaultMarketplaceId, type MarketplaceId } from '@holdfast/shared/ids';
import { createServiceClient } from '@holdfast/shared/service-client';
import { LRUCache } from 'lru-cache';

/** What the gateway asks the service that owns keys and marketplaces. SERVICE_UNAVAILABLE where it does not answer. */
export type Identity = {
  readonly whoIs: (credential: string, requestId: string) => Promise<Caller | undefined>;
  /** MARKETPLACE_NOT_FOUND where there is none. */
  readonly marketplaceOf: (id: MarketplaceId, requestId: string) => Promise<MarketplaceId>;
  /** What this gateway has refused, by address and minute. */
  readonly noteRefusals: (gatewayId: string, refusals: readonly Refusal[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Options = {
  /** Undefined where there is no such service: then nobody but the master key is anybody. */
  readonly baseUrl: string | undefined;
  readonly signer: CallerSigner;
  readonly clock: Pick<Clock, 'epochMs'>;
};

/** Marketplaces are never removed, so that knowing one for a while does no harm. */
const marketplaceKnownMs = 60_000;
const marketplacesMax = 1_000;

export function createIdentity({ baseUrl, signer, clock }: Options): Identity {
  if (baseUrl === undefined) return nobody;
  const client = createServiceClient({ from: 'gateway', to: 'identity', baseUrl, signer });
  const known = new LRUCache<string, number>({ max: marketplacesMax });
  return {
    whoIs: async (credential, requestId) => {
      const askedFor = { requestId, marketplaceId: defaultMarketplaceId };
      const verified = await client.ask(verifyCredential, { body: { credential } }, askedFor);
      return verified === null ? undefined : callerOf(verified);
    },
    marketplaceOf: async (id, requestId) => {
      if ((known.get(id) ?? 0) > clock.epochMs()) return id;
      await client.ask(findMarketplace, { params: { id } }, { requestId, marketplaceId: id });
      known.set(id, clock.epochMs() + marketplaceKnownMs);
      return id;
    },
    noteRefusals: async (gatewayId, refusals) => {
      const askedFor = { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };
      await client.ask(noteRefusedCredentials, { body: { gatewayId, refusals: [...refusals] } }, askedFor);
    },
    close: client.close,
  };
}

const nobody: Identity = {
  whoIs: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')),
  marketplaceOf: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')),
  noteRefusals: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')),
  close: () => Promise.resolve(),
};

function callerOf({ type, id, marketplaceId, scopes, expiresAt }: VerifiedCredential): Caller {
  const caller = { type, id, marketplaceId, scopes };
  return expiresAt === null ? caller : { ...caller, expiresAt: `${expiresAt.slice(0, -1)}Z` };
}
