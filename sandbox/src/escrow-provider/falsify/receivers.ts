import { xdr } from '@stellar/stellar-sdk';
import { distributionsIndex, escrowIndex, indexAfterCaller, isDeployment } from './arguments.js';
import { changeArgument, functionOf, transferOf, type OpenedTransaction } from './opened-transaction.js';
import { addressValue, changeField, changeFirst, changeFirstEntry, hasField } from './values.js';

const transferToIndex = 1;
const callerIndex = 0;

export function changeReceiver(opened: OpenedTransaction, stranger: string): void {
  const name = functionOf(opened);
  const strangerValue = addressValue(stranger);
  if (isDeployment(name)) {
    changeArgument(opened, escrowIndex, (args) => changeFirst(args, (escrow) => escrowFor(escrow, strangerValue)));
  } else if (name === 'fund_escrow') redirectTransfer(opened, strangerValue);
  else if (name.startsWith('release_')) redirectRelease(opened, strangerValue);
  else
    changeArgument(opened, distributionsIndex(opened), (shares) =>
      changeFirstEntry(shares, (entry) => shareOf(entry, strangerValue)),
    );
}

/** A multi-release escrow has a receiver for each milestone. */
function escrowFor(escrow: xdr.ScVal, receiver: xdr.ScVal): xdr.ScVal {
  const replaced = (struct: xdr.ScVal): xdr.ScVal => changeField(struct, 'receiver', () => receiver);
  if (hasField(escrow, 'amount')) return changeField(escrow, 'roles', replaced);
  return changeField(escrow, 'milestones', (milestones) => changeFirst(milestones, replaced));
}

function redirectTransfer(opened: OpenedTransaction, to: xdr.ScVal): void {
  const transfer = transferOf(opened).function().contractFn();
  transfer.args(transfer.args().map((value, index) => (index === transferToIndex ? to : value)));
}

/** The fee address where the call has one, else another milestone, else the only argument, the release signer. */
function redirectRelease(opened: OpenedTransaction, stranger: xdr.ScVal): void {
  const feeAddressIndex = indexAfterCaller(opened, xdr.ScValType.scvAddress());
  const milestoneIndex = indexAfterCaller(opened, xdr.ScValType.scvU32());
  if (feeAddressIndex !== -1) changeArgument(opened, feeAddressIndex, () => stranger);
  else if (milestoneIndex !== -1) changeArgument(opened, milestoneIndex, (index) => xdr.ScVal.scvU32(index.u32() + 1));
  else changeArgument(opened, callerIndex, () => stranger);
}

function shareOf(entry: xdr.ScMapEntry, address: xdr.ScVal): xdr.ScMapEntry {
  return new xdr.ScMapEntry({ key: address, val: entry.val() });
}
