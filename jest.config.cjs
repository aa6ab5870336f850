/**
 * Three projects: `unit` needs nothing but Node, `int` a Postgres and a RabbitMQ, `e2e` the built programs, too. Tests are beside the
 * code, and the file name says the project. Node loads the test files itself (see native-runner.cjs), so nothing is transformed here.
 */
require('./tools/require-node.cjs');

const testing = '<rootDir>/shared/testing/src';
const roots = ['shared', 'dev-servers', 'gateway', 'services', 'sandbox', 'all-in-one', 'clients', 'console', 'tools'].map(
  (folder) => `<rootDir>/${folder}`,
);

const everyProject = {
  testEnvironment: `${testing}/jest/native-environment.cjs`,
  testRunner: `${testing}/jest/native-runner.cjs`,
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
};
const servers = {
  globalSetup: `${testing}/jest-global-setup.cjs`,
  globalTeardown: `${testing}/jest-global-teardown.cjs`,
};

/** Whole fault matrices, one file for each way of running the platform; only `npm run faults` plays them. */
const matrices = process.env.HOLDFAST_FAULTS === 'all' ? ['**/src/faults/*.matrix.ts'] : [];

module.exports = {
  projects: [
    {
      ...everyProject,
      displayName: 'unit',
      roots,
      testMatch: ['**/src/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.int\\.test\\.ts$'],
    },
    { ...everyProject, ...servers, displayName: 'int', roots, testMatch: ['**/src/**/*.int.test.ts'] },
    {
      ...everyProject,
      ...servers,
      displayName: 'e2e',
      roots: ['<rootDir>/e2e'],
      testMatch: ['**/src/**/*.test.ts', ...matrices],
    },
  ],
  // Two more than the smallest CI server has processors, because many suites wait.
  maxWorkers: 4,
  testSequencer: '<rootDir>/jest.sequencer.cjs',
  // Longer than `eventually` waits, so that its failure is reported rather than the time limit.
  testTimeout: 120_000,
  // A worker that has run many suites frees a large heap when it exits, which takes longer than the half second of the default.
  workerGracefulExitTimeout: 10_000,
};
