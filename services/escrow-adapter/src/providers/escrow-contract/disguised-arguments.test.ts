import type { xdr } from '@stellar/stellar-sdk';
import { disguisesOf } from './testing/disguises.js';
import { expectationOf, limits, functionCases, type SigningCase } from './testing/parties.js';
import { authOf, providerEnvelope, toXdr, type Envelope, type Invocation } from './testing/provider-envelopes.js';
import { verifyEnvelope } from '@holdfast/ledger-network/expectations';

type Change = { readonly what: string; readonly changed: Invocation };

/** The invocation with each argument changed in every way. */
function changesOf(invocation: Invocation, isChanged: (value: xdr.ScVal) => boolean = () => true): readonly Change[] {
  const withArgs = (args: readonly xdr.ScVal[]): Invocation => ({ ...invocation, args });
  const { args } = invocation;
  return [
    ...args.flatMap((arg, position) => [
      { what: `argument ${position} left out`, changed: withArgs(args.toSpliced(position, 1)) },
      { what: `argument ${position} twice`, changed: withArgs(args.toSpliced(position, 0, arg)) },
      ...(isChanged(arg) ? disguisesOf(arg) : []).map(([what, value]) => ({
        what: `argument ${position} ${what}`,
        changed: withArgs(args.with(position, value)),
      })),
    ]),
    { what: 'another function', changed: { ...invocation, function: `${invocation.function.toString()}_` } },
    { what: 'a function with a NUL', changed: { ...invocation, function: `${invocation.function.toString()}\0` } },
  ];
}

/** The changes that were verified, which must be none. */
function verified(signingCase: SigningCase, changes: readonly Change[], toEnvelope: (changed: Invocation) => Envelope) {
  expect(changes.length).toBeGreaterThan(5);
  const expectation = expectationOf(signingCase);
  return changes
    .filter(({ changed }) => verifyEnvelope(toXdr(toEnvelope(changed)), expectation, limits).status === 'verified')
    .map(({ what }) => what);
}

describe('a value that is changed in any place or has another wire type is refused', () => {
  it.each(functionCases)('in the call: $operation on $type $variant', (signingCase) => {
    const honest = providerEnvelope(signingCase);
    expect(verified(signingCase, changesOf(honest.call), (call) => ({ ...honest, call }))).toEqual([]);
  });

  it.each(functionCases)('in the authorization: $operation on $type $variant', (signingCase) => {
    const honest = providerEnvelope(signingCase);
    // Structs are compared there as in the call.
    const changes = changesOf(honest.call, (value) => !['scvVec', 'scvMap'].includes(value.switch().name));
    expect(verified(signingCase, changes, (changed) => ({ ...honest, auth: [authOf(changed)] }))).toEqual([]);
  });

  it.each(functionCases.filter(({ operation }) => operation === 'fund'))('in the transfer: $type $variant', (signingCase) => {
    const honest = providerEnvelope(signingCase);
    const changes = (honest.call.below ?? []).flatMap((transfer) => changesOf(transfer));
    const toEnvelope = (changed: Invocation) => ({ ...honest, call: { ...honest.call, below: [changed] } });
    expect(verified(signingCase, changes, toEnvelope)).toEqual([]);
  });
});
