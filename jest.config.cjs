/** Tests sit beside the code; integration tests share the servers that the global setup lends. */
module.exports = {
  testEnvironment: 'node',
  roots: [
    '<rootDir>/shared',
    '<rootDir>/dev-servers/src',
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
    // It loads node:http by a dynamic import, which Jest has only as a function call.
    '/@opentelemetry/otlp-exporter-base/.+\\.js$': ['@swc/jest', { jsc: { target: 'es2023' }, module: { type: 'commonjs' } }],
  },
  transformIgnorePatterns: ['/node_modules/(?!@opentelemetry/otlp-exporter-base/)'],
  // Packages of this repository are entered by their sources, as the compiler does.
  testEnvironmentOptions: { customExportConditions: ['holdfast-source', 'node', 'require', 'default'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  globalSetup: '<rootDir>/shared/testing/src/jest-global-setup.cjs',
  globalTeardown: '<rootDir>/shared/testing/src/jest-global-teardown.cjs',
  setupFilesAfterEnv: ['<rootDir>/jest.setup.cjs'],
  // One more than the smallest CI server has processors, because many suites wait.
  maxWorkers: 3,
  testSequencer: '<rootDir>/jest.sequencer.cjs',
  // Longer than `eventually` waits, so that its failure is reported rather than the time limit.
  testTimeout: 120_000,
  // A worker that has run many suites frees a large heap when it exits, which takes longer than the half second of the default.
  workerGracefulExitTimeout: 10_000,
};
