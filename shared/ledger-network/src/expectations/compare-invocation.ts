import type { xdr } from '@stellar/stellar-sdk';
import { addressText } from '../envelopes/index.js';
import type { ExpectedInvocation } from './expectation.js';
import { isText } from './expected-values.js';
import { quote } from './found-values.js';
import { compareLists, compareText, type Mismatch } from './mismatch.js';

/** Contract, function and every argument. */
export function compareInvocation(
  field: string,
  expected: ExpectedInvocation,
  found: xdr.InvokeContractArgs,
): Mismatch | undefined {
  return (
    compareText(`${field}.contract`, expected.contract, addressText(found.contractAddress())) ??
    compareFunction(`${field}.function`, expected.function, found.functionName()) ??
    compareLists(`${field}.args`, expected.args, found.args(), ([name, value], arg) => value.compare(`${field}.${name}`, arg))
  );
}

function compareFunction(field: string, expected: string, found: string | Buffer): Mismatch | undefined {
  return isText(found, expected) ? undefined : { field, expected: quote(expected), found: quote(found) };
}
