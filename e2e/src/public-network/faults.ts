import type { FaultToArm, SandboxControl } from '../faults/sandbox-control.js';

/** What goes wrong now and then, all day long. */
const passing: readonly FaultToArm[] = [
  { target: 'escrow-provider', kind: 'error-before-effect', probability: 0.02 },
  { target: 'escrow-provider', kind: 'rate-limited', probability: 0.03 },
  { target: 'escrow-provider', operation: 'fund', kind: 'claims-success', probability: 0.1 },
  { target: 'escrow-provider', operation: 'release', kind: 'claims-success', probability: 0.1 },
  { target: 'escrow-provider', operation: 'read', kind: 'indexer-behind', probability: 0.2 },
  { target: 'ledger-network', operation: 'submit', kind: 'error-before-effect', probability: 0.02 },
  { target: 'ledger-network', operation: 'submit', kind: 'error-after-effect', probability: 0.03 },
  { target: 'ledger-network', operation: 'read', kind: 'error-before-effect', probability: 0.01 },
  { target: 'ledger-network', operation: 'read', kind: 'lagging-node', probability: 0.05 },
];

/** What the provider falsifies, a few times each: every one of them must be refused. */
const falsified: readonly FaultToArm[] = [
  { target: 'escrow-provider', operation: 'deploy', kind: 'wrong-receiver', times: 1 },
  { target: 'escrow-provider', operation: 'fund', kind: 'wrong-amount', times: 1 },
  { target: 'escrow-provider', operation: 'release', kind: 'wrong-receiver', times: 1 },
  { target: 'escrow-provider', operation: 'resolve', kind: 'wrong-amount', times: 1 },
  { target: 'escrow-provider', operation: 'approve', kind: 'huge-fee', times: 1 },
];

/** At most one fault applies to a call, the first that fits, so the falsifications come first. */
export async function armFaults(control: SandboxControl): Promise<void> {
  for (const fault of [...falsified, ...passing]) await control.arm(fault);
}

export async function armPassingFaults(control: SandboxControl): Promise<void> {
  for (const fault of passing) await control.arm(fault);
}
