import type { Intent } from '@holdfast/intents';
import { isId } from '@holdfast/kernel/ids';
import { tokenContracts } from '@holdfast/ledger-network/rpc';
import {
  createTransactions,
  withHistory,
  type SubmittedTransaction,
  type TransactionDeps,
  type Transactions,
} from '@holdfast/ledger-network/submission';
import type { LedgerNetwork } from '@holdfast/ledger-network/horizon';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { onDecoded, settlementMismatches } from '../metrics.js';
import { intentKinds, type EscrowProvider } from '../use-cases/ports.js';
import type { Guards } from './guards.js';

type Given = Pick<Guards, 'leases' | 'beginSpending'> &
  Pick<TransactionDeps, 'store' | 'sign' | 'feeBumps' | 'deadlines' | 'rpc'> & {
    readonly emergencyStop: Pick<Guards['emergencyStop'], 'assertNotStopped'>;
    readonly network: LedgerNetwork;
    readonly usdcIssuer: string;
    readonly provider: EscrowProvider;
    /** See `VersionCheck`. */
    readonly assertVersionsChecked: () => void;
    readonly submissionLimits?: TransactionDeps['limits'];
  };

/** The transactions of intents: signed only while nothing is stopped, proved by the network; deployments are reported to the provider. */
export function contractTransactions(
  { metrics, log, lifecycle }: Pick<ServiceRuntime, 'metrics' | 'log' | 'lifecycle'>,
  given: Given,
): Transactions {
  const { network, provider, emergencyStop, assertVersionsChecked } = given;
  const tokens = tokenContracts(network.networkPassphrase, given.usdcIssuer);
  const mismatches = metrics.counter(settlementMismatches);
  return createTransactions({
    ...given,
    rpc: withHistory({ rpc: given.rpc, network, tokens }),
    limits: given.submissionLimits,
    networkPassphrase: network.networkPassphrase,
    onDecoded: onDecoded({ metrics }),
    onMismatch: ({ hash, step }, reason) => {
      mismatches.inc({ step: step.split(':')[0] ?? step });
      log.error({ hash, step, reason }, 'landed transaction has moved something else than it must');
    },
    onLanded: (transaction, intent) => {
      if (transaction.step !== 'deploy') return;
      lifecycle.background('information of the escrow provider', informOfDeployment(provider, transaction, intent));
    },
    assertNotStopped: async () => {
      assertVersionsChecked();
      await emergencyStop.assertNotStopped();
    },
  });
}

/** Funding follows a deployment, so the provider is informed with the priority of a funding. */
function informOfDeployment(
  provider: EscrowProvider,
  { hash }: Pick<SubmittedTransaction, 'hash'>,
  intent: Intent,
): Promise<void> {
  const { marketplaceId, subject } = intent;
  if (!isId(subject, 'esc')) return Promise.resolve();
  return provider.informOfDeployment(hash, { escrowId: subject, marketplaceId, priority: intentKinds.fund });
}
