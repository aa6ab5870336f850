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

export const dependencyCases: readonly RuleCase[] = [
  {
    rule: 'services-stay-apart',
    offender: { [`${orders}/ask-payments.ts`]: importOf('@holdfast/payments') },
    clean: { [`${orders}/ask-shared.ts`]: importOf('@holdfast/shared/contracts/http') },
  },
  {
    rule: 'gateway-stays-thin',
    offender: { 'gateway/src/ask-orders.ts': importOf('@holdfast/orders') },
    clean: { 'gateway/src/route-table.ts': importOf('@holdfast/shared/contracts/http') },
  },
  {
    rule: 'shared-looks-up-to-nobody',
    offender: { 'shared/src/lifecycle/look-up.ts': importOf('@holdfast/orders') },
    clean: { 'shared/src/lifecycle/look-down.ts': importOf('../money/index.js') },
  },
  {
    rule: 'services-do-not-see-programs',
    offender: { [`${orders}/use-tool.ts`]: importOf('@holdfast/tools') },
    clean: { 'all-in-one/src/start.ts': importOf('@holdfast/orders') },
  },
  {
    rule: 'pure-ring-imports-inwards-only',
    offender: {
      'shared/src/money/read-file.ts': importOf('node:fs'),
      'shared/src/ids/name.ts': importOf('../postgres/index.js'),
    },
    clean: { 'shared/src/ids/digest.ts': `${importOf('node:crypto')}${importOf('../money/index.js')}` },
  },
  {
    rule: 'contract-ring-imports-inwards-only',
    offender: { 'shared/src/contracts/http/connect.ts': importOf('../../postgres/index.js') },
    clean: { 'shared/src/contracts/http/amount.ts': importOf('../../money/index.js') },
  },
  {
    rule: 'runtime-ring-imports-inwards-only',
    offender: { 'shared/src/postgres/fake.ts': importOf('../testing/index.js') },
    clean: { 'shared/src/postgres/fake.test.ts': importOf('../testing/index.js') },
  },
  {
    rule: 'contracts-need-only-zod',
    offender: { 'shared/src/contracts/http/serve.ts': importOf('express'), 'shared/src/sagas/read.ts': importOf('node:fs') },
    clean: { 'shared/src/contracts/http/shape.ts': importOf('zod') },
  },
  {
    rule: 'domain-is-pure',
    offender: {
      [`${orders}/domain/parse.ts`]: importOf('zod'),
      [`${orders}/domain/path.ts`]: importOf('node:path'),
      [`${orders}/domain/contract.ts`]: typeOf('@holdfast/shared/contracts/http'),
    },
    clean: {
      [`${orders}/domain/fee.ts`]: `${importOf('@holdfast/shared/money')}${importOf('./order.js')}`,
      [`${orders}/domain/fee.test.ts`]: `${importOf('fast-check')}${importOf('./fee.js')}`,
    },
  },
  {
    rule: 'use-cases-know-ports-only',
    offender: {
      [`${orders}/use-cases/settle.ts`]: importOf('@holdfast/shared/postgres'),
      [`${orders}/use-cases/read.ts`]: importOf('node:fs'),
    },
    clean: {
      [`${orders}/use-cases/request-refund.ts`]: `${importOf('../domain/order.js')}${importOf('@holdfast/shared/contracts/http')}`,
      [`${orders}/use-cases/wait.ts`]: typeOf('@holdfast/shared/postgres'),
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
    clean: { [`${orders}/store/refund-store.ts`]: `${typeOf('../use-cases/ports.js')}${importOf('../domain/order.js')}` },
  },
  {
    rule: 'typeorm-and-pg-live-in-stores',
    offender: { [`${orders}/query.ts`]: importOf('pg'), 'shared/src/lifecycle/entity.ts': typeOf('typeorm') },
    clean: {
      [`${orders}/store/schema.ts`]: `${importOf('typeorm')}${importOf('pg')}`,
      'shared/src/postgres/pool.ts': importOf('pg'),
      'bench/src/reference.ts': importOf('pg'),
    },
  },
  {
    rule: 'amqplib-lives-in-the-broker-folder',
    offender: { 'shared/src/lifecycle/publish.ts': importOf('amqplib') },
    clean: { 'shared/src/broker/rabbitmq.ts': importOf('amqplib'), 'bench/src/confirm-loop.ts': importOf('amqplib') },
  },
  {
    rule: 'shared-is-imported-by-folder',
    offender: {
      'shared/src/lifecycle/peek.ts': importOf('../money/index-of-money.js'),
      'shared/src/contracts/messages/peek.ts': importOf('../http/shape.js'),
    },
    clean: {
      'shared/src/lifecycle/knock.ts': importOf('../money/index.js'),
      'shared/src/contracts/http/balances/credit.ts': importOf('../shape.js'),
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
    clean: { [`${orders}/root.ts`]: importOf('./trunk.js'), [`${orders}/trunk.ts`]: importOf('./domain/order.js') },
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
      'all-in-one/src/seed.ts': importOf('@holdfast/shared/testing'),
    },
    clean: {
      [`${orders}/seed.test.ts`]: importOf('./testing/an-order.js'),
      'bench/src/seed.ts': importOf('@holdfast/shared/testing'),
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
