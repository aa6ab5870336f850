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
      compareTree('auth', { call: expected, below: authorizes }, root) ??
      compareWithCall(operation.hostFunction().invokeContract(), root.function().contractFn())
    );
  });
}

type ExpectedTree = { readonly call: ExpectedInvocation; readonly below: readonly ExpectedInvocation[] };

function compareTree(field: string, { call, below }: ExpectedTree, found: xdr.SorobanAuthorizedInvocation): Mismatch | undefined {
  const authorized = found.function();
  return (
    compareText(`${field}.type`, 'sorobanAuthorizedFunctionTypeContractFn', authorized.switch().name) ??
    compareInvocation(field, call, authorized.contractFn()) ??
    compareLists(`${field}.subInvocations`, below, found.subInvocations(), (expected, sub, index) =>
      compareTree(`${field}.subInvocations[${index}]`, { call: expected, below: [] }, sub),
    )
  );
}

/** The two may still differ where the provider chooses the value: in the salt of a deployment. */
function compareWithCall(call: xdr.InvokeContractArgs, authorized: xdr.InvokeContractArgs): Mismatch | undefined {
  if (authorized.toXDR().equals(call.toXDR())) return undefined;
  return { field: 'auth', expected: 'the call of the transaction', found: 'another call' };
}
