/** The page of an object, by the prefix of its id. */
const pages: Readonly<Record<string, string>> = {
  ord: '/orders/',
  usr: '/users/',
  dsp: '/disputes/',
  topup: '/money/topups/',
  wd: '/money/withdrawals/',
  evt: '/events/',
  whk: '/developers/webhooks/',
  whd: '/developers/deliveries/',
  run: '/operations/sagas/',
};

const idPattern = /^([a-z]+)_[A-Za-z0-9]{1,64}$/;

/** Undefined for what has no page of its own. */
export function pathOfId(text: string): string | undefined {
  const page = pages[idPattern.exec(text)?.[1] ?? ''];
  return page === undefined ? undefined : `${page}${text}`;
}
