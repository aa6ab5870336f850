import { packageOrder } from './dependency-tree.js';
import type { Files } from './planted-tree.js';

export type RuleCase = {
  readonly rule: string;
  /** Files that break the rule, and no file but these. */
  readonly offender: Files;
  /** What the rule must leave alone, as close to the offender as can be. */
  readonly clean: Files;
};

const orders = 'services/orders/src';
const importOf = (from: string): string => `import '${from}';\n`;
const typeOf = (from: string): string => `import type { thing } from '${from}';\nexport type Thing = typeof thing;\n`;

/** Of each package but the last one: it may import the package before it, and not the one after it. */
const orderCases = packageOrder.slice(0, -1).map((name, line): RuleCase => {
  const before = packageOrder[line - 1];
  return {
    rule: `${name}-imports-from-above-its-line`,
    offender: { [`shared/${name}/src/inside/look-below.ts`]: importOf(`@holdfast/${packageOrder[line + 1] ?? ''}`) },
    clean: {
      [`shared/${name}/src/inside/look-above.ts`]: importOf(before === undefined ? '../index.js' : `@holdfast/${before}`),
    },
  };
});

export const dependencyCases: readonly RuleCase[] = [
  ...orderCases,
  {
    rule: 'packages-have-a-line',
    offender: { 'shared/odds/src/read-file.ts': importOf('node:fs') },
    clean: { 'shared/postgres/src/known.ts': importOf('./index.js') },
  },
  {
    rule: 'files-are-in-known-folders',
    offender: {
      [`${orders}/wallets/hold.ts`]: importOf('../domain/order.js'),
      [`${orders}/adapter.ts`]: importOf('./domain/order.js'),
      'gateway/src/wallets/hold.ts': importOf('@holdfast/contracts/http'),
    },
    clean: { [`${orders}/operator/rotate.ts`]: importOf('../domain/order.js') },
  },
  {
    rule: 'unknown-folders-are-not-imported',
    offender: { [`${orders}/operator/reach.ts`]: importOf('../wallets/leaf.js') },
    clean: { [`${orders}/operator/list.ts`]: importOf('../store/order-store.js') },
  },
  {
    rule: 'network-values-are-pure',
    offender: {
      'shared/ledger-network/src/values/read.ts': importOf('node:fs'),
      'shared/ledger-network/src/values/parse.ts': importOf('zod'),
    },
    clean: {
      'shared/ledger-network/src/values/add.ts': `${importOf('@holdfast/kernel/money')}${importOf('./index.js')}`,
      [`${orders}/domain/amount.ts`]: importOf('@holdfast/ledger-network/values'),
      [`${orders}/use-cases/compare.ts`]: importOf('@holdfast/ledger-network/values'),
    },
  },
  {
    rule: 'keys-stay-in-the-signing-folder',
    offender: { 'shared/ledger-network/src/submission/steal.ts': importOf('../signing/keys/ed25519.js') },
    clean: { 'shared/ledger-network/src/signing/signer.ts': importOf('./keys/ed25519.js') },
  },
  {
    rule: 'only-the-composition-gets-the-signer',
    offender: {
      [`${orders}/providers/sign.ts`]: importOf('@holdfast/ledger-network/signing'),
      'shared/ledger-network/src/submission/sign.ts': importOf('../signing/index.js'),
    },
    clean: {
      [`${orders}/service.ts`]: importOf('@holdfast/ledger-network/signing'),
      [`${orders}/providers/pay.ts`]: typeOf('@holdfast/ledger-network/signing'),
      [`${orders}/providers/pay.test.ts`]: importOf('@holdfast/ledger-network/signing'),
    },
  },
  {
    rule: 'services-stay-apart',
    offender: { [`${orders}/call-payments.ts`]: importOf('@holdfast/payments') },
    clean: { [`${orders}/operator/read-contracts.ts`]: importOf('@holdfast/contracts/http') },
  },
  {
    rule: 'gateway-stays-thin',
    offender: { 'gateway/src/call-orders.ts': importOf('@holdfast/orders') },
    clean: { 'gateway/src/route-table.ts': importOf('@holdfast/contracts/http') },
  },
  {
    rule: 'shared-looks-up-to-nobody',
    offender: { 'shared/service-kit/src/look-up.ts': importOf('@holdfast/orders') },
    clean: { 'shared/service-kit/src/look-down.ts': importOf('@holdfast/kernel/money') },
  },
  {
    rule: 'sdk-stands-alone',
    offender: { 'clients/sdk/src/look-up.ts': importOf('@holdfast/kernel/money') },
    clean: { 'clients/sdk/src/look-around.ts': importOf('./index.js') },
  },
  {
    rule: 'console-calls-public-routes-only',
    offender: { 'console/src/look-behind.ts': importOf('@holdfast/contracts/http') },
    clean: { 'console/src/ask.ts': importOf('@holdfast/sdk') },
  },
  {
    rule: 'services-do-not-see-programs',
    offender: { [`${orders}/use-tool.ts`]: importOf('@holdfast/tools') },
    clean: { 'all-in-one/src/start.ts': importOf('@holdfast/orders') },
  },
  {
    rule: 'only-development-uses-dev-servers',
    offender: {
      [`${orders}/start-database.ts`]: importOf('@holdfast/dev-servers/postgres'),
      'shared/service-kit/src/start-database.ts': importOf('@holdfast/dev-servers/postgres'),
    },
    clean: {
      [`${orders}/start-database.test.ts`]: importOf('@holdfast/dev-servers/postgres'),
      'all-in-one/src/start-database.ts': importOf('@holdfast/dev-servers/postgres'),
    },
  },
  {
    rule: 'kernel-does-no-input-or-output',
    offender: {
      'shared/kernel/src/money/read-file.ts': importOf('node:fs'),
      'shared/kernel/src/ids/name.ts': importOf('@holdfast/postgres'),
    },
    clean: { 'shared/kernel/src/ids/digest.ts': `${importOf('node:crypto')}${importOf('../money/index.js')}` },
  },
  {
    rule: 'contracts-need-only-kernel-and-zod',
    offender: {
      'shared/contracts/src/http/connect.ts': importOf('@holdfast/postgres'),
      'shared/contracts/src/http/serve.ts': importOf('express'),
      'shared/contracts/src/sagas/read.ts': importOf('node:fs'),
    },
    clean: { 'shared/contracts/src/http/shape.ts': `${importOf('@holdfast/kernel/money')}${importOf('zod')}` },
  },
  {
    rule: 'domain-is-pure',
    offender: {
      [`${orders}/domain/parse.ts`]: importOf('zod'),
      [`${orders}/domain/path.ts`]: importOf('node:path'),
      [`${orders}/domain/contract.ts`]: typeOf('@holdfast/contracts/http'),
    },
    clean: {
      [`${orders}/domain/fee.ts`]: `${importOf('@holdfast/kernel/money')}${importOf('./order.js')}`,
      [`${orders}/domain/fee.test.ts`]: `${importOf('fast-check')}${importOf('./fee.js')}`,
      [`${orders}/domain/aggregate.ts`]: typeOf('@holdfast/sagas'),
    },
  },
  {
    rule: 'domain-starts-no-sagas',
    offender: { [`${orders}/domain/start.ts`]: importOf('@holdfast/sagas') },
    clean: { [`${orders}/domain/run.ts`]: typeOf('@holdfast/sagas') },
  },
  {
    rule: 'saga-changes-are-pure',
    offender: {
      'shared/sagas/src/save.ts': typeOf('@holdfast/postgres'),
      'shared/sagas/src/wait.ts': importOf('./runs/index.js'),
    },
    clean: {
      'shared/sagas/src/change.ts': `${importOf('@holdfast/kernel/money')}${importOf('@holdfast/contracts/http')}`,
      'shared/sagas/src/runs/store.ts': `${importOf('@holdfast/postgres')}${importOf('../index.js')}`,
    },
  },
  {
    rule: 'use-cases-know-ports-only',
    offender: {
      [`${orders}/use-cases/settle.ts`]: importOf('@holdfast/postgres'),
      [`${orders}/use-cases/read.ts`]: importOf('node:fs'),
      [`${orders}/use-cases/count-runs.ts`]: importOf('@holdfast/sagas/runs'),
    },
    clean: {
      [`${orders}/use-cases/start-saga.ts`]: importOf('@holdfast/sagas'),
      [`${orders}/use-cases/request-refund.ts`]: `${importOf('../domain/order.js')}${importOf('@holdfast/contracts/http')}`,
      [`${orders}/use-cases/wait.ts`]: typeOf('@holdfast/postgres'),
    },
  },
  {
    rule: 'use-cases-do-not-name-stores-or-edges',
    offender: { [`${orders}/use-cases/save.ts`]: typeOf('../store/order-store.js') },
    clean: { [`${orders}/use-cases/keep.ts`]: typeOf('./ports.js') },
  },
  {
    rule: 'edges-go-through-use-cases',
    offender: {
      [`${orders}/http/routes.ts`]: importOf('../store/order-store.js'),
      [`${orders}/messages/consumers.ts`]: importOf('../domain/order.js'),
    },
    clean: {
      [`${orders}/http/refund.ts`]: importOf('../use-cases/request-refund.js'),
      [`${orders}/http/order-view.ts`]: typeOf('../domain/order.js'),
    },
  },
  {
    rule: 'stores-and-providers-serve-ports',
    offender: {
      [`${orders}/store/busy-store.ts`]: importOf('../use-cases/request-refund.js'),
      [`${orders}/providers/escrow.ts`]: importOf('../http/refund.js'),
    },
    clean: {
      [`${orders}/store/refund-store.ts`]: `${typeOf('../use-cases/ports.js')}${importOf('../domain/order.js')}`,
      [`${orders}/store/custody-store.ts`]: importOf('../use-cases/custody/ports.js'),
    },
  },
  {
    rule: 'typeorm-and-pg-live-in-stores',
    offender: { [`${orders}/query.ts`]: importOf('pg'), 'shared/http/src/server/entity.ts': typeOf('typeorm') },
    clean: {
      [`${orders}/store/schema.ts`]: `${importOf('typeorm')}${importOf('pg')}`,
      'shared/postgres/src/pool.ts': importOf('pg'),
      'bench/src/reference.ts': importOf('pg'),
    },
  },
  {
    rule: 'amqplib-lives-in-messaging',
    offender: { 'shared/service-kit/src/publish.ts': importOf('amqplib') },
    clean: { 'shared/messaging/src/broker/rabbitmq.ts': importOf('amqplib'), 'bench/src/confirm-loop.ts': importOf('amqplib') },
  },
  {
    rule: 'folders-of-a-package-are-entered-by-index',
    offender: {
      'shared/kernel/src/ids/peek.ts': importOf('../money/index-of-money.js'),
      'shared/contracts/src/messages/peek.ts': importOf('../http/shape.js'),
    },
    clean: {
      'shared/kernel/src/ids/knock.ts': importOf('../money/index.js'),
      'shared/contracts/src/http/balances/credit.ts': importOf('../shape.js'),
    },
  },
  {
    rule: 'workspaces-are-entered-by-index',
    offender: { 'e2e/src/peek.ts': importOf('../../services/orders/src/domain/order.js') },
    clean: { 'e2e/src/knock.ts': importOf('@holdfast/orders') },
  },
  {
    rule: 'no-cycles',
    offender: { [`${orders}/hen.ts`]: importOf('./egg.js'), [`${orders}/egg.ts`]: typeOf('./hen.js') },
    clean: {
      [`${orders}/operator/root.ts`]: importOf('./trunk.js'),
      [`${orders}/operator/trunk.ts`]: importOf('../domain/order.js'),
    },
  },
  {
    rule: 'no-orphans',
    offender: { [`${orders}/forgotten.ts`]: 'export const forgotten = true;\n' },
    clean: { [`${orders}/main.ts`]: 'export const begun = true;\n' },
  },
  {
    rule: 'no-test-code-in-product',
    offender: {
      [`${orders}/seed.ts`]: importOf('./testing/an-order.js'),
      'all-in-one/src/seed.ts': importOf('@holdfast/testing'),
    },
    clean: {
      [`${orders}/seed.test.ts`]: importOf('./testing/an-order.js'),
      'bench/src/seed.ts': importOf('@holdfast/testing'),
    },
  },
  {
    rule: 'no-development-packages-in-product',
    offender: { [`${orders}/shuffle.ts`]: importOf('fast-check') },
    clean: { [`${orders}/shuffle.test.ts`]: importOf('fast-check'), [`${orders}/testing/any-order.ts`]: importOf('fast-check') },
  },
  {
    rule: 'declare-what-you-use',
    offender: { 'gateway/src/undeclared.ts': importOf('express') },
    clean: { 'gateway/src/declared.ts': importOf('zod') },
  },
  {
    rule: 'imports-lead-somewhere',
    offender: { 'gateway/src/lost.ts': importOf('./nowhere.js') },
    clean: { 'gateway/src/found.ts': importOf('./declared.js') },
  },
];
