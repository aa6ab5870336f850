const service = (name) => ({ folder: `services/${name}`, program: `services/${name}/dist/main.js` });

/**
 * What each image runs. A process with a folder brings that package and what its package.json declares. A command of tools/ has no
 * folder: it brings what its own file imports, because the package.json of tools/ also declares development servers. `isByFile` follows
 * the imports through our own packages, too, and leaves out of them what is not imported. `commands` are put into /app/bin.
 */
export const processes = {
  gateway: { folder: 'gateway', program: 'gateway/dist/main.js' },
  identity: service('identity'),
  'ledger-balance': service('ledger-balance'),
  orders: service('orders'),
  'escrow-adapter': service('escrow-adapter'),
  payments: service('payments'),
  notifications: service('notifications'),
  sandbox: { folder: 'sandbox', program: 'sandbox/dist/main.js' },
  migrate: { program: 'tools/dist/migrate.js', further: ['tools/dist/secrets.js'] },
  operator: {
    program: 'tools/dist/operator.js',
    // Its commands use a few files of the services. Whole packages would bring everything that serves.
    isByFile: true,
    // Loaded on demand, and only on a machine with a data folder.
    without: ['@holdfast/dev-servers'],
    commands: { operator: 'tools/images/operator.sh' },
  },
};
