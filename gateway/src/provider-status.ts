import { randomUUID } from 'node:crypto';
import type { CallerSigner } from '@holdfast/http/caller';
import {
  getPaymentProviderState,
  getProviderStates,
  type DependencyHealthView,
  type PaymentProviderStates,
  type ProviderStates,
} from '@holdfast/contracts/http';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { createServiceClient, type ServiceClient } from '@holdfast/http/service-client';
import type { Job } from '@holdfast/work';
import type { ServiceUrls } from './config.js';

type States = ProviderStates & PaymentProviderStates;
type ProviderName = keyof States;
type ProviderKind = States[ProviderName]['kind'];

/** Kind and health of the providers and the ledger network, as last reported by escrow-adapter and payments. */
export type ProviderStatus = {
  readonly kinds: () => Partial<Record<ProviderName, ProviderKind>>;
  readonly health: () => Readonly<Record<string, DependencyHealthView>>;
  readonly refresh: () => Promise<void>;
  readonly job: Job;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly serviceUrls: Pick<ServiceUrls, 'escrow-adapter' | 'payments'>;
  readonly signer: CallerSigner;
};

/** The service that knows the state of some providers. */
type Source = {
  readonly client: ServiceClient;
  readonly names: readonly ProviderName[];
  readonly read: (client: ServiceClient) => Promise<Partial<States>>;
};

const everyMs = 5_000;
const unknownHealth: DependencyHealthView = { status: 'unhealthy', latencyMs: 0, error: 'its status is unknown right now' };

/** Polls the services in the background. Providers of a service without URL are left out. */
export function createProviderStatus({ serviceUrls, signer }: Options): ProviderStatus {
  const sources = sourcesOf(serviceUrls, signer);
  const names = sources.flatMap((source) => source.names);
  const kinds = new Map<ProviderName, ProviderKind>();
  const health = new Map<ProviderName, DependencyHealthView>();
  const refreshFrom = async ({ client, names: served, read }: Source): Promise<void> => {
    const states: Partial<States> = await read(client).catch(() => ({}));
    for (const name of served) {
      const state = states[name];
      if (state !== undefined) kinds.set(name, state.kind);
      health.set(name, state?.health ?? unknownHealth);
    }
  };
  const refresh = async (): Promise<void> => {
    await Promise.all(sources.map(refreshFrom));
  };
  return {
    kinds: () => Object.fromEntries(kinds),
    health: () => Object.fromEntries(names.map((name) => [name, health.get(name) ?? unknownHealth])),
    refresh,
    job: { name: 'refresh-provider-status', everyMs, run: refresh },
    close: async () => {
      await Promise.all(sources.map(({ client }) => client.close()));
    },
  };
}

function sourcesOf({ 'escrow-adapter': adapterUrl, payments: paymentsUrl }: Options['serviceUrls'], signer: CallerSigner) {
  const sources: Source[] = [];
  const clientOf = (to: 'escrow-adapter' | 'payments', baseUrl: string) =>
    createServiceClient({ from: 'gateway', to, baseUrl, signer });
  if (adapterUrl !== undefined) {
    sources.push({
      client: clientOf('escrow-adapter', adapterUrl),
      names: ['escrowProvider', 'ledgerNetwork'],
      read: (client) => client.call(getProviderStates, {}, context()),
    });
  }
  if (paymentsUrl !== undefined) {
    sources.push({
      client: clientOf('payments', paymentsUrl),
      names: ['paymentProvider'],
      read: (client) => client.call(getPaymentProviderState, {}, context()),
    });
  }
  return sources;
}

function context() {
  return { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };
}
