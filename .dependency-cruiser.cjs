// Which folder may import which. Tests in e2e/src/architecture prove every rule on a planted offender.

const workspace = '(shared/[^/]+|dev-servers|gateway|sandbox|all-in-one|clients/[^/]+|console|e2e|bench|tools|services/[^/]+)';
const test = '[.]test[.]tsx?$';
const testing = '/testing/';
const kernel = '^shared/kernel/src/';
const contracts = '^shared/contracts/src/';
/** The pure part of the saga runtime. Its runs are in `@holdfast/sagas/runs`. */
const sagas = '^shared/sagas/src/[^/]+[.]ts$';
const npm = (names) => `(^|/)node_modules/(@types/)?(${names})/`;
const inService = (folder) => `^(services/[^/]+|gateway|sandbox)/src/${folder}/`;
const ports = [
  '/use-cases/ports[.]ts$',
  '/use-cases/[a-z]+-ports[.]ts$',
  '/use-cases/[a-z]+/ports[.]ts$',
  '/use-cases/[a-z]+/[a-z]+-ports[.]ts$',
];
const networkValues = '^shared/ledger-network/src/values/';
const signing = '^shared/ledger-network/src/signing/';

/** The packages of `shared/`, in the order in which they may build upon each other: each imports only from those above its line. */
const packages = [
  'kernel',
  'contracts',
  'observability',
  'postgres',
  'work',
  'http',
  'messaging',
  'sagas',
  'intents',
  'webhook-inbox',
  'ledger-network',
  'process',
  'service-kit',
  'testing',
];

/** Where the files of a process are. Each of these folders has its rules below; a file anywhere else is refused. */
const knownPlaces = [
  // The entries of every service.
  '^services/[^/]+/src/(main|service|config|index|metrics)[.]ts$',
  '^services/[^/]+/src/(domain|use-cases|http|messages|store|providers|operator|testing)/',
  // The gateway is a chain of middleware, one file each; what operators read is put together in `operations`.
  '^gateway/src/[^/]+[.]ts$',
  '^gateway/src/(middleware|operations|store|testing)/',
  // The sandbox plays the systems outside; each of them has a folder.
  '^sandbox/src/(main|start-sandbox|run-sandbox-process|config|options|index)[.]ts$',
  '^sandbox/src/(domain|store|testing|control|web|webhooks|escrow-provider|payment-provider|ledger-network|contract-calls|rpc)/',
];
const processFile = '^(services/[^/]+|gateway|sandbox)/src/';

const forbidden = [
  {
    name: 'services-stay-apart',
    comment: 'Services use each other through messages and declared routes, never through code.',
    from: { path: '^services/([^/]+)/' },
    to: { path: '^services/', pathNot: '^services/$1/' },
  },
  {
    name: 'gateway-stays-thin',
    comment: 'The gateway knows contracts, not services.',
    from: { path: '^gateway/' },
    to: { path: '^(services|sandbox|all-in-one|clients|console|e2e|bench|tools)/' },
  },
  {
    name: 'shared-looks-up-to-nobody',
    comment: 'Shared packages cannot depend on their users.',
    from: { path: '^shared/' },
    to: { path: '^(gateway|services|sandbox|all-in-one|clients|console|e2e|bench|tools)/' },
  },
  ...packages.slice(0, -1).map((name, line) => ({
    name: `${name}-imports-from-above-its-line`,
    comment: 'Packages are ordered, so that none needs what builds upon it. Tests may use what comes later.',
    from: { path: `^shared/${name}/`, pathNot: [test, testing] },
    to: { path: `^shared/(${packages.slice(line + 1).join('|')})/` },
  })),
  {
    name: 'packages-have-a-line',
    comment: 'A package that the order does not name could import anything.',
    from: { path: '^shared/', pathNot: `^shared/(${packages.join('|')})/` },
    to: {},
  },
  {
    name: 'files-are-in-known-folders',
    comment: 'A folder that no rule knows would escape every rule.',
    from: { path: processFile, pathNot: [...knownPlaces, test] },
    to: {},
  },
  {
    name: 'unknown-folders-are-not-imported',
    comment: 'Nor does a file without imports stand anywhere else.',
    from: {},
    to: { path: processFile, pathNot: [...knownPlaces, test] },
  },
  {
    name: 'services-do-not-see-programs',
    comment: 'Only all-in-one, e2e, bench and tools see everything; nothing a service needs lives there.',
    from: { path: '^(services|sandbox)/' },
    to: { path: '^(gateway|all-in-one|clients|console|e2e|bench|tools)/' },
  },
  {
    name: 'only-development-uses-dev-servers',
    comment: 'Embedded Postgres and the private RabbitMQ are for one machine and for tests; a service is given its servers.',
    from: { path: '^(shared|gateway|services|sandbox)/', pathNot: [test, testing] },
    to: { path: '^dev-servers/' },
  },
  {
    name: 'sdk-stands-alone',
    comment: "The SDK is published: it knows the platform's OpenAPI document and nothing of its code.",
    from: { path: '^clients/sdk/', pathNot: [test, testing, '[.]mjs$'] },
    to: { pathNot: ['^clients/sdk/', npm('eventsource-parser')] },
  },
  {
    name: 'console-calls-public-routes-only',
    comment: 'The console is a client: it reaches the platform through the SDK and knows nothing of its code.',
    from: { path: '^console/', pathNot: test },
    to: { path: `^${workspace}/`, pathNot: ['^console/', '^clients/sdk/src/index[.]ts$'] },
  },
  {
    name: 'kernel-does-no-input-or-output',
    comment: 'Money, ids, states, errors and context are values; of the platform they need only random bytes and timers.',
    from: { path: kernel, pathNot: test },
    to: { pathNot: [kernel, '^(node:)?(crypto|timers/promises)$'] },
  },
  {
    name: 'contracts-need-only-kernel-and-zod',
    comment: 'Every package imports the contracts, so they must not bring a framework.',
    from: { path: contracts, pathNot: test },
    to: { pathNot: [contracts, kernel, npm('zod')] },
  },
  {
    name: 'domain-is-pure',
    comment:
      'Domain code is arithmetic: itself, the kernel, values of the ledger network and the types of an aggregate; no packages, no IO.',
    from: { path: '^(services/[^/]+|gateway|sandbox)/src/domain/', pathNot: test },
    to: { pathNot: ['^$1/src/domain/', kernel, networkValues, sagas] },
  },
  {
    name: 'domain-starts-no-sagas',
    comment: 'Of the saga runtime, domain code names types only.',
    from: { path: inService('domain'), pathNot: test },
    to: { path: sagas, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'saga-changes-are-pure',
    comment: 'Use cases call the saga runtime, so that it needs what they need: kernel, contracts and their unit of work.',
    from: { path: sagas, pathNot: test },
    to: { pathNot: [sagas, kernel, contracts] },
  },
  {
    name: 'network-values-are-pure',
    comment: "Amounts, transfers and lives of entries are arithmetic of the ledger network, which a service's domain may use.",
    from: { path: networkValues, pathNot: test },
    to: { pathNot: [networkValues, kernel] },
  },
  {
    name: 'keys-stay-in-the-signing-folder',
    comment: 'Keys are opened, used and dropped there; what leaves the folder signs, seals or names addresses.',
    from: { pathNot: signing },
    to: { path: `${signing}keys/` },
  },
  {
    name: 'only-the-composition-gets-the-signer',
    comment: 'service.ts hands out the functions that sign, and the operator commands rotate keys; others name their types only.',
    from: { pathNot: [signing, '^services/[^/]+/src/(service[.]ts$|operator/)', test, testing] },
    to: { path: signing, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'use-cases-know-ports-only',
    comment: 'A use case imports domain, contracts, its own ports and the pure part of the saga runtime.',
    from: { path: '^(services/[^/]+|gateway|sandbox)/src/use-cases/', pathNot: test },
    to: { pathNot: ['^$1/src/(use-cases|domain)/', kernel, contracts, networkValues, sagas], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'use-cases-do-not-name-stores-or-edges',
    comment: 'Not even as types: the ports declare what a use case needs.',
    from: { path: inService('use-cases'), pathNot: test },
    to: { path: inService('(store|http|messages|providers|testing)') },
  },
  {
    name: 'edges-go-through-use-cases',
    comment: 'HTTP and messages are two entry points to the same use cases, and import nothing behind them.',
    from: { path: inService('(http|messages)'), pathNot: test },
    to: { path: inService('(store|providers|domain)'), dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'stores-and-providers-serve-ports',
    comment: 'Stores and providers implement ports and use domain values; they call no use case, route or consumer.',
    from: { path: inService('(store|providers)'), pathNot: test },
    to: { path: inService('(use-cases|http|messages)'), pathNot: ports },
  },
  {
    name: 'typeorm-and-pg-live-in-stores',
    comment: 'One place turns rows into domain values.',
    from: {
      path: `^${workspace}/`,
      pathNot: [inService('store'), '^(shared/(postgres|messaging|service-kit)|dev-servers)/src/', testing, '^bench/', test],
    },
    to: { path: npm('typeorm|pg') },
  },
  {
    name: 'amqplib-lives-in-messaging',
    comment: 'Other code uses the broker port.',
    from: { path: `^${workspace}/`, pathNot: ['^shared/messaging/src/broker/', testing, '^bench/'] },
    to: { path: npm('amqplib') },
  },
  {
    name: 'folders-of-a-package-are-entered-by-index',
    comment: 'A folder of a shared package is imported by its index, also from the folders beside it.',
    from: { path: '^(shared/[^/]+|dev-servers)/src/([^/]+)/' },
    to: { path: '^$1/src/[^/]+/', pathNot: ['^$1/src/$2/', '/index[.]ts$', testing] },
  },
  {
    name: 'workspaces-are-entered-by-index',
    comment:
      'From one workspace to another only by package name, which leads to an index. The bin of the CLI is exempt, because it builds before it imports.',
    from: { path: `^${workspace}/`, pathNot: '^clients/cli/holdfast[.]mjs$' },
    to: { path: `^${workspace}/`, pathNot: ['^$1/', '/index[.]ts$'] },
  },
  {
    name: 'no-cycles',
    comment: 'Two files that import each other belong together, or need a third one.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphans',
    comment: 'A file without imports that no file imports is unused.',
    from: { orphan: true, pathNot: ['/src/main[.]tsx?$', '^gateway/reference/', test, '[.](mjs|cjs)$'] },
    to: {},
  },
  {
    name: 'no-test-code-in-product',
    comment: 'Builders, in-memory ports and tests never reach production.',
    from: { path: '^(shared|gateway|sandbox|services|all-in-one|clients|console|tools)/', pathNot: [test, testing] },
    to: { path: [test, testing, '^(e2e|bench)/'] },
  },
  {
    name: 'no-development-packages-in-product',
    comment: 'Packages of the development set are not there in production.',
    from: { path: '^(shared|gateway|sandbox|services|all-in-one|console)/', pathNot: [test, testing] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'type-only'] },
  },
  {
    name: 'declare-what-you-use',
    comment: 'Every imported package is declared in the package.json of the importing workspace.',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'imports-lead-somewhere',
    comment: 'An unresolved import escapes every other rule.',
    from: {},
    to: { couldNotResolve: true },
  },
];

module.exports = {
  forbidden: forbidden.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|^clients/sdk/generator/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
