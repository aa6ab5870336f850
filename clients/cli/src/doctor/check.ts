/** `warning`: it works, but a person should look. */
export type CheckStatus = 'ok' | 'warning' | 'failed';

export type Check = {
  readonly name: string;
  readonly status: CheckStatus;
  readonly found: string;
  /** What to do about it; empty if it is ok. */
  readonly todo: string;
};

export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found, todo: '' };
}

export function warning(name: string, found: string, todo: string): Check {
  return { name, status: 'warning', found, todo };
}

export function failed(name: string, found: string, todo: string): Check {
  return { name, status: 'failed', found, todo };
}
