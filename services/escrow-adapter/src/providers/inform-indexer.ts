import type { Intent } from '@holdfast/intents';
import { isId } from '@holdfast/kernel/ids';
import type { OpenTransaction } from '@holdfast/ledger-network/submission';
import { intentKinds, type EscrowProvider } from '../use-cases/ports.js';

/** After all calls of intents. */
const optionalPriority = 10;

/** Funding follows a deployment, so the provider is informed with the priority of a funding. */
export function informIndexer(provider: EscrowProvider, { hash, step }: OpenTransaction, intent: Intent): Promise<void> {
  const { marketplaceId, subject } = intent;
  if (!isId(subject, 'esc')) return Promise.resolve();
  const isNeeded = step === 'deploy';
  const priority = isNeeded ? intentKinds.fund : optionalPriority;
  return provider.informIndexer(hash, { escrowId: subject, marketplaceId, priority, isNeeded });
}
