const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Test files of the whole system start many processes, most of those with a server wait, and those without one are short. So the first are
 * spread over the second, which keeps every worker busy and no processor overloaded, and the third fill the end of the run.
 */
module.exports = class extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests); // the longest first, as far as known from earlier runs, else the largest
    const ofSystem = sorted.filter(isOfSystem);
    const withServer = sorted.filter(isWithServer);
    const others = sorted.filter((test) => !isOfSystem(test) && !isWithServer(test));
    const between = Math.floor(withServer.length / (ofSystem.length + 1));
    const spread = ofSystem.flatMap((test, nth) => [test, ...withServer.slice(nth * between, (nth + 1) * between)]);
    return [...spread, ...withServer.slice(ofSystem.length * between), ...others];
  }
};

/** The suites of the architecture only read files, and the whole fault matrices are empty unless `npm run faults` plays them. */
function isOfSystem({ path }) {
  return path.includes('/e2e/src/') && !path.includes('/architecture/') && !/faults\/(?!chosen)/.test(path);
}

function isWithServer({ path }) {
  return path.endsWith('.int.test.ts');
}
