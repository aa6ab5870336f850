import { AppError } from '@holdfast/kernel/errors';
import type { Contract } from '../domain/contract.js';
import { requireDeployed } from './require-contract.js';
import type { IntentOfRun, ResolutionDeps, ResolveRun } from './resolution-ports.js';

/** Background priority: an operator does not delay a payout. */
const priority = 9;

/** A success is proved by a transaction on the network that belongs to the contract, and that of a deployment by its contract, too. */
export async function requireProof(deps: ResolutionDeps, run: IntentOfRun, input: ResolveRun): Promise<void> {
  const { outcome, transactionHash, contractId } = input;
  const isDeployment = run.intent.kind === 'deploy';
  if (contractId !== undefined && !isDeployment) refuse('only a deployment has a new contract id');
  if (outcome === 'failed') {
    if (contractId !== undefined) refuse('a failed deployment has no contract id');
    return;
  }
  if (transactionHash === undefined) return refuse('a success needs the hash of its transaction as proof');
  if (!isDeployment) return requireTransfer(deps, run, transactionHash);
  if (contractId === undefined) return refuse('a deployment needs its contract id');
  requireOwnDeployment(run, transactionHash);
  await requireOwnContract(deps, run.contract, contractId);
}

/** A funding pays into the contract, a settlement out of it. */
async function requireTransfer({ network }: ResolutionDeps, { intent, contract }: IntentOfRun, hash: string): Promise<void> {
  const landed = await network.transaction(hash);
  if (landed?.isSuccessful !== true) refuse(`the ledger network has no successful transaction ${hash}`);
  const { contractId } = requireDeployed(contract);
  const isFunding = intent.kind === 'fund';
  const transfers = await network.transfers(hash);
  if (transfers.some(({ from, to }) => (isFunding ? to : from) === contractId)) return;
  refuse(`transaction ${hash} ${isFunding ? 'pays nothing into' : 'pays nothing out of'} the contract ${contractId}`);
}

/** Every deployment of this platform is stored before it is submitted, so the one that landed is known by its hash. */
function requireOwnDeployment({ transactions }: IntentOfRun, transactionHash: string): void {
  const isOwn = transactions.some(({ hash, isOpen }) => hash === transactionHash && !isOpen);
  if (!isOwn) refuse(`transaction ${transactionHash} is not a deployment of this run that has landed`);
}

/** A contract that the provider has lost cannot be read; one that it knows must be that of the order. */
async function requireOwnContract(
  { provider, contracts }: ResolutionDeps,
  contract: Contract,
  contractId: string,
): Promise<void> {
  const [found] = await provider.read([contractId], { priority });
  if (found !== undefined && found.engagementId !== contract.orderId) refuse(`contract ${contractId} is not that of the order`);
  const owner = await contracts.findByContractId(contractId);
  if (owner !== undefined && owner !== contract.escrowId) refuse(`contract ${contractId} belongs to ${owner}`);
}

export function refuse(reason: string): never {
  throw new AppError('INVALID_STATE', { reason }, { message: `The run cannot be resolved: ${reason}.` });
}
