const asyncHooks = require('node:async_hooks');
const runWithCircus = require('jest-circus/runner').default;
const { register } = loadTsx();

register();
const importRegistered = import('tsx/esm/api').then((esm) => void esm.register()); // for `import()` in our sources

/**
 * Runs a test file with jest-circus, Jest's own runner, but lets Node load it. Jest loads every module anew for every test file; Node
 * loads TypeORM, Express, the Stellar SDK and our own packages once for all files of a worker. So modules must have no state of their own
 * that one test file could leave to the next. See ADR 0070.
 */
module.exports = async function runTestFile(...given) {
  const [globalConfig, projectConfig, environment, , testPath] = given;
  await importRegistered;
  Error.prepareStackTrace = undefined; // Node maps stack traces to the sources; Jest knows only maps of its own transforms
  // Without a function that would send the start and end of each of 6,000 tests to Jest's main process, which shows files only.
  return runWithCircus(globalConfig, projectConfig, environment, nativeRuntime, testPath);
};

/**
 * tsx keeps what it has transpiled in the temporary folder that it finds when it is loaded. The folder of a run with servers is new and
 * empty, and each run would transpile all sources again.
 */
function loadTsx() {
  const { HOLDFAST_TEST_CACHES: caches, TMPDIR: temporary } = process.env;
  if (caches !== undefined) process.env.TMPDIR = caches;
  try {
    return require('tsx/cjs/api');
  } finally {
    if (temporary !== undefined) process.env.TMPDIR = temporary;
  }
}

/** The part of Jest's Runtime that jest-circus uses. */
const nativeRuntime = {
  requireInternalModule: loadCircus,
  requireModule: loadAnew,
  unstable_shouldLoadAsEsm: () => false,
  setGlobalsForRuntime: () => undefined,
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

/**
 * Loads jest-circus itself anew, because its state belongs to one test file. It makes an AsyncLocalStorage each time, to find the test that
 * an uncaught error belongs to. In Node 20 each AsyncLocalStorage that was ever used slows down all promises of the process. So jest-circus
 * gets one that stores nothing: an uncaught error fails its file instead of its test.
 */
function loadCircus(file) {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = EmptyStorage;
  try {
    return loadAnew(file);
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

class EmptyStorage {
  run(_store, callback) {
    return callback();
  }

  getStore() {
    return undefined;
  }
}

function loadAnew(file) {
  delete require.cache[file];
  return require(file);
}
