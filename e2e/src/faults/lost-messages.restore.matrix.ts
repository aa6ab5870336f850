import { killLeftPrograms } from '../testing/program.js';
import { playRestoreWithoutQueues } from './restore-without-queues.js';

jest.setTimeout(240_000);

describe('a restore', () => {
  afterAll(() => killLeftPrograms());

  it('without the queues of RabbitMQ: the deposit and the command that only they had arrive once', () =>
    playRestoreWithoutQueues());
});
