/**
 * The commands of the operator image: those that work beside a running installation. What needs the data folder of one machine
 * (`backup`, `restore`, `key`, `reset`) stays there, and `migrate` has its own image.
 */
export const operatorCommands = {
  emergency: () => import('../emergency.js'),
  'events:tail': () => import('../events-tail.js'),
  parked: () => import('../parked.js'),
  'rotate-wallet-keys': () => import('../rotate-wallet-keys.js'),
  sagas: () => import('../sagas.js'),
  treasury: () => import('../treasury.js'),
  'verify-audit': () => import('../verify-audit.js'),
  'verify-ledger': () => import('../verify-ledger.js'),
} as const satisfies Readonly<Record<string, () => Promise<unknown>>>;

export type OperatorCommand = keyof typeof operatorCommands;

export function isOperatorCommand(name: string): name is OperatorCommand {
  return Object.hasOwn(operatorCommands, name);
}
