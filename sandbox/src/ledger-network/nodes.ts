import type { Faults } from '../control/faults.js';
import type { LedgerView } from './ledger-view.js';
import type { Network } from './network.js';

/** The nodes of the network behind one address. Each read is served by one of them. */
export type Nodes = { readonly view: () => LedgerView };

/** While the fault `lagging-node` is set, every second read, or those that its probability chooses, is one ledger behind. */
export function createNodes(network: Network, faults: Faults): Nodes {
  let reads = 0;
  const isLagging = (): boolean => {
    const fault = faults.list().find(({ kind }) => kind === 'lagging-node');
    reads = fault === undefined ? 0 : reads + 1;
    if (fault === undefined || (fault.probability === undefined && reads % 2 === 0)) return false;
    return faults.take({ target: 'ledger-network', operation: 'read', kinds: ['lagging-node'] }) !== undefined;
  };
  return { view: () => (isLagging() ? network.previousView() : network.view()) };
}
