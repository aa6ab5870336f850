import { randomUUID } from 'node:crypto';
import type { CallerSigner } from '@holdfast/shared/caller';
import { getProviderStates, type DependencyHealthView, type ProviderStates } from '@holdfast/shared/contracts/http';
import { defaultMarketplaceId } from '@holdfast/shared/ids';
import { createServiceClient } from '@holdfast/shared/service-client';
import type { Job } from '@holdfast/shared/service-host';

/** What is known of those outside of us, by name. */
export type KnownProviders = {
  readonly kinds: () => Partial<Record<keyof ProviderStates, ProviderStates[keyof ProviderStates]['kind']>>;
  readonly health: () => Readonly<Record<string, DependencyHealthView>>;
  readonly ask: () => Promise<void>;
  readonly job: Job;
  readonly close: () => Promise<void>;
};

type Options = { readonly baseUrl: string | undefined; readonly signer: CallerSigner };

const everyMs = 5_000;
const unasked: DependencyHealthView = { status: 'down', latencyMs: 0, error: 'nobody can ask it right now' };

/** Asks the service that talks to them, in the background. Where there is no such service there are no providers. */
export function knowProviders({ baseUrl, signer }: Options): KnownProviders {
  if (baseUrl === undefined) return none;
  const client = createServiceClient({ from: 'gateway', to: 'escrow-adapter', baseUrl, signer });
  let known: Partial<ProviderStates> = {};
  let isAnswered = false;
  const ask = async (): Promise<void> => {
    const askedFor = { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };
    const states = await client.ask(getProviderStates, {}, askedFor).catch(() => undefined);
    isAnswered = states !== undefined;
    known = states ?? known;
  };
  const healthOf = (state: ProviderStates[keyof ProviderStates] | undefined) =>
    isAnswered && state !== undefined ? state.health : unasked;
  return {
    kinds: () => ({
      ...(known.escrowProvider === undefined ? {} : { escrowProvider: known.escrowProvider.kind }),
      ...(known.ledgerNetwork === undefined ? {} : { ledgerNetwork: known.ledgerNetwork.kind }),
    }),
    health: () => ({ escrowProvider: healthOf(known.escrowProvider), ledgerNetwork: healthOf(known.ledgerNetwork) }),
    ask,
    job: { name: 'ask-for-providers', everyMs, run: ask },
    close: client.close,
  };
}

const nothing = (): Promise<void> => Promise.resolve();

const none: KnownProviders = {
  kinds: () => ({}),
  health: () => ({}),
  ask: nothing,
  job: { name: 'ask-for-providers', everyMs, run: nothing },
  close: nothing,
};
