// The programs of this repository, which are the files that Node is started with, and the pages that they serve.
const services = ['identity', 'ledger-balance', 'orders', 'escrow-adapter', 'payments', 'notifications'];
const commands = [
  'backup',
  'demo',
  'distributed',
  'key',
  'migrate',
  'operator',
  'reset',
  'restore',
  'rotate-wallet-keys',
  'secrets',
  'service',
  'treasury',
];

/**
 * Their sources, by the folder they are built into: `services/orders/src/main.ts` as `orders.js`, `tools/src/sagas.ts` as `sagas.js`. Programs of one folder share the code that they have in common. `dist` holds what an
 * installation runs, and needs no development dependency to be built.
 */
export const programs = {
  dist: [
    'all-in-one/src/main.ts',
    'clients/cli/src/holdfast.ts',
    'gateway/src/main.ts',
    'sandbox/src/main.ts',
    ...services.map((name) => `services/${name}/src/main.ts`),
    ...commands.map((name) => `tools/src/${name}.ts`),
  ],
  'bench/dist': [
    'bench/src/main.ts',
    'bench/src/gateway/serve-gateway.ts',
    'bench/src/gateway/stand-in.ts',
    'bench/src/load/generate-load.ts',
    'bench/src/reference/proxy.ts',
    'bench/src/reference/serve.ts',
    'bench/src/stream/serve-stream.ts',
    'bench/src/stream/subscribe.ts',
    'bench/src/webhooks-out/receive.ts',
  ],
  'e2e/dist': [
    'dev-servers/src/postgres/testing/hold-server.ts',
    'shared/messaging/src/outbox/testing/crash-node.ts',
    'shared/process/src/lifecycle/testing/process-under-test.ts',
    'shared/service-kit/src/testing/sample-process.ts',
  ],
};

/** Pages that browsers load, by the folder that they are built into: the sources, and the path at which they are served. */
export const pages = {
  'gateway/dist/console': { source: 'console', servedAt: '/console' },
};
