import { randomUUID } from 'node:crypto';
import type { CallerSigner } from '@holdfast/http/caller';
import { getProviderStates, type DependencyHealthView, type ProviderStates } from '@holdfast/contracts/http';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { createServiceClient } from '@holdfast/http/service-client';
import type { Job } from '@holdfast/service-host';

/** Kind and health of the escrow provider and the ledger network, as last reported by escrow-adapter. */
export type ProviderStatus = {
  readonly kinds: () => Partial<Record<keyof ProviderStates, ProviderStates[keyof ProviderStates]['kind']>>;
  readonly health: () => Readonly<Record<string, DependencyHealthView>>;
  readonly refresh: () => Promise<void>;
  readonly job: Job;
  readonly close: () => Promise<void>;
};

type Options = { readonly baseUrl: string | undefined; readonly signer: CallerSigner };

const everyMs = 5_000;
const unknownHealth: DependencyHealthView = { status: 'unhealthy', latencyMs: 0, error: 'its status is unknown right now' };

/** Polls escrow-adapter in the background. Without its URL there are no providers. */
export function createProviderStatus({ baseUrl, signer }: Options): ProviderStatus {
  if (baseUrl === undefined) return noProviders;
  const client = createServiceClient({ from: 'gateway', to: 'escrow-adapter', baseUrl, signer });
  let known: Partial<ProviderStates> = {};
  let isAvailable = false;
  const refresh = async (): Promise<void> => {
    const context = { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };
    const states = await client.call(getProviderStates, {}, context).catch(() => undefined);
    isAvailable = states !== undefined;
    known = states ?? known;
  };
  const healthOf = (state: ProviderStates[keyof ProviderStates] | undefined) =>
    isAvailable && state !== undefined ? state.health : unknownHealth;
  return {
    kinds: () => ({
      ...(known.escrowProvider === undefined ? {} : { escrowProvider: known.escrowProvider.kind }),
      ...(known.ledgerNetwork === undefined ? {} : { ledgerNetwork: known.ledgerNetwork.kind }),
    }),
    health: () => ({ escrowProvider: healthOf(known.escrowProvider), ledgerNetwork: healthOf(known.ledgerNetwork) }),
    refresh,
    job: { name: 'refresh-provider-status', everyMs, run: refresh },
    close: client.close,
  };
}

const doNothing = (): Promise<void> => Promise.resolve();

const noProviders: ProviderStatus = {
  kinds: () => ({}),
  health: () => ({}),
  refresh: doNothing,
  job: { name: 'refresh-provider-status', everyMs, run: doNothing },
  close: doNothing,
};
