/**
 * Builds stale programs, because tests of whole programs run the built output. Then provides one Postgres and one RabbitMQ to all
 * test files through a local HTTP server. Each starts with the first request for it, so that a run of unit tests starts none, and a
 * test whose server cannot start fails with the reason. Temporary files are in memory where possible, unless TMPDIR says where.
 */
const { execFileSync } = require('node:child_process');
const { createServer } = require('node:http');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { require: loadSource } = require('tsx/cjs/api');

const load = (file) => loadSource(file, __filename);
const startRabbitmq = async () => load('./rabbitmq/index.ts').provideRabbitmq();
const starters = {
  postgres: async () => load('./postgres/index.ts').providePostgres(),
  rabbitmq: startRabbitmq,
  // For test files that run whole service processes at the same time.
  'rabbitmq-2': startRabbitmq,
  'rabbitmq-3': startRabbitmq,
  // The one platform of the e2e suites that leave each other alone.
  platform: async () => load('../../../e2e/src/testing/provide-platform.ts').providePlatform(),
};

module.exports = async function globalSetup({ rootDir }) {
  execFileSync(process.execPath, [path.join(rootDir, 'tools/build.mjs'), 'dist', 'e2e/dist'], { stdio: 'inherit' });
  const { makeMemoryFolder, removeFolder } = load('./temporary-folder/index.ts');
  const memoryFolder = process.env.TMPDIR === undefined ? makeMemoryFolder() : undefined;
  if (memoryFolder !== undefined) Object.assign(process.env, { HOLDFAST_TEST_CACHES: tmpdir(), TMPDIR: memoryFolder });
  const started = new Map();
  const registry = createServer((request, response) => {
    const name = request.url.slice(1);
    // A connection that is reused may be closed by this busy process just when a worker sends its request.
    response.setHeader('connection', 'close');
    if (!started.has(name)) started.set(name, starters[name]());
    started.get(name).then(
      (server) => response.end(JSON.stringify(server)),
      (error) => response.writeHead(500).end(String(error.stack)),
    );
  });
  await new Promise((resolve) => registry.listen(0, '127.0.0.1', resolve));
  process.env.HOLDFAST_TEST_SERVERS = `http://127.0.0.1:${registry.address().port}`;
  globalThis.stopTestServers = async () => {
    registry.closeAllConnections();
    registry.close();
    const servers = await Promise.allSettled(started.values());
    await Promise.all(servers.map((server) => server.value?.stop()));
    if (memoryFolder !== undefined) removeFolder(memoryFolder);
  };
};
