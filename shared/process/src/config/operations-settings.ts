import { z } from 'zod';
import { metricsPortOffset } from '@holdfast/contracts/services';
import { portSetting, textSetting } from './setting.js';

/** Where a process serves /metrics, /livez and /readyz. `port` is the default port of its API. */
export function operationsSettings(port: number) {
  return z.object({
    metricsHost: textSetting({
      description: 'The address on which /metrics, /livez and /readyz are served, without authentication',
      default: '127.0.0.1',
    }),
    metricsPort: portSetting({
      description: 'The port on which /metrics, /livez and /readyz are served',
      default: port + metricsPortOffset,
    }),
  });
}
