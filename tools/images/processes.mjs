/**
 * What each image runs: programs of `dist`. `without` are folders whose files are loaded on demand and never in the image. `commands` are
 * put into /app/bin.
 */
export const processes = {
  gateway: { programs: ['gateway'] },
  identity: { programs: ['identity'] },
  'ledger-balance': { programs: ['ledger-balance'] },
  orders: { programs: ['orders'] },
  'escrow-adapter': { programs: ['escrow-adapter'] },
  payments: { programs: ['payments'] },
  notifications: { programs: ['notifications'] },
  sandbox: { programs: ['sandbox'] },
  migrate: { programs: ['migrate', 'secrets'] },
  operator: {
    programs: ['operator'],
    // Only on a machine with a data folder.
    without: ['dev-servers'],
    commands: { operator: 'tools/images/operator.sh' },
  },
};
