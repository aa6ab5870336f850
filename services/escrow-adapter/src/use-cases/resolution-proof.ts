import { AppError } from '@holdfast/kernel/errors';
import type { Contract } from '../domain/contract.js';
import { requireDeployed } from './require-contract.js';
import type { IntentOfRun, ResolutionDeps, ResolveRun } from './resolution-ports.js';

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
async function requireTransfer(deps: ResolutionDeps, { intent, contract }: IntentOfRun, hash: string): Promise<void> {
  const transfers = await transfersOf(deps, hash);
  if (transfers === undefined) return refuse(`the ledger network has no successful transaction ${hash}`);
  const { contractId } = requireDeployed(contract);
  const isFunding = intent.kind === 'fund';
  if (transfers.some(({ from, to }) => (isFunding ? to : from) === contractId)) return;
  refuse(`transaction ${hash} ${isFunding ? 'pays nothing into' : 'pays nothing out of'} the contract ${contractId}`);
}

type Parties = { readonly from: string; readonly to: string };

/** Undefined without a successful transaction. Nodes keep a few days; older transactions are in the network's history. */
async function transfersOf({ rpc, network }: ResolutionDeps, hash: string): Promise<readonly Parties[] | undefined> {
  const recent = await rpc.findTransaction(hash);
  if (recent !== undefined) return recent.status === 'landed' ? recent.transfers : undefined;
  const old = await network.transaction(hash);
  return old?.isSuccessful === true ? network.transfers(hash) : undefined;
}

/** Every deployment of this platform is stored before it is submitted, so the one that landed is known by its hash. */
function requireOwnDeployment({ transactions }: IntentOfRun, transactionHash: string): void {
  const isOwn = transactions.some(({ hash, state }) => hash === transactionHash && state !== 'open');
  if (!isOwn) refuse(`transaction ${transactionHash} is not a deployment of this run that has landed`);
}

async function requireOwnContract(
  { rpc, expectations, contracts }: ResolutionDeps,
  { escrowId, orderId, type, amount }: Contract,
  contractId: string,
): Promise<void> {
  const read = await rpc.contractEntries([{ contractId, type, token: expectations.tokenOf(amount.currency) }]);
  const { escrow, wasmHash } = read.contracts.get(contractId) ?? {};
  if (escrow === undefined) return refuse(`the ledger network has no contract ${contractId}`);
  const isOwn = escrow !== 'unreadable' && escrow.terms.engagementId === orderId && wasmHash === expectations.wasmHashOf(type);
  if (!isOwn) refuse(`contract ${contractId} is not that of the order`);
  const owner = await contracts.findByContractId(contractId);
  if (owner !== undefined && owner !== escrowId) refuse(`contract ${contractId} belongs to ${owner}`);
}

export function refuse(reason: string): never {
  throw new AppError('INVALID_STATE', { reason }, { message: `The run cannot be resolved: ${reason}.` });
}
