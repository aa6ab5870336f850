const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Some tests of the whole system, which take longest, those that take longest first. They begin first, so that none is left alone at the end. */
const longest = [
  'installation',
  'faults/chosen',
  'budget',
  'on-rabbitmq',
  'whole-platform',
  'cli',
  'browser/console-support',
  'browser/pages',
  'public-network',
  'roll-out',
].map((name) => `e2e/src/${name}.test.ts`);

/** The same of the whole fault matrices, which only `npm run faults` plays. */
const longestMatrices = [
  'kills.two-replicas',
  'kills.rabbitmq',
  'orders.two-replicas',
  'orders.rabbitmq',
  'orders.in-process',
  'lost-messages.rabbitmq',
].map((name) => `e2e/src/faults/${name}.matrix.ts`);
const firstFiles = [...longestMatrices, ...longest];

/**
 * Test files of the whole system start many processes, most of those with a server wait, and those without one are short. So the first are
 * spread over the second, which keeps every worker busy and no processor overloaded, and the third fill the end of the run.
 */
module.exports = class extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests); // the longest first, as far as known from earlier runs, else the largest
    const ofSystem = sorted.filter(isOfSystem).sort((a, b) => placeOf(a) - placeOf(b));
    const withServer = sorted.filter(isWithServer);
    const others = sorted.filter((test) => !isOfSystem(test) && !isWithServer(test));
    const between = Math.floor(withServer.length / (ofSystem.length + 1));
    const spread = ofSystem.flatMap((test, nth) => [test, ...withServer.slice(nth * between, (nth + 1) * between)]);
    return [...spread, ...withServer.slice(ofSystem.length * between), ...others];
  }
};
module.exports.longest = longest;

/** The suites of the architecture only read files, and those beside the fault matrices only compare lists of cases. */
function isOfSystem(test) {
  return /^e2e\/src\/(?!architecture\/|faults\/(?!chosen|.*\.matrix))/.test(fileOf(test));
}

function isWithServer(test) {
  return fileOf(test).endsWith('.int.test.ts');
}

/** Sorting keeps the order of the others, which come after. */
function placeOf(test) {
  const place = firstFiles.indexOf(fileOf(test));
  return place === -1 ? firstFiles.length : place;
}

/** In the repository, wherever that is. */
function fileOf({ path: file, context }) {
  return path.relative(context.config.rootDir, file).replaceAll(path.sep, '/');
}
