const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const testTimeout = Symbol.for('TEST_TIMEOUT_SYMBOL'); // where Jest's own `jest.setTimeout` puts it

/**
 * Runs test files in the worker's global scope instead of a new context, so that native-runner.cjs can share loaded modules between them.
 * What a test file or Jest adds to the global object, or replaces there, is put back when the file ends.
 */
module.exports = class NativeEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.keys = new Set(Reflect.ownKeys(globalThis));
    const { exit, getBuiltinModule, env } = process;
    this.replaced = { console: globalThis.console, exit, getBuiltinModule, environment: { ...env } };
    globalThis.jest = this.jestObject();
  }

  /** The functions of Jest's `jest` that our tests use. */
  jestObject() {
    const { moduleMocker, fakeTimersModern } = this;
    return {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
      setTimeout: (timeoutMs) => {
        globalThis[testTimeout] = timeoutMs;
      },
      useFakeTimers: (options) => fakeTimersModern.useFakeTimers(options),
      useRealTimers: () => fakeTimersModern.useRealTimers(),
      advanceTimersByTime: (ms) => fakeTimersModern.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => fakeTimersModern.advanceTimersByTimeAsync(ms),
      getTimerCount: () => fakeTimersModern.getTimerCount(),
    };
  }

  /** Jest's runtime has replaced this function of Node by then, and ends with the test file. */
  async setup() {
    process.getBuiltinModule = this.replaced.getBuiltinModule;
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    // Symbols, too: jest-circus keeps its event handlers under one, and the handlers of earlier files would be called for every event. A
    // symbol of `expect` cannot be deleted; it holds the matchers.
    for (const key of Reflect.ownKeys(globalThis)) if (!this.keys.has(key)) Reflect.deleteProperty(globalThis, key);
    globalThis.console = this.replaced.console;
    process.exit = this.replaced.exit;
    restoreEnvironment(this.replaced.environment);
  }

  exportConditions() {
    return ['node', 'require', 'default'];
  }

  /** There is none: modules are loaded by Node. */
  getVmContext() {
    return null;
  }
};

function restoreEnvironment(before) {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}
