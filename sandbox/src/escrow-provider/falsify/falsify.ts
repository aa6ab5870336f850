import { Address, Asset, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
import * as wire from '../../contract-calls/wire-values.js';
import type { FalsifyingKind } from '../../control/fault-kinds.js';
import { authorizedInvocation } from '../../ledger-network/call-resources.js';
import { changeAmount, changeReceiver } from './change-arguments.js';
import { openTransaction, required, transferOf, type OpenedTransaction } from './opened-transaction.js';

export type Falsification = {
  readonly kind: FalsifyingKind;
  /** How often the fault has struck, this time included. */
  readonly strikes: number;
  /** The account that a falsified transaction pays. */
  readonly stranger: string;
};

type Falsify = (opened: OpenedTransaction, falsification: Falsification) => void;

const hugeFeeUnits = 500_000_000;
const otherContract = new Address(StrKey.encodeContract(Buffer.alloc(32, 'another contract'))).toScAddress();

const falsifications: Readonly<Record<FalsifyingKind, Falsify>> = {
  'wrong-contract': ({ calls }) => {
    for (const call of calls) call.contractAddress(otherContract);
  },
  'wrong-function': ({ calls, functionName }) => {
    for (const call of calls) call.functionName(required(otherFunctions[functionName]));
  },
  'extra-operation': ({ transaction }, { stranger }) => {
    const payment = Operation.payment({ destination: stranger, asset: Asset.native(), amount: '1' });
    transaction.operations([...transaction.operations(), payment]);
  },
  'foreign-credential': useAddressCredential,
  'endless-bounds': removeUpperBound,
  'huge-fee': ({ transaction }) => void transaction.fee(hugeFeeUnits),
  'wrong-amount': changeAmount,
  'wrong-receiver': (opened, { stranger }) => changeReceiver(opened, stranger),
  'extra-transfer': addTransfer,
};

/** Changes in a built transaction what the kind says, and nothing else. */
export function falsify(envelopeXdr: string, falsification: Falsification): string {
  const opened = openTransaction(envelopeXdr);
  falsifications[falsification.kind](opened, falsification);
  return opened.toXdr();
}

/** Another function of the same contract, with the same types of arguments if possible. */
const otherFunctions: Readonly<Record<string, string>> = {
  tw_new_single_release_escrow: 'initialize_escrow',
  tw_new_multi_release_escrow: 'initialize_escrow',
  fund_escrow: 'update_escrow',
  change_milestone_status: 'approve_milestone',
  approve_milestone: 'change_milestone_status',
  release_funds: 'dispute_escrow',
  release_milestone_funds: 'dispute_milestone',
  dispute_escrow: 'release_funds',
  dispute_milestone: 'approve_milestone',
  resolve_dispute: 'withdraw_remaining_funds',
  resolve_milestone_dispute: 'withdraw_remaining_funds',
  withdraw_remaining_funds: 'resolve_milestone_dispute',
};

/**
 * An address credential of the signer, the more dangerous choice: a signature for it would stay valid outside this transaction,
 * whereas a call that a stranger authorizes fails.
 */
function useAddressCredential({ transaction, authorization }: OpenedTransaction): void {
  const signer = StrKey.encodeEd25519PublicKey(transaction.sourceAccount().ed25519());
  const credential = new xdr.SorobanAddressCredentials({
    address: new Address(signer).toScAddress(),
    nonce: new xdr.Int64(1n),
    signatureExpirationLedger: 0xff_ff_ff_ff,
    signature: xdr.ScVal.scvVoid(),
  });
  authorization.credentials(xdr.SorobanCredentials.sorobanCredentialsAddress(credential));
}

const yearSeconds = 365n * 24n * 60n * 60n;

/** No upper bound at the first strike, a year more at the second, and so on. */
function removeUpperBound({ transaction }: OpenedTransaction, { strikes }: Falsification): void {
  const bounds = required(transaction.cond().timeBounds());
  const isFar = strikes % 2 === 0;
  const maxTime = isFar ? BigInt(bounds.maxTime().toString()) + yearSeconds : 0n;
  const endless = new xdr.TimeBounds({ minTime: bounds.minTime(), maxTime: new xdr.Uint64(maxTime) });
  transaction.cond(xdr.Preconditions.precondTime(endless));
}

/** Authorizes the same transfer a second time, to a stranger. */
function addTransfer(opened: OpenedTransaction, { stranger }: Falsification): void {
  const honest = transferOf(opened);
  const [from, , amount] = honest.args();
  const transfer = new xdr.InvokeContractArgs({
    contractAddress: honest.contractAddress(),
    functionName: honest.functionName(),
    args: [required(from), wire.address(stranger), required(amount)],
  });
  opened.authorization.rootInvocation().subInvocations([authorizedInvocation(honest), authorizedInvocation(transfer)]);
}
