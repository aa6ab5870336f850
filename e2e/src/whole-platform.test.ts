import { rmSync } from 'node:fs';
import { eventually } from '@holdfast/testing/eventually';
import { describeAccountApi } from './accounts/stories.js';
import { startReader, type Reader } from './events/reader.js';
import { sandboxControl } from './faults/sandbox-control.js';
import { killLeftPrograms } from './testing/program.js';
import { describeCommands, describeReset } from './whole-platform/commands.js';
import { describeFailedSteps } from './whole-platform/failed-steps.js';
import { startWholePlatform, type WholePlatform } from './whole-platform/platform.js';
import { describeReadme } from './whole-platform/readme.js';
import { describeReference } from './whole-platform/reference.js';
import { describeResolve } from './whole-platform/resolve.js';
import { describeMilestonesGuide } from './whole-platform/milestones-guide.js';
import { describeTestClockGuide } from './whole-platform/test-clock-guide.js';
import { describeWebhooksGuide } from './whole-platform/webhooks-guide.js';

/** A test runs up to a dozen programs, one after the other. */
jest.setTimeout(240_000);

let platform: WholePlatform;
let reader: Reader;

beforeAll(async () => {
  platform = await startWholePlatform();
  reader = await startReader(platform.baseUrl, platform.masterKey);
});

afterAll(async () => {
  reader.stop();
  await platform.logOut();
  await killLeftPrograms();
  await eventually(() => rmSync(platform.dataDir, { recursive: true, force: true }));
});

describeReadme(() => platform);
describeReference(() => platform);
describeWebhooksGuide(() => platform);
describeMilestonesGuide(() => platform);
describeTestClockGuide(() => platform);
describeAccountApi(() => ({ ...platform, reader, sandbox: sandboxControl(platform.sandboxUrl) }));
describeFailedSteps(() => platform);
describeCommands(() => platform);
describeResolve(() => platform);

/** The last one: it deletes the platform. */
describeReset(() => platform);
