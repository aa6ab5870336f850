import type { Log } from '@holdfast/shared/context';
import type { Deps, LedgerProof } from './ports.js';

/** Checks the books against themselves. Every discrepancy is for a person to look at. */
export async function proveLedger(deps: Pick<Deps, 'proveBooks'>, log: Log): Promise<LedgerProof> {
  const proof = await deps.proveBooks();
  for (const discrepancy of proof.discrepancies) log.error({ ...discrepancy }, 'the books contradict themselves');
  return proof;
}
