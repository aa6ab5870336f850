import { scValToBigInt, xdr } from '@stellar/stellar-sdk';
import * as wire from '../../contract-calls/wire-values.js';
import { changeArgument, required, transferOf, type Change, type OpenedTransaction } from './opened-transaction.js';

/** The initialiser's arguments in a deployment: a vector that contains the escrow. */
const escrowIndex = 4;
const fundingAmountIndex = 2;
const [transferToIndex, transferAmountIndex] = [1, 2];

/** One smallest unit more: the least that a comparison could miss. */
export function changeAmount(opened: OpenedTransaction): void {
  const { calls, functionName } = opened;
  if (functionName.startsWith('tw_new_')) {
    changeEscrow(opened, (escrow, ofMilestone) => {
      return hasField(escrow, 'amount') ? changeField(escrow, 'amount', oneMore) : ofMilestone('amount', oneMore);
    });
  } else if (functionName === 'fund_escrow') {
    changeArgument(calls, fundingAmountIndex, oneMore);
    changeArgument([transferOf(opened)], transferAmountIndex, oneMore);
  } else changeFirstShare(opened, (address, amount) => [address, oneMore(amount)]);
}

/** The stranger takes the place of a receiver, or of what comes nearest to one. */
export function changeReceiver(opened: OpenedTransaction, strangerAddress: string): void {
  const { functionName } = opened;
  const stranger: Change = () => wire.address(strangerAddress);
  if (functionName.startsWith('tw_new_')) {
    changeEscrow(opened, (escrow, ofMilestone) => {
      if (!hasField(escrow, 'amount')) return ofMilestone('receiver', stranger);
      return changeField(escrow, 'roles', (roles) => changeField(roles, 'receiver', stranger));
    });
  } else if (functionName === 'fund_escrow') changeArgument([transferOf(opened)], transferToIndex, stranger);
  else if (functionName.startsWith('release_')) redirectRelease(opened, stranger);
  else changeFirstShare(opened, (address, amount) => [stranger(address), amount]);
}

/** The fee address where the call has one, else another milestone, else the only argument, the release signer. */
function redirectRelease({ calls }: OpenedTransaction, stranger: Change): void {
  const types = calls[0].args().map((value) => value.switch().name);
  const [feeAddressIndex, milestoneIndex] = [types.indexOf('scvAddress', 1), types.indexOf('scvU32', 1)];
  if (feeAddressIndex !== -1) changeArgument(calls, feeAddressIndex, stranger);
  else if (milestoneIndex !== -1) changeArgument(calls, milestoneIndex, (index) => wire.u32(index.u32() + 1));
  else changeArgument(calls, 0, stranger);
}

type ChangeMilestone = (field: string, change: Change) => xdr.ScVal;

/** A multi-release escrow has an amount and a receiver for each milestone; the first one is changed. */
function changeEscrow(
  { calls }: OpenedTransaction,
  change: (escrow: xdr.ScVal, ofMilestone: ChangeMilestone) => xdr.ScVal,
): void {
  changeArgument(calls, escrowIndex, (values) => {
    return changeFirst(values, (escrow) => {
      return change(escrow, (field, changeValue) => {
        return changeField(escrow, 'milestones', (list) => changeFirst(list, (each) => changeField(each, field, changeValue)));
      });
    });
  });
}

type Share = readonly [address: xdr.ScVal, amount: xdr.ScVal];

/** The distributions are the last argument of every function that has them. */
function changeFirstShare({ calls }: OpenedTransaction, change: (...share: Share) => Share): void {
  changeArgument(calls, calls[0].args().length - 1, (shares) => {
    const [first, ...others] = required(shares.map()).map((entry): Share => [entry.key(), entry.val()]);
    return wire.map([change(...required(first)), ...others]);
  });
}

function oneMore(amount: xdr.ScVal): xdr.ScVal {
  return wire.i128(scValToBigInt(amount) + 1n);
}

/** Replaces a field of a struct, which is a map with symbols as keys. */
function changeField(struct: xdr.ScVal, name: string, change: Change): xdr.ScVal {
  const entries = required(struct.map());
  return xdr.ScVal.scvMap(
    entries.map((entry) => (isNamed(entry, name) ? new xdr.ScMapEntry({ key: entry.key(), val: change(entry.val()) }) : entry)),
  );
}

function hasField(struct: xdr.ScVal, name: string): boolean {
  return required(struct.map()).some((entry) => isNamed(entry, name));
}

function isNamed(entry: xdr.ScMapEntry, name: string): boolean {
  return entry.key().sym().toString() === name;
}

function changeFirst(vector: xdr.ScVal, change: Change): xdr.ScVal {
  const [first, ...others] = required(vector.vec());
  return wire.vec([change(required(first)), ...others]);
}
