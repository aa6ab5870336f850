/**
 * A CI server may lose its processors to others for seconds, and then a time limit of the platform ends what a test waits for. There, and only
 * there, a failed test is run once more. The log has the first failure: whatever needs a second attempt is to be mended.
 */
if (process.env.CI === 'true') {
  jest.retryTimes(1, { logErrorsBeforeRetry: true, retryImmediately: true, waitBeforeRetry: 2_000 });
}
