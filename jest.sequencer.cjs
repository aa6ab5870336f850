const { default: Sequencer } = require('@jest/test-sequencer');

/** Test files of the whole system load the processors, and most others wait: five of these to one of those keep every worker busy. */
const othersBetween = 5;

/** Spreads the test files of the whole system over the run; otherwise jest starts them all at once, as its longest. */
module.exports = class extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    const ofSystem = sorted.filter(isOfSystem);
    const others = sorted.filter((test) => !isOfSystem(test));
    const spread = ofSystem.flatMap((test, nth) => [test, ...others.slice(nth * othersBetween, (nth + 1) * othersBetween)]);
    return [...spread, ...others.slice(ofSystem.length * othersBetween)];
  }
};

function isOfSystem({ path }) {
  return path.includes('/e2e/src/');
}
