/** Those who wait for the next ledger. */
export type CloseWaiters = { readonly wait: () => Promise<void>; readonly wake: () => void };

export function createCloseWaiters(): CloseWaiters {
  let waiting: (() => void)[] = [];
  return {
    wait: () => new Promise((resolve) => void waiting.push(resolve)),
    wake: () => {
      const woken = waiting;
      waiting = [];
      for (const resolve of woken) resolve();
    },
  };
}
