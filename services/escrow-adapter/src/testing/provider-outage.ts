import { AppError } from '@holdfast/kernel/errors';
import type { Step } from '../domain/steps.js';
import type { ContractRpc } from '../use-cases/entry-ports.js';
import type { EscrowProvider } from '../use-cases/ports.js';

/** What provider and network do not do at the moment. */
export type Outage = {
  /** Submissions get lost on the way, and may arrive until their time bounds. */
  losesSubmissions: boolean;
  /** No node remembers the ledgers in which a transaction may have landed. */
  forgets: boolean;
  /** No node remembers the ledgers of transactions whose time is over and whose sequence number is used; the history does. */
  forgetsUsed: boolean;
  /** Contracts cannot be read from the network. */
  hidesContracts: boolean;
  /** The network reports one transfer more for each transaction. */
  movesMore: boolean;
  /** Building this step takes until the outage ends. */
  held: ((step: Step) => boolean) | undefined;
  /** This step cannot be built. */
  unreachable: ((step: Step) => boolean) | undefined;
};

const none: Outage = {
  losesSubmissions: false,
  forgets: false,
  forgetsUsed: false,
  hidesContracts: false,
  movesMore: false,
  held: undefined,
  unreachable: undefined,
};

/** Outages that no fault of the sandbox makes. */
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
    }),
    wrapRpc: (rpc: ContractRpc): ContractRpc => ({
      ...rpc,
      contractEntries: async (contracts, ...accounts) => {
        if (now.hidesContracts) throw new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork' });
        return rpc.contractEntries(contracts, ...accounts);
      },
      submit: async (feeBump) => (now.losesSubmissions ? { status: 'sent' } : rpc.submit(feeBump)),
      evidenceOfOvertaken: async (transaction) =>
        now.forgetsUsed ? { status: 'pending', latestLedger: await rpc.closedLedger() } : rpc.evidenceOfOvertaken(transaction),
      evidenceOf: async (transaction) => {
        if (now.forgets) return { status: 'pending', latestLedger: await rpc.closedLedger() };
        if (now.forgetsUsed) return { status: 'pending', latestLedger: await rpc.closedLedger(), isForgotten: true };
        const evidence = await rpc.evidenceOf(transaction);
        if (!now.movesMore || evidence.status !== 'landed') return evidence;
        const { sourceAccount } = transaction;
        const more = { token: 'a token', from: sourceAccount, to: 'somebody', units: 1n };
        return { ...evidence, transfers: [...evidence.transfers, more] };
      },
    }),
  };
}
