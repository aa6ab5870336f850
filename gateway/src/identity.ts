import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CallerSigner } from '@holdfast/http/caller';
import type { Caller, Clock } from '@holdfast/kernel/context';
import {
  findMarketplace,
  getEmergencyStop,
  reportRefusedCredentials,
  verifyCredential,
  type Refusal,
  type RefusedCredential,
  type VerifiedCredential,
} from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, type MarketplaceId } from '@holdfast/kernel/ids';
import { createServiceClient } from '@holdfast/http/service-client';

/** The caller behind a credential, or why identity refuses it. */
export type Verification = { readonly caller: Caller } | { readonly refused: RefusedCredential };

/** The gateway's calls to identity. SERVICE_UNAVAILABLE if it does not respond. */
export type Identity = {
  readonly verifyCredential: (credential: string, requestId: string) => Promise<Verification>;
  /** MARKETPLACE_NOT_FOUND if it does not exist. */
  readonly requireMarketplace: (id: MarketplaceId, requestId: string) => Promise<MarketplaceId>;
  /** Reports refused credentials by address and minute. */
  readonly reportRefusals: (gatewayId: string, refusals: readonly Refusal[]) => Promise<void>;
  /** Whether a person or a setting has stopped signing and payouts. */
  readonly isEmergencyStopped: () => Promise<boolean>;
  readonly close: () => Promise<void>;
};

type Options = {
  /** Undefined without an identity service: then only the master key works. */
  readonly baseUrl: string | undefined;
  readonly signer: CallerSigner;
  readonly clock: Pick<Clock, 'epochMs'>;
};

/** Marketplaces are never removed, so a cached id cannot become wrong. */
const marketplaceTtlMs = 60_000;
const marketplacesMax = 1_000;

export function createIdentity({ baseUrl, signer, clock }: Options): Identity {
  if (baseUrl === undefined) return unavailableIdentity;
  const client = createServiceClient({ from: 'gateway', to: 'identity', baseUrl, signer });
  const known = new LRUCache<string, number>({ max: marketplacesMax });
  return {
    verifyCredential: async (credential, requestId) => {
      const context = { requestId, marketplaceId: defaultMarketplaceId };
      const result = await client.call(verifyCredential, { body: { credential } }, context);
      return 'verified' in result ? { caller: callerOf(result.verified) } : result;
    },
    requireMarketplace: async (id, requestId) => {
      if ((known.get(id) ?? 0) > clock.epochMs()) return id;
      await client.call(findMarketplace, { params: { id } }, { requestId, marketplaceId: id });
      known.set(id, clock.epochMs() + marketplaceTtlMs);
      return id;
    },
    reportRefusals: async (gatewayId, refusals) => {
      const context = { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };
      await client.call(reportRefusedCredentials, { body: { gatewayId, refusals: [...refusals] } }, context);
    },
    isEmergencyStopped: async () => {
      const context = { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };
      return (await client.call(getEmergencyStop, {}, context)).isStopped;
    },
    close: client.close,
  };
}

const unavailableIdentity: Identity = {
  verifyCredential: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')),
  requireMarketplace: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')),
  reportRefusals: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')),
  isEmergencyStopped: () => Promise.resolve(false),
  close: () => Promise.resolve(),
};

function callerOf({ type, id, marketplaceId, scopes, expiresAt }: VerifiedCredential): Caller {
  const caller = { type, id, marketplaceId, scopes };
  return expiresAt === null ? caller : { ...caller, expiresAt: `${expiresAt.slice(0, -1)}Z` };
}
