import type { xdr } from '@stellar/stellar-sdk';
import { compareInvocation } from './compare-invocation.js';
import type { CallExpectation, ExpectedInvocation } from './expectation.js';
import { compareLists, compareText, type Mismatch } from './mismatch.js';

/**
 * Exactly one entry, which the signature of the source account authorizes: the call itself and the allowed calls directly below it.
 * An entry of an address would be signed on its own, and the contracts never need one.
 */
export function compareAuthorization(
  { call, authorizes }: CallExpectation,
  operation: xdr.InvokeHostFunctionOp,
): Mismatch | undefined {
  return compareLists('auth', [call], operation.auth(), (expected, entry) => {
    const credentials = entry.credentials().switch().name;
    const root = entry.rootInvocation();
    return (
      compareText('auth.credentials', 'sorobanCredentialsSourceAccount', credentials) ??
      compareType('auth', root) ??
      compareRoot(expected, operation.hostFunction().invokeContract(), root.function().contractFn()) ??
      compareLists('auth.subInvocations', authorizes, root.subInvocations(), compareBelow)
    );
  });
}

function compareType(field: string, found: xdr.SorobanAuthorizedInvocation): Mismatch | undefined {
  return compareText(`${field}.type`, 'sorobanAuthorizedFunctionTypeContractFn', found.function().switch().name);
}

/**
 * The call of the transaction was compared before. Nothing has two encodings, so that an authorized call with the same bytes is the
 * same call. Where it is another one the first difference is named; it may be a value that the provider chooses, the salt of a
 * deployment.
 */
function compareRoot(
  expected: ExpectedInvocation,
  call: xdr.InvokeContractArgs,
  authorized: xdr.InvokeContractArgs,
): Mismatch | undefined {
  if (authorized.toXDR().equals(call.toXDR())) return undefined;
  const other = { field: 'auth', expected: 'the call of the transaction', found: 'another call' };
  return compareInvocation('auth', expected, authorized) ?? other;
}

/** A call that the contract makes. It authorizes no further ones. */
function compareBelow(expected: ExpectedInvocation, found: xdr.SorobanAuthorizedInvocation, index: number): Mismatch | undefined {
  const field = `auth.subInvocations[${index}]`;
  return (
    compareType(field, found) ??
    compareInvocation(field, expected, found.function().contractFn()) ??
    compareText(`${field}.subInvocations.length`, '0', String(found.subInvocations().length))
  );
}
