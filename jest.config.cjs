/** Tests sit beside the code; integration tests share one Postgres and one RabbitMQ that the global setup lends. */
module.exports = {
  testEnvironment: 'node',
  roots: [
    '<rootDir>/shared/src',
    '<rootDir>/gateway/src',
    '<rootDir>/services',
    '<rootDir>/sandbox/src',
    '<rootDir>/all-in-one/src',
    '<rootDir>/e2e/src',
    '<rootDir>/tools/src',
  ],
  testMatch: ['**/src/**/*.test.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }],
  },
  moduleNameMapper: {
    '^@holdfast/shared/(.*)$': '<rootDir>/shared/src/$1/index.ts',
    '^@holdfast/(escrow-adapter|identity|ledger-balance|notifications|orders)$': '<rootDir>/services/$1/src/index.ts',
    '^@holdfast/(gateway|sandbox|all-in-one)$': '<rootDir>/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  globalSetup: '<rootDir>/shared/src/testing/jest-global-setup.cjs',
  globalTeardown: '<rootDir>/shared/src/testing/jest-global-teardown.cjs',
  // More than two only fight for the processor: most tests wait for one shared database.
  maxWorkers: 2,
  testTimeout: 30_000,
  // A worker that has run many suites frees a large heap when it exits, which takes longer than the half second of the default.
  workerGracefulExitTimeout: 10_000,
};
