import { AppError } from '@holdfast/kernel/errors';
import type { Step } from '../domain/steps.js';
import type { EscrowProvider } from '../use-cases/ports.js';

/** What the provider does not do at the moment. */
export type Outage = {
  /** Deployments land, but the provider loses their contracts. */
  losesContracts: boolean;
  /** Submissions get lost on the way, and may arrive until their time bounds. */
  losesSubmissions: boolean;
  /** Building this step takes until the outage ends. */
  held: ((step: Step) => boolean) | undefined;
  /** This step cannot be built. */
  unreachable: ((step: Step) => boolean) | undefined;
};

const none: Outage = { losesContracts: false, losesSubmissions: false, held: undefined, unreachable: undefined };

/** A provider with outages that no fault of the sandbox makes. */
export function providerOutage() {
  const now: Outage = { ...none };
  const waiting: (() => void)[] = [];
  let heldCount = 0;
  const hold = (): Promise<void> => {
    heldCount += 1;
    return new Promise((resolve) => waiting.push(resolve));
  };
  return {
    now,
    /** Builds that were held so far. */
    heldCount: () => heldCount,
    end: (): void => {
      Object.assign(now, none);
      for (const resume of waiting.splice(0)) resume();
    },
    wrapProvider: (provider: EscrowProvider): EscrowProvider => ({
      ...provider,
      buildStep: async (contract, step, options) => {
        if (now.unreachable?.(step) === true) throw new AppError('SERVICE_UNAVAILABLE');
        if (now.held?.(step) === true) await hold();
        return provider.buildStep(contract, step, options);
      },
      submit: async (xdr, options) => {
        if (now.losesSubmissions) return { status: 'unknown', reason: 'lost' };
        const submitted = await provider.submit(xdr, options);
        return now.losesContracts && submitted.status === 'landed' ? { ...submitted, contractId: undefined } : submitted;
      },
      findDeployed: async (search, options) => (now.losesContracts ? [] : provider.findDeployed(search, options)),
      read: async (ids, options) => (now.losesContracts ? [] : provider.read(ids, options)),
    }),
  };
}
