import { booleanSetting, type Setting } from './setting.js';

/** The same setting for every service that signs, pays out or reports it. */
export function emergencyStopSetting(): Setting<boolean> {
  return booleanSetting({
    description: 'Stops signing and payouts while a process runs with it; `npm run emergency` does so without a restart.',
    default: false,
  });
}
