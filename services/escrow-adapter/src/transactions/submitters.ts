import type { EmergencyStop } from '@holdfast/intents';
import type { EscrowProvider } from '../use-cases/ports.js';
import type { LedgerNetwork } from '../wallets/ports.js';

/** Where signed transactions are submitted to. */
export type Submitter = Pick<EscrowProvider, 'submit'>;

/** For transactions that this service builds itself. Unclear results are looked up by hash. */
export function submitToNetwork(network: Pick<LedgerNetwork, 'submit'>): Submitter {
  return {
    submit: async (envelope) => {
      const submission = await network.submit(envelope);
      return submission.status === 'landed'
        ? { status: 'landed', contractId: undefined }
        : { status: 'unknown', reason: submission.status === 'refused' ? submission.resultCodes.join() : 'no response' };
    },
  };
}

/** While the emergency stop is on nothing is submitted, not even what was signed before; the network is still asked for it. */
export function unlessStopped({ submit }: Submitter, { isStopped }: Pick<EmergencyStop, 'isStopped'>): Submitter {
  return {
    submit: async (envelope, options) =>
      (await isStopped()) ? { status: 'unknown', reason: 'the emergency stop is on' } : submit(envelope, options),
  };
}
