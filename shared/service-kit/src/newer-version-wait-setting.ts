import { defaultNewerVersionWaitMs } from '@holdfast/messaging/broker';
import { durationMsSetting, type Setting } from '@holdfast/process/config';

const longestMs = 2_592_000_000;

export function newerVersionWaitMsSetting(): Setting<number> {
  return durationMsSetting({
    description:
      'How long a message that a newer version has published waits for a process that knows it, counted from when it was made; then it is parked',
    default: defaultNewerVersionWaitMs,
    min: 0,
    max: longestMs,
  });
}
