import { Operation, type xdr } from '@stellar/stellar-sdk';
import { unitsOfText } from '../values/index.js';
import type { PaymentExpectation } from './expectation.js';
import { compareText, type Mismatch } from './mismatch.js';

/** Kind, receiver, asset and amount of a payment. */
export function comparePayment(
  found: xdr.Operation,
  { payment: { to, units, isNewAccount }, assetName }: PaymentExpectation,
): Mismatch | undefined {
  const kind = found.body().switch().name;
  return (
    compareText('operation.type', isNewAccount ? 'createAccount' : 'payment', kind) ??
    compareParts({ to, asset: assetName, units: String(units) }, partsOf(Operation.fromXDRObject(found)))
  );
}

type Parts = { readonly to: string; readonly asset: string; readonly units: string };

function compareParts(expected: Parts, found: Parts): Mismatch | undefined {
  return (
    compareText('payment.to', expected.to, found.to) ??
    compareText('payment.asset', expected.asset, found.asset) ??
    compareText('payment.units', expected.units, found.units)
  );
}

/** Other kinds of operations were refused before. */
function partsOf(operation: Operation): Parts {
  if (operation.type === 'payment') {
    const { destination: to, asset, amount } = operation;
    return { to, asset: asset.toString(), units: String(unitsOfText(amount)) };
  }
  if (operation.type === 'createAccount') {
    return { to: operation.destination, asset: 'native', units: String(unitsOfText(operation.startingBalance)) };
  }
  throw new TypeError(`a ${operation.type} pays nothing`);
}
