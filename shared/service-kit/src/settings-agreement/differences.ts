import { sharedSettingNamed, type SharedValues } from './shared-settings.js';

export type ComparedProcess = { readonly service: string; readonly settings: SharedValues };

/** A setting in which this process and another one do not fit. */
export type Difference = {
  readonly setting: string;
  readonly service: string;
  readonly isRefused: boolean;
  /** A sentence for the log. It contains no secret. */
  readonly text: string;
};

/** Each difference once per setting and service, however many replicas there are. */
export function differencesBetween(own: ComparedProcess, others: readonly ComparedProcess[]): readonly Difference[] {
  const found = others.flatMap((other) => [...valueDifferences(own, other), ...timeoutDifferences(own, other)]);
  return [...new Map(found.map((difference) => [`${difference.setting} ${difference.service}`, difference])).values()];
}

function valueDifferences({ settings: own }: ComparedProcess, { service, settings }: ComparedProcess): readonly Difference[] {
  return Object.entries(own).flatMap(([setting, value]) => {
    const rule = sharedSettingNamed(setting);
    const theirs = settings[setting];
    if (rule === undefined || theirs === undefined || theirs === value) return [];
    const values = rule.isSecret === true ? '' : `: ${JSON.stringify(value)} here, ${JSON.stringify(theirs)} there`;
    const text = `${setting} differs from that of a running process of ${service}${values}`;
    return [{ setting, service, isRefused: rule.onDifference === 'refuse', text }];
  });
}

const [proxyTimeout, settlementTimeout] = ['PROXY_TIMEOUT_MS', 'SETTLEMENT_TIMEOUT_MS'];

/** The gateway must wait longer than the services, or callers get its 504 instead of the outcome of their saga run. */
function timeoutDifferences(own: ComparedProcess, other: ComparedProcess): readonly Difference[] {
  const pairs = [
    [own, other],
    [other, own],
  ] as const;
  return pairs.flatMap(([gateway, service]) => {
    const [proxyMs, settlementMs] = [gateway.settings[proxyTimeout], service.settings[settlementTimeout]];
    if (proxyMs === undefined || settlementMs === undefined || Number(proxyMs) > Number(settlementMs)) return [];
    const text = `${proxyTimeout} of ${gateway.service} (${proxyMs}) is not longer than ${settlementTimeout} of ${service.service} (${settlementMs})`;
    return [{ setting: proxyTimeout, service: other.service, isRefused: false, text }];
  });
}
