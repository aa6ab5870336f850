/** The operations of each target. */
export const faultTargets = {
  'escrow-provider': ['deploy', 'fund', 'complete', 'approve', 'release', 'dispute', 'resolve', 'read'],
  'ledger-network': ['submit', 'read', 'history', 'root'],
  'payment-provider': ['create-payin', 'create-payout', 'commit', 'read'],
} as const;
export type FaultTarget = keyof typeof faultTargets;
export type FaultOperation = (typeof faultTargets)[FaultTarget][number];

/**
 * When a kind applies to a call: before its effect, to its response, or after its effect. Some kinds change the transaction that a build
 * call returns, or replace the effect of a submission. Others change reads while they are set, or one record that is read.
 */
type FaultPhase = 'before' | 'response' | 'after' | 'built' | 'instead' | 'reads' | 'record';

type DeclaredKind = {
  readonly phase: FaultPhase;
  readonly effect: string;
  /** The only pairs in which the kind is accepted. Absent means every operation of every target. */
  readonly only?: { readonly target: FaultTarget; readonly operations: readonly FaultOperation[] };
  /** The fields that no other kind takes. */
  readonly takes?: Readonly<Partial<Record<FaultField, 'required' | 'optional'>>>;
};

const faultFields = ['address', 'amount'] as const;
type FaultField = (typeof faultFields)[number];

const everyStep = ['deploy', 'fund', 'complete', 'approve', 'release', 'dispute', 'resolve'] as const;

/** A kind that falsifies the transaction that the escrow provider builds for one of the steps. */
const falsifying = <Steps extends readonly FaultOperation[]>(operations: Steps, effect: string) =>
  ({ phase: 'built', effect, only: { target: 'escrow-provider', operations } }) as const;

/** Every kind: its phase, its effect for the README, and the pairs of target and operation in which it is accepted. */
export const faultKinds = {
  latency: { phase: 'before', effect: 'delays the call by `latencyMs`; at the escrow provider the build call' },
  'error-before-effect': {
    phase: 'before',
    effect: 'an error response without an effect; at the escrow provider to the build call',
  },
  'rate-limited': { phase: 'before', effect: '429 without an effect; at the escrow provider to the build call' },
  malformed: {
    phase: 'response',
    effect:
      "the response is not JSON; at the escrow provider the build call's response, elsewhere a response after the effect. With the operation `history`, the fields of one record in the list have other types",
  },
  'error-after-effect': {
    phase: 'after',
    effect:
      'the effect takes place, and the response is 500 (504 at the network; at the escrow provider with the message that the result is not available yet)',
  },
  'timeout-after-effect': {
    phase: 'after',
    effect:
      'the effect takes place, and the connection is held until the client disconnects, the faults are deleted, or `latencyMs` have passed',
  },
  'no-contract-id': {
    phase: 'after',
    effect:
      "the deployment lands, and the response of the escrow provider's `send-transaction` has no contract id; look-ups find the contract",
  },
  'claims-success': {
    phase: 'instead',
    effect: 'the submission of the step is acknowledged as a success wherever it is sent, and nothing lands',
    only: { target: 'escrow-provider', operations: ['fund', 'release', 'resolve'] },
  },
  'indexer-behind': {
    phase: 'reads',
    effect: 'reads show each escrow as it was before its last change; a new one is missing',
    only: { target: 'escrow-provider', operations: ['read'] },
  },
  'lagging-node': {
    phase: 'reads',
    effect: 'every second read, or those that `probability` chooses, is served from the state one ledger behind',
    only: { target: 'ledger-network', operations: ['read'] },
  },
  'unknown-operation': {
    phase: 'record',
    effect:
      'one record of the list has an operation type that does not exist yet, with the affected account and without an amount',
    only: { target: 'ledger-network', operations: ['history'] },
  },
  'invented-payment': {
    phase: 'record',
    effect:
      'a list of operations or payments contains a payment of a stranger to `address` that never landed, of `amount` USDC (5,000 without it)',
    only: { target: 'ledger-network', operations: ['history'] },
    takes: { address: 'required', amount: 'optional' },
  },
  'raised-amount': {
    phase: 'record',
    effect: 'one payment in the list has ten times its amount; with `address` one to that account',
    only: { target: 'ledger-network', operations: ['history'] },
    takes: { address: 'optional' },
  },
  'other-network': {
    phase: 'record',
    effect: "Horizon's root has the passphrase of another network",
    only: { target: 'ledger-network', operations: ['root'] },
  },
  'wrong-contract': falsifying(everyStep, 'the call is one of another contract'),
  'wrong-function': falsifying(everyStep, 'the call is one of another function of the contract'),
  'extra-operation': falsifying(everyStep, 'a second operation pays 1 XLM of the signer to a stranger'),
  'foreign-credential': falsifying(
    everyStep,
    "the authorization has an address credential of the signer instead of the source account's",
  ),
  'endless-bounds': falsifying(everyStep, 'the upper time bound is missing, and at every second strike a year ahead'),
  'huge-fee': falsifying(everyStep, 'the maximum fee is 50 XLM'),
  'wrong-amount': falsifying(
    ['deploy', 'fund', 'resolve'],
    "one smallest unit more: in the escrow's amount (multi-release: of the first milestone), in the funding and its transfer, in the first distribution",
  ),
  'wrong-receiver': falsifying(
    ['deploy', 'fund', 'release', 'resolve'],
    "a stranger takes the receiver's place (multi-release: of the first milestone). The stranger is the destination of the funding's transfer, the fee address of a release, or in the first distribution. A release without a fee address gets another milestone, or another release signer",
  ),
  'extra-transfer': falsifying(['fund'], 'the authorization contains a second transfer, from the signer to a stranger'),
} as const satisfies Readonly<Record<string, DeclaredKind>>;

export type FaultKind = keyof typeof faultKinds;
export type FalsifyingKind = {
  [Kind in FaultKind]: (typeof faultKinds)[Kind]['phase'] extends 'built' ? Kind : never;
}[FaultKind];

export const faultKindNames = Object.keys(faultKinds).filter(isFaultKind);
export const falsifyingKinds = faultKindNames.filter(isFalsifying);

function isFaultKind(name: string): name is FaultKind {
  return Object.hasOwn(faultKinds, name);
}

export function isFalsifying(kind: FaultKind): kind is FalsifyingKind {
  return faultKinds[kind].phase === 'built';
}

export function kindsIn(...phases: readonly FaultPhase[]): readonly FaultKind[] {
  return faultKindNames.filter((kind) => phases.includes(faultKinds[kind].phase));
}

type FaultPair = { readonly target: FaultTarget; readonly operation?: FaultOperation | undefined; readonly kind: FaultKind };

/** Says why a kind is not accepted for a pair of target and operation; undefined when it is. */
export function pairRefusal({ target, operation, kind }: FaultPair): string | undefined {
  const declared: DeclaredKind = faultKinds[kind];
  const { only } = declared;
  if (only === undefined || (only.target === target && operation !== undefined && only.operations.includes(operation))) {
    return undefined;
  }
  return `${kind} needs the target ${only.target} and one of its operations ${only.operations.join(', ')}`;
}

type GivenFields = { readonly kind: FaultKind } & Readonly<Partial<Record<FaultField, string | undefined>>>;

/** Says which fields the kind does not take, and which ones it needs. */
export function fieldRefusals(given: GivenFields): readonly { readonly path: FaultField[]; readonly message: string }[] {
  const { takes = {} }: DeclaredKind = faultKinds[given.kind];
  return faultFields.flatMap((field) => {
    const isGiven = given[field] !== undefined;
    if (isGiven && takes[field] === undefined) return [{ path: [field], message: `${given.kind} does not take it` }];
    return !isGiven && takes[field] === 'required' ? [{ path: [field], message: `${given.kind} needs it` }] : [];
  });
}
