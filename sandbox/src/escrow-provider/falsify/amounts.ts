import { xdr } from '@stellar/stellar-sdk';
import { changeArgument, functionOf, transferOf, type OpenedTransaction } from './opened-transaction.js';
import { changeField, changeFirst, changeFirstEntry, hasField, oneUnitMore } from './values.js';
import { distributionsIndex, escrowIndex, isDeployment } from './arguments.js';

const fundingAmountIndex = 2;
const transferAmountIndex = 2;

export function changeAmount(opened: OpenedTransaction): void {
  if (isDeployment(functionOf(opened))) changeArgument(opened, escrowIndex, (args) => changeFirst(args, escrowWithMore));
  else if (functionOf(opened) === 'fund_escrow') fundMore(opened);
  else changeArgument(opened, distributionsIndex(opened), (shares) => changeFirstEntry(shares, entryWithMore));
}

/** A multi-release escrow has an amount for each milestone. */
function escrowWithMore(escrow: xdr.ScVal): xdr.ScVal {
  if (hasField(escrow, 'amount')) return changeField(escrow, 'amount', oneUnitMore);
  return changeField(escrow, 'milestones', (milestones) =>
    changeFirst(milestones, (milestone) => changeField(milestone, 'amount', oneUnitMore)),
  );
}

function fundMore(opened: OpenedTransaction): void {
  changeArgument(opened, fundingAmountIndex, oneUnitMore);
  const transfer = transferOf(opened).function().contractFn();
  transfer.args(transfer.args().map((value, index) => (index === transferAmountIndex ? oneUnitMore(value) : value)));
}

function entryWithMore(entry: xdr.ScMapEntry): xdr.ScMapEntry {
  return new xdr.ScMapEntry({ key: entry.key(), val: oneUnitMore(entry.val()) });
}
